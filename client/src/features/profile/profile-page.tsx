import { FormNote } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { isPilot, useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { AircraftPanel } from './aircraft-panel.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { CalendarPanel } from './calendar-panel.tsx';
import { DataPanel } from './data-panel.tsx';
import { DiscordPanel } from './discord-panel.tsx';
import { IdentityPanel } from './identity-panel.tsx';
import { NotificationsPanel } from './notifications-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { PushPanel } from './push-panel.tsx';
import { ReliabilityPanel } from './reliability-panel.tsx';
import { SignInsPanel } from './sign-ins-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TokensPanel } from './tokens-panel.tsx';
import { TwoStepPanel } from './two-step-panel.tsx';
import { useUnsavedPanels } from './unsaved.ts';
import classes from './profile-page.module.css';

/**
 * /profile: the pilot's settings on the left, the account's on the right. A suspended account sees only the account's
 * settings.
 */
export function ProfilePage() {
  const viewer = useSignedInViewer();
  const { panels, report } = useUnsavedPanels();
  const isFlying = isPilot(viewer);
  const deletion = trpc.auth.deletion.useQuery(undefined, { enabled: !isFlying });

  return (
    <>
      <PageHeader title="Profile" lead="Who you are, what you fly, and how Marshal reaches you." />
      {!isFlying && (
        <FormNote>
          <span>
            {deletion.data?.dueAt ? copy.accountLeaving : copy.suspended} You can still change your password, sessions
            and colours.
          </span>
        </FormNote>
      )}
      <div className={classes.board}>
        {isFlying && (
          <div className={classes.column}>
            <IdentityPanel reportUnsaved={report} />
            <div id="aircraft" className={classes.anchor}>
              <AircraftPanel reportUnsaved={report} />
            </div>
            <ReliabilityPanel />
            <CalendarPanel />
          </div>
        )}
        <div className={classes.column}>
          {isFlying && (
            <>
              <NotificationsPanel reportUnsaved={report} />
              <PushPanel />
              <DiscordPanel />
            </>
          )}
          <AppearancePanel />
          <PasswordPanel />
          <TwoStepPanel />
          <SessionsPanel />
          <SignInsPanel />
          {isFlying && <TokensPanel />}
          <DataPanel />
        </div>
      </div>
      <LeaveGuard isDirty={panels.size > 0}>Not saved yet: {[...panels].join(', ')}.</LeaveGuard>
    </>
  );
}
