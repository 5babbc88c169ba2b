import { useNavigate } from '@tanstack/react-router';
import { LinkButton } from '#client/components/link-button.tsx';
import { WizardPage } from '#client/components/wizard-page.tsx';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useIsPhone } from '#client/lib/use-phone.ts';
import { AvailabilityEditor } from './availability-editor.tsx';

/** Wizard step 3: weekly availability, which may stay empty. */
export function PreferencesPage() {
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  return (
    <WizardPage
      step={2}
      title="Weekly Availability"
      lead={isPhone ? 'Leave it empty to decide later.' : 'When you can usually fly. Leave it empty to decide later.'}
      wide
    >
      <AvailabilityEditor
        failure={screenCopy.preferencesFailed}
        onSaved={() => navigate({ to: '/register/status', ignoreBlocker: true })}
        submitLabel="Continue"
        back={
          <LinkButton variant="default" to="/register/profile" style={{ order: -1 }}>
            Back
          </LinkButton>
        }
      />
    </WizardPage>
  );
}
