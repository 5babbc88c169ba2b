import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { ShownOnce } from '#client/components/shown-once.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import { personName, usersCopy } from './users-text.ts';
import classes from './dialogs.module.css';

/** Dialog that makes a personal link with which a user sets a password, and shows it once. */
export function LinkDialog({ user, onClose }: { user: UserDto; onClose: () => void }) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const make = trpc.admin.passwordLinks.useMutation({
    onSuccess: () => void utils.admin.audit.invalidate(),
    onError: (cause) => setError(failureOf(cause, copy.unknownError, usersCopy.linkFailed)),
  });
  const name = personName(user);
  const url = make.data?.[0]?.url;
  const canHave = user.email !== '';
  return (
    <Dialog opened title={`Sign-in link for ${name}`} onClose={onClose}>
      <FormError message={error} />
      <p className={classes.text}>{canHave ? usersCopy.linkMeaning(name) : copy.resetWithoutEmail}</p>
      {url !== undefined && (
        <ShownOnce
          label="Personal link"
          description={usersCopy.linkOnce}
          secret={url}
          copyLabel="Copy link"
          copiedLabel="Link copied"
        />
      )}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {url === undefined ? 'Close' : 'Done'}
        </Button>
        {url === undefined && canHave && (
          <Button
            loading={make.isPending}
            onClick={() => {
              setError(null);
              make.mutate({ ids: [user.id] });
            }}
          >
            Make link
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
