import { Button } from '@mantine/core';
import { useLocation, type HistoryState } from '@tanstack/react-router';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Mark } from '#client/components/marks.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { RouteStepper } from '#client/components/route-stepper.tsx';
import { useViewer, viewerName } from '#client/lib/session.ts';
import { SIGN_IN_LINK_MINUTES } from '#shared/limits.ts';
import { discordCopy } from './discord-text.ts';
import { tokenOfLink, useSignInLink } from './use-sign-in-link.ts';
import classes from './success-page.module.css';

type Registered = NonNullable<HistoryState['registration']>;

/** /discord/registration/success: the server's message and the next steps. */
export function SuccessPage() {
  const registration = useLocation({ select: (location) => location.state.registration });
  return (
    <div className={classes.page}>
      <PageHeader title={registration === undefined ? discordCopy.formTitle : discordCopy.successTitle} />
      {registration === undefined ? <NothingHere /> : <Success {...registration} />}
    </div>
  );
}

/** Shown when the page is opened directly, without the navigation state of a registration. */
function NothingHere() {
  return (
    <Panel>
      <EmptyState
        title="No registration was completed in this tab"
        action={<LinkButton to="/login">{discordCopy.adminPortal}</LinkButton>}
      >
        Registration starts in Discord, with a personal link from the bot.
      </EmptyState>
    </Panel>
  );
}

function Success({ message, userId, signInUrl }: Registered) {
  const isNew = signInUrl !== null;
  return (
    <>
      <Panel>
        <p className={classes.message} role="status">
          <Mark shape="diamond" filled size={40} />
          <span>{message}</span>
        </p>
        <Facts>
          <Fact label="User ID">
            <span className={classes.id}>
              <code>{userId}</code>
              <CopyButton text={userId} label="Copy user ID" copiedLabel="Copied" />
            </span>
          </Fact>
        </Facts>
      </Panel>
      <Panel title="Next steps" className={classes.next}>
        <RouteStepper
          label="Next steps"
          steps={['Registered', isNew ? 'Email and password' : 'Sign in', 'Availability', 'Frag orders']}
          current={1}
        />
        {signInUrl === null ? <Welcome userId={userId} /> : <FirstSignIn signInUrl={signInUrl} />}
      </Panel>
    </>
  );
}

/** Next steps for an account that already has an email and a password. */
function Welcome({ userId }: { userId: string }) {
  const isHere = useViewer()?.id === userId;
  return (
    <>
      <p className={classes.text}>
        {isHere ? 'You are signed in with this account.' : 'Sign in with your email and password.'} Add the times you
        can fly to get frag orders.
      </p>
      <div className={classes.actions}>
        {isHere && <LinkButton to="/home">Go to Dashboard</LinkButton>}
        <LinkButton to="/login" variant={isHere ? 'default' : 'filled'}>
          {discordCopy.adminPortal}
        </LinkButton>
      </div>
    </>
  );
}

function FirstSignIn({ signInUrl }: { signInUrl: string }) {
  const viewer = useViewer();
  const { redeem, isPending, error } = useSignInLink();
  return (
    <>
      <p className={classes.text}>
        Set an email and a password so you can sign in here. Then add the times you can fly to get frag orders. This
        button works once, within {SIGN_IN_LINK_MINUTES} minutes.
      </p>
      {viewer !== null && (
        <FormNote>
          <span>You are signed in as {viewerName(viewer)}; this signs you in to the new account instead.</span>
        </FormNote>
      )}
      <FormError message={error} />
      <div className={classes.actions}>
        <Button disabled={isPending} onClick={() => redeem(tokenOfLink(signInUrl))}>
          {isPending ? 'Signing In...' : 'Set email and password'}
        </Button>
        <LinkButton variant="default" to="/login">
          {discordCopy.adminPortal}
        </LinkButton>
      </div>
    </>
  );
}
