import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogButtons, DialogForm } from '#client/components/dialog.tsx';
import { fieldIssues } from '#client/lib/errors.ts';
import { failureAbove } from '#client/lib/form-errors.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { makePasskey, passkeyFailure } from '#client/lib/passkeys.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { PASSKEY_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { AppDialog } from './app-dialog.tsx';
import { OwnerField } from './owner-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { twoStepCopy } from './two-step-text.ts';
import { useRefreshTwoStep } from './use-refresh-two-step.ts';
import classes from './two-step.module.css';

/** A change of the second factor that is under way. */
export type TwoStepTask =
  | { kind: 'set-up-app' | 'remove-app' | 'add-passkey' | 'new-codes' }
  | { kind: 'rename' | 'remove-passkey'; id: string; name: string };

interface TwoStepDialogProps {
  task: TwoStepTask;
  /** an account without a password confirms changes by a fresh sign-in */
  hasPassword: boolean;
  /** the account has one second factor besides recovery codes */
  isLast: boolean;
  onClose: () => void;
}

/** Dialog for a change of the second factor. */
export function TwoStepDialog({ task, ...rest }: TwoStepDialogProps) {
  const { hasPassword, onClose } = rest;
  switch (task.kind) {
    case 'set-up-app':
      return <AppDialog hasPassword={hasPassword} onClose={onClose} />;
    case 'add-passkey':
      return <PasskeyDialog hasPassword={hasPassword} onClose={onClose} />;
    case 'rename':
      return <RenameDialog id={task.id} name={task.name} onClose={onClose} />;
    case 'new-codes':
      return <NewCodesDialog hasPassword={hasPassword} onClose={onClose} />;
    case 'remove-app':
      return <RemoveDialog title="Remove the authenticator app?" passkeyId={null} {...rest} />;
    case 'remove-passkey':
      return <RemoveDialog title={`Remove ${task.name}?`} passkeyId={task.id} {...rest} />;
  }
}

/** The password as the calls take it. */
const proofOf = (hasPassword: boolean, currentPassword: string) => (hasPassword ? { currentPassword } : {});

interface RemoveDialogProps extends Omit<TwoStepDialogProps, 'task'> {
  title: string;
  /** null for the authenticator app */
  passkeyId: string | null;
}

function RemoveDialog({ title, passkeyId, hasPassword, isLast, onClose }: RemoveDialogProps) {
  const refresh = useRefreshTwoStep();
  const [password, setPassword] = useState('');
  const onSuccess = async (): Promise<void> => {
    await refresh();
    onClose();
  };
  const removeApp = trpc.auth.secondFactor.removeAuthenticator.useMutation({ onSuccess });
  const removePasskey = trpc.auth.secondFactor.removePasskey.useMutation({ onSuccess });
  const remove = passkeyId === null ? removeApp : removePasskey;
  return (
    <Dialog opened title={title} onClose={onClose}>
      <DialogForm
        error={failureAbove(remove.error, twoStepCopy.failed)}
        onClose={onClose}
        submit="Remove"
        color="red"
        isBusy={remove.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          const proof = proofOf(hasPassword, password);
          if (passkeyId === null) removeApp.mutate(proof);
          else removePasskey.mutate({ passkeyId, ...proof });
        }}
      >
        <p className={classes.said}>{isLast ? twoStepCopy.turnsOff : twoStepCopy.otherStays}</p>
        {hasPassword && <OwnerField value={password} onChange={setPassword} cause={remove.error} />}
      </DialogForm>
    </Dialog>
  );
}

function NewCodesDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const refresh = useRefreshTwoStep();
  const [password, setPassword] = useState('');
  const renew = trpc.auth.secondFactor.renewRecoveryCodes.useMutation({
    onSuccess: refresh,
  });
  const codes = renew.data?.recoveryCodes;
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <Dialog opened title="Make new recovery codes?" onClose={onClose}>
      <DialogForm
        error={failureAbove(renew.error, twoStepCopy.failed)}
        onClose={onClose}
        submit="Make new codes"
        isBusy={renew.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          renew.mutate(proofOf(hasPassword, password));
        }}
      >
        <p className={classes.said}>{twoStepCopy.newCodes}</p>
        {hasPassword && <OwnerField value={password} onChange={setPassword} cause={renew.error} />}
      </DialogForm>
    </Dialog>
  );
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog opened title="Your recovery codes" onClose={onClose}>
      <RecoveryCodes codes={codes} />
      <DialogButtons>
        <Button onClick={onClose}>I have saved them</Button>
      </DialogButtons>
    </Dialog>
  );
}

function PasskeyDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const refresh = useRefreshTwoStep();
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState<Told>(null);
  const [isAsking, setAsking] = useState(false);
  const begin = trpc.auth.secondFactor.beginPasskey.useMutation();
  const add = trpc.auth.secondFactor.addPasskey.useMutation({
    onSuccess: async ({ recoveryCodes }) => {
      await refresh();
      if (recoveryCodes === null) onClose();
    },
  });
  const codes = add.data?.recoveryCodes;
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;

  const addFromHere = async (): Promise<void> => {
    setError(null);
    begin.reset();
    setAsking(true);
    try {
      const options = await begin.mutateAsync(proofOf(hasPassword, password));
      await add.mutateAsync({ name: name.trim(), passkey: await makePasskey(options) });
    } catch (cause) {
      if (fieldIssues(cause).length === 0) setError(passkeyFailure(cause));
    } finally {
      setAsking(false);
    }
  };
  const isNameless = fieldIssues(add.error).some(({ path }) => path === 'name');
  return (
    <Dialog opened title="Add a passkey" onClose={onClose}>
      <DialogForm
        error={error}
        onClose={onClose}
        submit="Continue"
        isBusy={isAsking}
        disabled={name.trim() === ''}
        onSubmit={(event) => {
          event.preventDefault();
          void addFromHere();
        }}
      >
        <p className={classes.said}>Your browser then asks for your fingerprint, face, screen lock or security key.</p>
        <TextInput
          label="Name"
          description="So that you recognize it later, such as Laptop or Blue key"
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          autoComplete="off"
          value={name}
          error={isNameless && copy.passkeyNameRequired}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {hasPassword && <OwnerField value={password} onChange={setPassword} cause={begin.error} />}
      </DialogForm>
    </Dialog>
  );
}

function RenameDialog({ id, name: before, onClose }: { id: string; name: string; onClose: () => void }) {
  const refresh = useRefreshTwoStep();
  const [name, setName] = useState(before);
  const rename = trpc.auth.secondFactor.renamePasskey.useMutation({
    onSuccess: async () => {
      await refresh();
      showToast(twoStepCopy.passkeyRenamed);
      onClose();
    },
  });
  return (
    <Dialog opened title={`Rename ${before}`} onClose={onClose}>
      <DialogForm
        error={rename.error && failureOf(rename.error, twoStepCopy.failed)}
        onClose={onClose}
        submit="Rename"
        isBusy={rename.isPending}
        disabled={name.trim() === ''}
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ passkeyId: id, name });
        }}
      >
        <TextInput
          label="Name"
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  );
}
