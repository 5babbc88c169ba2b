import { TextInput } from '@mantine/core';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { BANS } from '#shared/limits.ts';
import { banAccountForm } from '#shared/schemas/bans.ts';
import type { ListedUserDto } from '#shared/schemas/admin.ts';
import { bansCopy } from './bans-text.ts';
import { useRefreshBans } from './use-refresh-bans.ts';
import { personName } from './users-text.ts';
import classes from './dialogs.module.css';

interface BanDialogProps {
  user: ListedUserDto;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Dialog that bans an account, with a reason. */
export function BanDialog({ user, onClose, onDone }: BanDialogProps) {
  const refresh = useRefreshBans();
  const form = useServerForm({
    schema: banAccountForm,
    initialValues: { reason: '' },
    failure: copy.unknownError,
  });
  const ban = trpc.admin.bans.banAccount.useMutation({
    onSuccess: async () => {
      await refresh();
      onDone(bansCopy.banned);
      onClose();
    },
    onError: form.refuse,
  });
  const name = personName(user);
  return (
    <Dialog opened title={`Ban ${name}?`} onClose={onClose}>
      <DialogForm
        error={form.refusal}
        onClose={onClose}
        submit="Ban"
        color="red"
        isBusy={ban.isPending}
        onSubmit={form.submit((input) => ban.mutate({ id: user.id, ...input }))}
      >
        <p className={classes.text}>{bansCopy.meaning(name)}</p>
        <div className={classes.fields}>
          <TextInput
            label="Reason"
            description="Only admins see it."
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
