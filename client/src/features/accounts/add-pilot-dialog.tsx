import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogButtons, DialogForm } from '#client/components/dialog.tsx';
import { ShownOnce } from '#client/components/shown-once.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { byColumn, PILOT_COLUMN_KEYS, PILOT_COLUMNS, PILOT_HEADERS, type PilotCells } from '#shared/pilot-sheet.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { importCopy } from './import-text.ts';
import { usersCopy } from './users-text.ts';
import classes from './dialogs.module.css';

/** A new pilot, and the personal link if there is an email to sign in with. */
interface Added {
  name: string;
  url: string | null;
}

/** Adds one pilot by the same path as a spreadsheet of one row. @throws Error with the sentence of its problem */
async function addPilot(cells: PilotCells): Promise<Added> {
  const { unparse } = await import('papaparse');
  const text = unparse([PILOT_HEADERS, PILOT_COLUMN_KEYS.map((key) => cells[key])]);
  const { rows, problem } = await trpcClient.admin.spreadsheet.preview.mutate({ text });
  const [row] = rows;
  if (!row || row.problem !== null) throw new Error(row?.problem ?? problem ?? copy.unknownError);
  if (row.state !== 'create') throw new Error(importCopy.known);
  const { created } = await trpcClient.admin.spreadsheet.import.mutate({
    importId: crypto.randomUUID(),
    rows: [{ row: row.row, cells: row.cells, digest: row.digest }],
  });
  const id = created[0]?.userId;
  const links = row.needsPassword && id !== undefined ? await trpcClient.admin.passwordLinks.mutate({ ids: [id] }) : [];
  return { name: cells.callSign || cells.email, url: links[0]?.url ?? null };
}

/** Dialog that adds one pilot, and shows the personal link once. */
export function AddPilotDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const viewer = useSignedInViewer();
  const [cells, setCells] = useState<PilotCells>(() =>
    byColumn((column) => (column === 'timeZone' ? viewer.timeZone : '')),
  );
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [added, setAdded] = useState<Added | null>(null);
  const field = (key: keyof PilotCells) => ({
    label: PILOT_COLUMNS[key].header,
    value: cells[key],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setCells({ ...cells, [key]: currentTarget.value }),
  });
  const submit = async (): Promise<void> => {
    setError(null);
    setBusy(true);
    try {
      setAdded(await addPilot(cells));
      void utils.admin.audit.invalidate();
      await utils.admin.users.invalidate();
    } catch (cause) {
      setError(errorMessage(cause, cause instanceof Error ? cause.message : copy.unknownError));
    } finally {
      setBusy(false);
    }
  };
  if (added !== null) {
    return (
      <Dialog opened title={`${added.name} is added`} onClose={onClose}>
        {added.url === null ? (
          <p className={classes.text}>{importCopy.byDiscord}</p>
        ) : (
          <>
            <p className={classes.text}>{usersCopy.linkMeaning(added.name)}</p>
            <ShownOnce
              label="Personal link"
              description={usersCopy.linkOnce}
              secret={added.url}
              copyLabel="Copy link"
              copiedLabel="Link copied"
            />
          </>
        )}
        <DialogButtons>
          <Button onClick={onClose}>Done</Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog opened title="Add pilot" onClose={onClose}>
      <DialogForm
        error={error}
        onClose={onClose}
        submit="Add Pilot"
        isBusy={isBusy}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={classes.fields}>
          <TextInput autoComplete="off" {...field('callSign')} />
          <TextInput type="email" autoComplete="off" {...field('email')} />
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            description="Instead of an email, or beside it."
            {...field('discordId')}
          />
          <NativeSelect data={[...new Set([viewer.timeZone, ...TIME_ZONES])]} {...field('timeZone')} />
          <TextInput
            autoComplete="off"
            description="Such as F-16C: expert; A-10C II: learning"
            {...field('aircraft')}
          />
          <TextInput
            autoComplete="off"
            description="In the pilot's zone, such as Mon 19:00-22:00; Sat 20:00-01:00"
            {...field('weeklyTimes')}
          />
        </div>
      </DialogForm>
    </Dialog>
  );
}
