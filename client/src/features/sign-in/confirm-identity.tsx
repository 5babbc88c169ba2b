import { useCallback, useState } from 'react';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { PasswordField } from '#client/components/password-field.tsx';
import type { Confirmation } from '#client/lib/confirm-identity.ts';
import { errorCode, errorMessage } from '#client/lib/errors.ts';
import { useHasPassword } from '#client/lib/has-password.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { DiscordSignIn } from './discord-sign-in.tsx';
import { SecondStep } from './second-step.tsx';

/** The dialog in which a person who signed in a while ago confirms who they are, before something gives access. */
export function ConfirmIdentity({ confirmation }: { confirmation: Confirmation }) {
  const { email } = useSignedInViewer();
  return (
    <Dialog opened title="Confirm that it is you" onClose={() => confirmation.settle(false)}>
      <Steps confirmation={confirmation} email={email} />
    </Dialog>
  );
}

function Steps({ confirmation, email }: { confirmation: Confirmation; email: string }) {
  const [isSecond, setSecond] = useState(false);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const hasPassword = useHasPassword();
  const login = trpc.auth.login.useMutation({
    onSuccess: () => confirmation.settle(true),
    onError: (cause) => {
      if (errorCode(cause) === 'SECOND_FACTOR_REQUIRED') setSecond(true);
      else
        setError(
          errorCode(cause) === 'LOGIN_FAILED'
            ? 'This password is not correct.'
            : errorMessage(cause, screenCopy.loginFailed),
        );
    },
  });
  const startOver = useCallback((sentence: string | null) => {
    setSecond(false);
    setError(sentence);
  }, []);
  if (isSecond) return <SecondStep onDone={async () => confirmation.settle(true)} onOver={startOver} />;
  if (hasPassword === false) {
    return (
      <>
        <p>{confirmation.sentence}</p>
        <DiscordSignIn from={window.location.pathname} />
      </>
    );
  }
  return (
    <DialogForm
      error={error}
      submit="Confirm"
      isBusy={login.isPending}
      disabled={password === ''}
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        login.mutate({ email, password, withSecondFactor: true });
      }}
      onClose={() => confirmation.settle(false)}
    >
      <p>This gives somebody access. Enter your password to go on.</p>
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        toggles="password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </DialogForm>
  );
}
