import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { inSlices } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { panelLink } from '#shared/profile-sections.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useIsPhone } from '#client/lib/use-phone.ts';
import { AvailabilityEditor } from './availability-editor.tsx';
import { BusyPanel } from './busy-panel.tsx';
import { LeavePanel } from './leave-panel.tsx';
import { OverridePanel } from './override-panel.tsx';

/** /availability: weekly availability (the active template) and dated exceptions. */
export const AvailabilityPage = inSlices(function AvailabilityPage() {
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const goHome = () => navigate({ to: '/home', ignoreBlocker: true });
  return (
    <>
      <PageHeader
        title="Weekly Availability"
        lead={
          <>
            {isPhone ? 'In your own time zone. ' : 'When you can usually fly, in your own time zone. '}
            <Link {...panelLink('identity')}>{isPhone ? 'Change it' : 'Change it in your profile'}</Link>
          </>
        }
      />
      <AvailabilityEditor
        failure={screenCopy.availabilityFailed}
        onSaved={goHome}
        submitLabel="Save Availability"
        back={
          <Button variant="default" onClick={() => void goHome()}>
            Cancel
          </Button>
        }
      >
        <OverridePanel />
        <BusyPanel />
        <LeavePanel />
      </AvailabilityEditor>
    </>
  );
});
