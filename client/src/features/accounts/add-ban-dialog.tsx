import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { focusFirstError, showServerError } from '#client/lib/form.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { BANS } from '#shared/limits.ts';
import { addBanInput } from '#shared/schemas/bans.ts';
import { bansCopy } from './bans-text.ts';
import { useRefreshBans } from './use-refresh-bans.ts';
import classes from './dialogs.module.css';
import type { Told } from '#client/lib/failure.ts';

const INITIAL = { email: '', discordUserId: '', label: '', reason: '' };

interface AddBanDialogProps {
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Dialog that bans an email or a Discord id, with or without an account. */
export function AddBanDialog({ onClose, onDone }: AddBanDialogProps) {
  const refresh = useRefreshBans();
  const [error, setError] = useState<Told>(null);
  const form = useForm({
    initialValues: INITIAL,
    validate: (values) => {
      const { error: invalid } = addBanInput.safeParse(values);
      return Object.fromEntries((invalid?.issues ?? []).map(({ path: [field = ''], message }) => [field, message]));
    },
  });
  const add = trpc.admin.bans.add.useMutation({
    onSuccess: async () => {
      await refresh();
      onDone(bansCopy.banned);
      onClose();
    },
    onError: (cause) => setError(showServerError(form, cause, copy.unknownError)),
  });
  return (
    <Dialog opened title="Add a ban" onClose={onClose}>
      <DialogForm
        error={error}
        onClose={onClose}
        submit="Ban"
        color="red"
        isBusy={add.isPending}
        onSubmit={form.onSubmit((values) => {
          setError(null);
          add.mutate(values);
        }, focusFirstError(form))}
      >
        <p className={classes.text}>{bansCopy.addMeaning}</p>
        <div className={classes.fields}>
          <TextInput label="Email" inputMode="email" autoComplete="off" {...form.getInputProps('email')} />
          <TextInput
            label="Discord id"
            description="The number of the Discord user, not the name."
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('discordUserId')}
          />
          <TextInput
            label="Label"
            description="How you recognize the entry later."
            maxLength={BANS.labelLength}
            autoComplete="off"
            required
            {...form.getInputProps('label')}
          />
          <TextInput
            label="Reason"
            maxLength={BANS.reasonLength}
            autoComplete="off"
            required
            {...form.getInputProps('reason')}
          />
        </div>
      </DialogForm>
    </Dialog>
  );
}
