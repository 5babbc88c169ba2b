import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { ErrorState } from '#client/components/query-states.tsx';
import { useViewer, viewerName } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { useSignInLink } from './use-sign-in-link.ts';
import classes from './success-page.module.css';

/** /sign-in/{token}: sign-in with a one-time link. Opening the page checks the link; only the button uses it. */
export function SignInPage({ token }: { token: string }) {
  const viewer = useViewer();
  const { redeem, isPending, error } = useSignInLink();
  const link = trpc.auth.signInLink.useQuery({ token }, { staleTime: Infinity });
  if (link.data?.isLive === false) return <DeadLink />;
  return (
    <div className={classes.page}>
      <PageHeader title="Sign in with your link" />
      <Panel>
        <FormError message={error} />
        {viewer !== null && (
          <FormNote>
            <span>
              You are signed in as {viewerName(viewer)}. The link signs you in to the account it was made for.{' '}
              <Link to="/home">Stay and go to Dashboard</Link>
            </span>
          </FormNote>
        )}
        <p className={classes.text}>
          This link is personal and works once. It signs you in to the account linked to your Discord account.
        </p>
        <div className={classes.actions}>
          <Button disabled={isPending} onClick={() => redeem(token)}>
            {isPending ? 'Signing In...' : 'Sign In'}
          </Button>
        </div>
      </Panel>
    </div>
  );
}

/** A link that is unknown, used or expired. */
function DeadLink() {
  return (
    <div className={classes.page}>
      <PageHeader title="Sign in with your link" />
      <Panel>
        <ErrorState message={copy.signInLinkInvalid} />
        <div className={classes.next}>
          <LinkButton to="/login">Sign in another way</LinkButton>
        </div>
      </Panel>
    </div>
  );
}
