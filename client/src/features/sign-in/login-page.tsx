import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useState } from 'react';
import { inSlices } from '#client/components/loaded.tsx';
import { EmailField } from '#client/components/email-field.tsx';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { NavDisplay } from '#client/domain-ui/nav-display.tsx';
import { SampleOrder } from '#client/domain-ui/sample-order.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { PasswordField } from '#client/components/password-field.tsx';
import { useDiscordOutcomeOnce } from '#client/lib/discord-sign-in.ts';
import { errorCode, type FieldIssue } from '#client/lib/errors.ts';
import type { Told } from '#client/lib/failure.ts';
import { showServerError } from '#client/lib/form-errors.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { usePlainForm } from '#client/lib/plain-form.ts';
import { safeReturnPath } from '#client/lib/return-path.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { rereadViewer, useViewer, viewerName } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { DISCORD_OUTCOMES } from '#shared/discord-sign-in.ts';
import { DiscordSignIn } from './discord-sign-in.tsx';
import classes from './login-page.module.css';

/** Few sign-ins get there. */
const SecondStep = lazyPart(
  () => import('./second-step.tsx'),
  (module) => module.SecondStep,
);

async function loadCheck() {
  const { loginInput } = await import('#shared/schemas/auth.ts');
  return (values: { email: string; password: string }): FieldIssue[] =>
    (loginInput.safeParse(values).error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }));
}

/** /login: signs in, in one step or two, and returns to the requested page. Wide screens also show what awaits a pilot: a route and an order. */
export const LoginPage = inSlices(function LoginPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const viewer = useViewer();
  const from = useLocation({ select: (location) => location.state.from });
  const waits = useLocation({ select: (location) => location.state.secondStep === true });
  const outcome = useDiscordOutcomeOnce();
  const [isSecond, setSecond] = useState(waits || outcome === 'second-step');
  const [error, setError] = useState<Told>(
    outcome === null || outcome === 'second-step' ? null : DISCORD_OUTCOMES[outcome],
  );
  const form = usePlainForm(['email', 'password'], loadCheck);
  async function enter(): Promise<void> {
    await rereadViewer(client);
    await navigate({ href: safeReturnPath(from), replace: true });
  }
  const login = trpc.auth.login.useMutation({
    onSuccess: enter,
    onError: (cause) => {
      if (errorCode(cause) === 'SECOND_FACTOR_REQUIRED') setSecond(true);
      else setError(showServerError(form, cause, screenCopy.loginFailed));
    },
  });
  const startOver = useCallback((sentence: string | null) => {
    setSecond(false);
    setError(sentence);
  }, []);

  return (
    <div className={classes.split}>
      <div className={classes.side}>
        <PageHeader title={isSecond ? 'Confirm that it is you' : 'Sign In'} />
        {isSecond ? (
          <Panel>
            <Suspense>
              <SecondStep onDone={enter} onOver={startOver} />
            </Suspense>
          </Panel>
        ) : (
          <Panel>
            {viewer !== null && (
              <FormNote>
                <span>
                  You are signed in as {viewerName(viewer)}. <Link to="/home">Go to Dashboard</Link>
                </span>
              </FormNote>
            )}
            <form
              {...form.formProps((values) => {
                setError(null);
                login.mutate(values);
              })}
            >
              <FormError message={error} />
              <Stack gap="md">
                <EmailField {...form.inputProps('email')} />
                <PasswordField
                  label="Password"
                  autoComplete="current-password"
                  toggles="password"
                  {...form.inputProps('password')}
                />
                <Button type="submit" fullWidth disabled={login.isPending}>
                  {login.isPending ? 'Signing In...' : 'Sign In'}
                </Button>
              </Stack>
            </form>
            <DiscordSignIn from={safeReturnPath(from)} />
            <p className={classes.below}>
              <span>
                New here? <Link to="/register/account">Register here</Link>
              </span>
              <ForgotPasswordLink />
            </p>
          </Panel>
        )}
      </div>
      <div className={classes.product}>
        <div className={classes.display}>
          <NavDisplay />
        </div>
        <SampleOrder />
      </div>
    </div>
  );
});

/** Link to /forgot-password, where the server sends email; elsewhere only an admin can help. */
function ForgotPasswordLink() {
  const ways = trpc.auth.ways.useQuery(undefined, { staleTime: Infinity });
  if (ways.data === undefined) return null;
  if (ways.data.mail) return <Link to="/forgot-password">Forgot your password?</Link>;
  return <span>Forgot your password? Ask an admin for a sign-in link.</span>;
}
