import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPanel } from '#client/features/profile/notifications-panel.tsx';
import { PushPanel } from '#client/features/profile/push-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/notifications')({
  component: () => (
    <SectionPanels section="notifications" panels={{ notifications: NotificationsPanel, push: PushPanel }} />
  ),
});
