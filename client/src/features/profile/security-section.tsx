import { PasswordPanel } from './password-panel.tsx';
import { TwoStepPanel } from './two-step-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { SignInsPanel } from './sign-ins-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/security */
export function SecuritySection() {
  return (
    <SectionPanels
      section="security"
      panels={{ password: PasswordPanel, 'two-step': TwoStepPanel, sessions: SessionsPanel, 'sign-ins': SignInsPanel }}
    />
  );
}
