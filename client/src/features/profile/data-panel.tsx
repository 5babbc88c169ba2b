import { Button, TextInput } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { Panel } from '#client/components/panel.tsx';
import { PasswordField } from '#client/components/password-field.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { useSignedInViewer, viewerQuery } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { DELETION_DAYS } from '#shared/limits.ts';
import classes from './data-panel.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** Panel that downloads the account's data and deletes the account. */
export function DataPanel() {
  const [isAsking, setAsking] = useState(false);
  const deletion = trpc.auth.deletion.useQuery();
  const isLeaving = Boolean(deletion.data?.dueAt);
  return (
    <Panel anchor="data" title="Your data">
      <p className={classes.text}>
        Download everything Marshal stores about you, as a JSON file: account, times, aircraft, orders and answers.
      </p>
      <div className={classes.buttons}>
        <Button
          component="a"
          href="/api/v1/auth/data.json"
          download="marshal-data.json"
          variant="default"
          leftSection={<IconDownload {...ICON} />}
        >
          Download your data
        </Button>
        {!isLeaving && (
          <Button variant="subtle" color="red" leftSection={<IconTrash {...ICON} />} onClick={() => setAsking(true)}>
            Delete account…
          </Button>
        )}
      </div>
      {isAsking && <DeletionDialog onClose={() => setAsking(false)} />}
    </Panel>
  );
}

/** Dialog that asks for the password, or for the call sign of an account without one, and requests the deletion. */
function DeletionDialog({ onClose }: { onClose: () => void }) {
  const { displayName } = useSignedInViewer();
  const client = useQueryClient();
  const utils = trpc.useUtils();
  const deletion = trpc.auth.deletion.useQuery();
  const [proof, setProof] = useState('');
  const request = trpc.auth.requestDeletion.useMutation({
    onSuccess: async (answer) => {
      utils.auth.deletion.setData(undefined, answer);
      await client.invalidateQueries({ queryKey: viewerQuery.queryKey });
      onClose();
    },
  });
  const hasPassword = deletion.data?.hasPassword ?? true;
  const error = request.error && failureOf(request.error, copy.unknownError);
  return (
    <Dialog opened title="Delete your account?" onClose={onClose}>
      <DialogForm
        error={error}
        onClose={onClose}
        submit="Delete account"
        color="red"
        disabled={proof === '' || deletion.isPending}
        isBusy={request.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          request.mutate(hasPassword ? { currentPassword: proof } : { confirmation: proof });
        }}
      >
        <ul className={classes.consequences}>
          <li>You lose your seats now, and get no more orders.</li>
          <li>For {DELETION_DAYS} days you can sign in and keep the account.</li>
          <li>
            After that your call sign, email, times, aircraft and Discord link are erased for good. Missions you flew
            keep “former pilot”.
          </li>
        </ul>
        {hasPassword ? (
          <PasswordField
            label="Password"
            autoComplete="current-password"
            toggles="password"
            value={proof}
            onChange={({ currentTarget }) => setProof(currentTarget.value)}
          />
        ) : (
          <TextInput
            label={
              displayName === null ? 'Type “delete” to confirm' : `Type your call sign, ${displayName}, to confirm`
            }
            autoComplete="off"
            value={proof}
            onChange={({ currentTarget }) => setProof(currentTarget.value)}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
