import { createFileRoute } from '@tanstack/react-router';
import { PasswordPanel } from '#client/features/profile/password-panel.tsx';
import { TwoStepPanel } from '#client/features/profile/two-step-panel.tsx';
import { SessionsPanel } from '#client/features/profile/sessions-panel.tsx';
import { SignInsPanel } from '#client/features/profile/sign-ins-panel.tsx';
import { SectionPanels } from '#client/features/profile/section-panels.tsx';

export const Route = createFileRoute('/_signed-in/profile/security')({
  component: () => (
    <SectionPanels
      section="security"
      panels={{ password: PasswordPanel, 'two-step': TwoStepPanel, sessions: SessionsPanel, 'sign-ins': SignInsPanel }}
    />
  ),
});
