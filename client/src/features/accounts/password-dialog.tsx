import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Dialog, DialogButtons, DialogForm } from '#client/components/dialog.tsx';
import { PasswordField } from '#client/components/password-field.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { resetPasswordInput } from '#shared/schemas/admin.ts';
import { currentPasswordInput, type UserDto } from '#shared/schemas/auth.ts';
import { personName, usersCopy } from './users-text.ts';
import classes from './dialogs.module.css';

/** 32 characters that are hard to confuse when read aloud; each is worth five bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

interface PasswordDialogProps {
  user: UserDto;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

const otherForm = resetPasswordInput.pick({ newPassword: true });
const ownForm = otherForm.extend({ currentPassword: currentPasswordInput });

/** Dialog that resets a user's password. Without an email the account cannot use one, so it only explains that. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { user, onClose } = props;
  return (
    <Dialog opened title={`Reset password of ${personName(user)}`} onClose={onClose}>
      {user.email === '' ? (
        <>
          <p className={classes.text}>{copy.resetWithoutEmail}</p>
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </DialogButtons>
        </>
      ) : (
        <PasswordForm {...props} />
      )}
    </Dialog>
  );
}

function PasswordForm({ user, onClose, onDone }: PasswordDialogProps) {
  const viewer = useSignedInViewer();
  const trpcUtils = trpc.useUtils();
  const [isShown, setShown] = useState(false);
  const isOwn = user.id === viewer.id;
  const form = useServerForm({
    schema: isOwn ? ownForm : otherForm,
    mode: 'controlled',
    initialValues: { currentPassword: '', newPassword: '' },
    toInput: ({ currentPassword, newPassword: chosen }) => ({ newPassword: chosen, ...(isOwn && { currentPassword }) }),
    failure: copy.unknownError,
    before: usersCopy.resetFailed,
  });
  const reset = trpc.admin.resetPassword.useMutation({
    onSuccess: () => {
      void trpcUtils.admin.audit.invalidate();
      onDone(usersCopy.passwordReset);
      onClose();
      if (isOwn) {
        // This session has ended too: the next call fails and redirects to the sign-in.
        void trpcUtils.admin.users.invalidate();
      }
    },
    onError: form.refuse,
  });
  const { newPassword } = form.values;
  return (
    <DialogForm
      error={form.refusal}
      onClose={onClose}
      submit="Reset Password"
      isBusy={reset.isPending}
      onSubmit={form.submit((input) => reset.mutate({ id: user.id, ...input }))}
    >
      {isOwn && (
        <div className={classes.password}>
          <PasswordField
            label="Current Password"
            autoComplete="current-password"
            toggles="current password"
            {...form.getInputProps('currentPassword')}
          />
        </div>
      )}
      <div className={classes.password}>
        <PasswordField
          label="New Password"
          description={copy.passwordHint}
          autoComplete="new-password"
          toggles="new password"
          visible={isShown}
          onVisibilityChange={setShown}
          {...form.getInputProps('newPassword')}
        />
        <div className={classes.aids}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden="true" />}
            onClick={() => {
              form.setFieldValue('newPassword', generatePassword());
              form.clearErrors();
              setShown(true);
            }}
          >
            Generate
          </Button>
          {newPassword !== '' && <CopyButton text={newPassword} label="Copy password" copiedLabel="Password copied" />}
        </div>
      </div>
      <p className={classes.text}>{isOwn ? usersCopy.ownSessionsEnd : usersCopy.sessionsEnd}</p>
    </DialogForm>
  );
}

/** A password of 100 random bits, such as `k7wzp-3mhq2-…`: four groups, easy to dictate. */
function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH));
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join('-');
}
