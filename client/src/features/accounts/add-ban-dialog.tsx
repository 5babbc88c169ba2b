import { TextInput } from '@mantine/core';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { BANS } from '#shared/limits.ts';
import { addBanInput } from '#shared/schemas/bans.ts';
import { bansCopy } from './bans-text.ts';
import { useRefreshBans } from './use-refresh-bans.ts';
import classes from './dialogs.module.css';

const INITIAL = { email: '', discordUserId: '', label: '', reason: '' };

interface AddBanDialogProps {
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Dialog that bans an email or a Discord id, with or without an account. */
export function AddBanDialog({ onClose, onDone }: AddBanDialogProps) {
  const refresh = useRefreshBans();
  const form = useServerForm({
    schema: addBanInput,
    initialValues: INITIAL,
    failure: copy.unknownError,
  });
  const add = trpc.admin.bans.add.useMutation({
    onSuccess: async () => {
      await refresh();
      onDone(bansCopy.banned);
      onClose();
    },
    onError: form.refuse,
  });
  return (
    <Dialog opened title="Add a ban" onClose={onClose}>
      <DialogForm
        error={form.refusal}
        onClose={onClose}
        submit="Ban"
        color="red"
        isBusy={add.isPending}
        onSubmit={form.submit((input) => add.mutate(input))}
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
