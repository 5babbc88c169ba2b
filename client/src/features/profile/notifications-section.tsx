import { NotificationsPanel } from './notifications-panel.tsx';
import { PushPanel } from './push-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/notifications */
export function NotificationsSection() {
  return <SectionPanels section="notifications" panels={{ notifications: NotificationsPanel, push: PushPanel }} />;
}
