import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { useViewer, viewerName } from '#client/lib/session.ts';
import { useSignInLink } from './use-sign-in-link.ts';
import classes from './success-page.module.css';

/** /sign-in/{token}: sign-in with a one-time link. Only the button uses the link, not opening the page. */
export function SignInPage({ token }: { token: string }) {
  const viewer = useViewer();
  const { redeem, isPending, error } = useSignInLink();
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
