import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { useSignedInViewer, viewerQuery } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { Role } from '#shared/vocabulary.ts';
import { addRoleTitle, personName, removeRoleTitle, ROLE_EFFECTS, roleNotes, usersCopy } from './users-text.ts';
import classes from './dialogs.module.css';

interface RoleDialogProps {
  change: 'add' | 'remove';
  role: Role;
  user: UserDto;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Confirmation before a role is added or removed, with the effect. Admins cannot remove their own admin role. */
export function RoleDialog(props: RoleDialogProps) {
  const { change, role, user } = props;
  const viewer = useSignedInViewer();
  const isOwn = user.id === viewer.id;
  const takesAdmin = change === 'remove' && role === 'admin';
  const admins = trpc.admin.users.useQuery({ role: ['admin'], pageSize: 1 }, { enabled: takesAdmin, staleTime: 0 });
  if (takesAdmin && isOwn) {
    return (
      <Dialog opened title={removeRoleTitle(role)} onClose={props.onClose}>
        <p className={classes.text}>
          {copy.ownAdminRole}. {admins.data?.total === 1 ? roleNotes.lastAdmin : roleNotes.ownAdmin}
        </p>
        <DialogButtons>
          <Button variant="default" onClick={props.onClose}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  const note =
    takesAdmin && admins.data?.total === 2
      ? roleNotes.onlyAdmin
      : change === 'remove' && isOwn
        ? roleNotes.ownPilot
        : undefined;
  return <AskRole {...props} note={note} isOwn={isOwn} />;
}

function AskRole({
  change,
  role,
  user,
  onClose,
  onDone,
  note,
  isOwn,
}: RoleDialogProps & { note: string | undefined; isOwn: boolean }) {
  const client = useQueryClient();
  const trpcUtils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const isAdding = change === 'add';
  const settings = {
    onSuccess: async ({ roles }: { roles: Role[] }) => {
      if (isOwn) {
        client.setQueryData(viewerQuery.queryKey, (viewer) => (viewer ? { ...viewer, roles } : viewer));
      }
      void trpcUtils.admin.audit.invalidate();
      void trpcUtils.admin.pilot.invalidate();
      // Refresh the list first, because the focus returns to one of its buttons.
      await trpcUtils.admin.users.invalidate();
      onDone(isAdding ? usersCopy.roleAdded : usersCopy.roleRemoved);
      onClose();
    },
    onError: (cause: unknown) => {
      setError(failureOf(cause, copy.unknownError, isAdding ? usersCopy.roleAddFailed : usersCopy.roleRemoveFailed));
    },
  };
  const add = trpc.admin.addRole.useMutation(settings);
  const remove = trpc.admin.removeRole.useMutation(settings);
  const { mutate, isPending } = isAdding ? add : remove;
  return (
    <ConfirmModal
      opened
      title={isAdding ? addRoleTitle(role) : removeRoleTitle(role)}
      confirmLabel={isAdding ? 'Add' : 'Remove'}
      signal={isAdding ? 'course' : 'red'}
      busy={isPending}
      onConfirm={() => {
        setError(null);
        mutate({ id: user.id, role });
      }}
      onClose={onClose}
    >
      <FormError message={error} />
      <p className={classes.text}>{ROLE_EFFECTS[change][role](personName(user))}</p>
      {user.displayName !== null && user.email !== '' && <p className={classes.who}>{user.email}</p>}
      {note !== undefined && <p className={classes.text}>{note}</p>}
    </ConfirmModal>
  );
}
