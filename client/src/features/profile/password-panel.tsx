import { Stack } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { PasswordField } from '#client/components/password-field.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { readPushEndpoint } from '#client/lib/push.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { useHasPassword } from '#client/lib/has-password.ts';
import { changePasswordInput } from '#shared/schemas/auth.ts';
import { profileCopy } from './profile-text.ts';
import { SaveRow } from './save-row.tsx';
import classes from './password-panel.module.css';

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Panel that changes the password; an account without one links to the page that sets the first one. */
export function PasswordPanel() {
  const { email } = useSignedInViewer();
  // most accounts have one, so the panel starts with its form
  if (useHasPassword() ?? true) return <ChangePassword email={email} />;
  return (
    <Panel anchor="password" title="Password">
      <p className={classes.none}>This account has no password yet. You sign in with Discord.</p>
      <LinkButton variant="default" to="/credentials">
        {email === '' ? 'Set email and password' : 'Set a password'}
      </LinkButton>
    </Panel>
  );
}

/** Password form. A change ends all other sessions, access tokens, links and notified devices of the account. */
function ChangePassword({ email }: { email: string }) {
  const trpcUtils = trpc.useUtils();
  const [result, setResult] = useState<string | null>(null);
  const form = useServerForm({
    schema: changePasswordInput,
    mode: 'controlled',
    initialValues: EMPTY,
    failure: profileCopy.passwordFailed,
    onValuesChange: () => setResult(null),
  });
  const change = trpc.auth.changePassword.useMutation({
    onSuccess: async () => {
      form.reset();
      setResult(profileCopy.passwordChanged);
      showToast(profileCopy.passwordChanged);
      await Promise.all([
        trpcUtils.auth.sessions.invalidate(),
        trpcUtils.auth.tokens.list.invalidate(),
        trpcUtils.pilot.calendar.feed.invalidate(),
        trpcUtils.pilot.push.subscriptions.invalidate(),
      ]);
    },
    onError: form.refuse,
  });

  const changeFromHere = async (values: typeof EMPTY): Promise<void> => {
    // without an endpoint this device's notifications end too
    const pushEndpoint = (await readPushEndpoint().catch(() => null)) ?? undefined;
    change.mutate({ ...values, ...(pushEndpoint !== undefined && { pushEndpoint }) });
  };

  return (
    <Panel anchor="password" title="Password">
      <form noValidate onSubmit={form.submit(changeFromHere)}>
        <FormError message={form.refusal} />
        <VisuallyHidden>
          {/* Password managers need the user name to store the new password. */}
          <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
        </VisuallyHidden>
        <Stack gap="md">
          <PasswordField
            label="Current Password"
            autoComplete="current-password"
            toggles="current password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordField
            label="New Password"
            description={copy.passwordHint}
            autoComplete="new-password"
            toggles="new password"
            {...form.getInputProps('newPassword')}
          />
          <PasswordField
            label="Confirm Password"
            autoComplete="new-password"
            toggles="confirmation"
            {...form.getInputProps('confirmPassword')}
          />
        </Stack>
        <SaveRow label="Change Password" isSaving={change.isPending} isDirty={form.isDirty()} result={result} />
      </form>
    </Panel>
  );
}
