import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import { personName, usersCopy } from './users-text.ts';
import classes from './dialogs.module.css';

interface ResetFactorDialogProps {
  user: UserDto;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Confirmation before the second factor of a user who has lost it is removed. */
export function ResetFactorDialog({ user, onClose, onDone }: ResetFactorDialogProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const reset = trpc.admin.resetSecondFactor.useMutation({
    onSuccess: async () => {
      await Promise.all([utils.admin.users.invalidate(), utils.admin.audit.invalidate()]);
      onDone(usersCopy.factorReset);
      onClose();
    },
    onError: (cause) => setError(failureOf(cause, copy.unknownError, usersCopy.factorResetFailed)),
  });
  const name = personName(user);
  return (
    <ConfirmModal
      opened
      title={`Reset two-step sign-in of ${name}?`}
      confirmLabel="Reset"
      signal="red"
      busy={reset.isPending}
      onConfirm={() => {
        setError(null);
        reset.mutate({ id: user.id });
      }}
      onClose={onClose}
    >
      <FormError message={error} />
      <p className={classes.text}>{usersCopy.factorResetMeaning(name)}</p>
    </ConfirmModal>
  );
}
