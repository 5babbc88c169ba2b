import { Link } from '@tanstack/react-router';
import { FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { ErrorState } from '#client/components/query-states.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useViewer, viewerName } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { count } from '#shared/plural.ts';
import type { RegistrationDto } from '#shared/schemas/community.ts';
import classes from './join-page.module.css';

/** /join/{token}: checks an invite link and leads to the registration. */
export function JoinPage({ token }: { token: string }) {
  const registration = trpc.auth.registration.useQuery({ invite: token }, { staleTime: 0 });
  return (
    <div className={classes.page}>
      <PageHeader title="Your invite" />
      <Panel>
        <Loaded query={registration} loading="Checking your invite..." failure={copy.unknownError} rows={4}>
          {(checked) => <Invitation registration={checked} token={token} />}
        </Loaded>
      </Panel>
    </div>
  );
}

function Invitation({ registration, token }: { registration: RegistrationDto; token: string }) {
  const viewer = useViewer();
  const { community, mode, invite, preview } = registration;
  if (invite === null || invite.problem !== null) {
    return (
      <>
        <ErrorState message={invite?.problem ?? copy.inviteUnknown} />
        <div className={classes.actions}>
          {mode !== 'invite' && <LinkButton to="/register/account">Register without an invite</LinkButton>}
          <LinkButton variant="default" to="/">
            Return to the start page
          </LinkButton>
        </div>
      </>
    );
  }
  const who = invite.invitedBy ?? 'An admin';
  return (
    <>
      {viewer !== null && (
        <FormNote>
          <span>
            You are signed in as {viewerName(viewer)}, so you don&apos;t need this invite.{' '}
            <Link to="/home">Go to Dashboard</Link>
          </span>
        </FormNote>
      )}
      <h2 className={classes.community}>{community ?? 'Join us on Marshal'}</h2>
      <p className={classes.text}>
        {who} invites you to {community ?? 'this community'}. Say when you can fly and what you fly, and get missions
        that fit.
      </p>
      {preview !== null && <Preview preview={preview} />}
      {invite.needsApproval && <p className={classes.text}>An admin approves new accounts before they fly.</p>}
      {viewer === null && (
        <div className={classes.actions}>
          <LinkButton to="/register/account" search={{ invite: token }}>
            Create your account
          </LinkButton>
          <span>
            Already registered? <Link to="/login">Sign in</Link>
          </span>
        </div>
      )}
    </>
  );
}

/** How many fly here, and the next mission. */
function Preview({ preview: { pilots, next } }: { preview: NonNullable<RegistrationDto['preview']> }) {
  return (
    <>
      <p className={classes.text}>
        {count(pilots, 'pilot')} {pilots === 1 ? 'flies' : 'fly'} here.
      </p>
      {next !== null && (
        <p className={classes.text}>
          Next mission: <strong>{next.name}</strong>, {next.theater},{' '}
          <ZTime iso={next.startUtc} withDate copyable={false} />,{' '}
          {next.openSeats === 0 ? 'no seats open' : `${count(next.openSeats, 'seat')} open`}
        </p>
      )}
    </>
  );
}
