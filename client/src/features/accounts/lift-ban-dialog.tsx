import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { bansCopy } from './bans-text.ts';
import { useRefreshBans } from './use-refresh-bans.ts';
import classes from './dialogs.module.css';

interface LiftBanDialogProps {
  ban: { id: string; label: string; reason: string; hasAccount: boolean };
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Confirmation before a ban is lifted. */
export function LiftBanDialog({ ban, onClose, onDone }: LiftBanDialogProps) {
  const refresh = useRefreshBans();
  const [error, setError] = useState<Told>(null);
  const lift = trpc.admin.bans.lift.useMutation({
    onSuccess: async () => {
      await refresh();
      onDone(bansCopy.lifted);
      onClose();
    },
    onError: (cause) => setError(failureOf(cause, copy.unknownError, bansCopy.liftFailed)),
  });
  return (
    <ConfirmModal
      opened
      title={`Lift the ban on ${ban.label}?`}
      confirmLabel="Lift ban"
      busy={lift.isPending}
      onConfirm={() => {
        setError(null);
        lift.mutate({ id: ban.id });
      }}
      onClose={onClose}
    >
      <FormError message={error} />
      <p className={classes.text}>Reason: {ban.reason}</p>
      <p className={classes.text}>{bansCopy.liftMeaning(ban.hasAccount)}</p>
    </ConfirmModal>
  );
}
