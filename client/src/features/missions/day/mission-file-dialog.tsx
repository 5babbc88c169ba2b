import { Button } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { FileDrop } from '#client/components/file-drop.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { MisfitList } from '#client/features/missions/edit/misfit-list.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { uploadMissionFile, UploadRefused } from '#client/lib/upload-mission-file.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { copy } from '#shared/copy.ts';
import type { MissionFileChanges, MissionFileVersions } from '#shared/schemas/mission-file.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { count } from '#shared/plural.ts';
import { SLOTS } from '#shared/slots.ts';
import classes from './mission-file-dialog.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface MissionFileDialogProps {
  mission: MissionDto;
  timeZone: string;
  /** false when the mission is over: its file can only be downloaded */
  canChange: boolean;
  /** called with a sentence about the result */
  onDone: (said: string) => void;
  onClose: () => void;
}

/** A changed file that was read, and what it would mean. */
interface Changed {
  id: string;
  name: string;
  changes: MissionFileChanges;
}

/** The mission file of a mission: downloads, its versions, and a changed file with its differences. */
export function MissionFileDialog({ mission, timeZone, canChange, onDone, onClose }: MissionFileDialogProps) {
  const [changed, setChanged] = useState<Changed | null>(null);
  const files = trpc.admin.mission.files.useQuery({ id: mission.id });
  const hasFile = (files.data ?? []).length > 0;
  return (
    <Dialog opened title={`Files of ${mission.name}`} onClose={onClose}>
      {changed === null ? (
        <>
          <FormError message={files.error && failureOf(files.error, copy.unknownError)} />
          <Downloads mission={mission} hasFile={hasFile} />
          {files.data !== undefined && <Versions versions={files.data} timeZone={timeZone} />}
          {hasFile && canChange && <ChangedFile missionId={mission.id} onRead={setChanged} />}
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </DialogButtons>
        </>
      ) : (
        <Differences missionId={mission.id} changed={changed} onDone={onDone} onBack={() => setChanged(null)} />
      )}
    </Dialog>
  );
}

function Downloads({ mission: { id }, hasFile }: { mission: MissionDto; hasFile: boolean }) {
  const fileOf = (name: string): string => `/api/v1/admin/missions/${id}/${name}`;
  const links = [
    ...(hasFile ? [{ href: fileOf('mission.miz'), label: 'Mission file with pilots' }] : []),
    { href: fileOf('line-up.csv'), label: 'Line-up as CSV' },
    { href: fileOf('line-up.txt'), label: 'Line-up as text' },
    ...(hasFile ? [{ href: '/marshal-slots.lua', label: 'Hook for the game server' }] : []),
  ];
  return (
    <>
      <div className={classes.downloads}>
        {links.map(({ href, label }) => (
          <Button
            key={href}
            component="a"
            href={href}
            download
            variant="default"
            size="xs"
            leftSection={<IconDownload {...ICON} />}
          >
            {label}
          </Button>
        ))}
      </div>
      {hasFile && (
        <p className={classes.note}>
          On a game server with the hook, each cockpit is kept for its pilot until {SLOTS.minutesKept} minutes after the
          start. server/missions/cockpit/README.md says how to install it.
        </p>
      )}
    </>
  );
}

function Versions({ versions, timeZone }: { versions: MissionFileVersions; timeZone: string }) {
  if (versions.length === 0) return <p className={classes.note}>{copy.missionHasNoFile}</p>;
  return (
    <ol className={classes.versions} reversed start={versions[0]?.version} aria-label="Versions">
      {versions.map(({ version, name, uploadedByName, uploadedAt }) => (
        <li key={version}>
          {name}, by {uploadedByName} on {formatShortDate(uploadedAt, timeZone)}
        </li>
      ))}
    </ol>
  );
}

function ChangedFile({ missionId, onRead }: { missionId: string; onRead: (changed: Changed) => void }) {
  const [error, setError] = useState<Told>(null);
  const [isReading, setReading] = useState(false);
  const compare = trpc.admin.mission.fileChanges.useMutation();
  const read = async (chosen: File): Promise<void> => {
    setError(null);
    setReading(true);
    try {
      const { id, name } = await uploadMissionFile(chosen);
      onRead({ id, name, changes: await compare.mutateAsync({ id: missionId, fileId: id }) });
    } catch (cause) {
      setError(cause instanceof UploadRefused ? cause.message : errorMessage(cause, copy.unknownError));
    } finally {
      setReading(false);
    }
  };
  return (
    <div className={classes.change}>
      <FormError message={error} />
      <FileDrop
        label="Changed mission file"
        title={isReading ? 'Reading the file...' : 'Choose a changed .miz file, or drop it here'}
        hint="The differences are shown before anything changes"
        icon={<IconFileImport size={28} aria-hidden="true" />}
        accept=".miz"
        disabled={isReading}
        onFile={(chosen) => void read(chosen)}
      />
    </div>
  );
}

interface DifferencesProps {
  missionId: string;
  changed: Changed;
  onDone: (said: string) => void;
  onBack: () => void;
}

/** The differences of a changed file, the pilots who would lose their seat, and the button that brings it in. */
function Differences({ missionId, changed, onDone, onBack }: DifferencesProps) {
  const { name, changes } = changed;
  const utils = trpc.useUtils();
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<Told>(null);
  const apply = trpc.admin.mission.applyFile.useMutation({
    onSuccess: ({ askedAgain, told, freed }) => {
      void utils.admin.invalidate();
      const said = [
        askedAgain > 0 && `${count(askedAgain, 'pilot')} asked again`,
        told > 0 && `${count(told, 'pilot')} notified`,
        freed > 0 && `${count(freed, 'seat')} freed`,
      ].filter((part) => part !== false);
      onDone(`The file ${name} is kept${said.length > 0 ? `: ${said.join(', ')}` : ''}.`);
    },
    onError: (cause) => setError(failureOf(cause, copy.unknownError)),
  });
  return (
    <>
      <FormError message={error} />
      {changes.changes.length === 0 ? (
        <p className={classes.note}>{name} has the same seats. It is kept as the next version.</p>
      ) : (
        <ul className={classes.list} aria-label="Differences">
          {changes.changes.map(({ sentence }) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {changes.problems.length > 0 && (
        <ul className={classes.list} aria-label="Problems">
          {changes.problems.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {changes.misfits.length > 0 && (
        <MisfitList
          misfits={changes.misfits}
          kept={kept}
          onKeep={(userId, isKept) =>
            setKept(new Set(isKept ? [...kept, userId] : [...kept].filter((id) => id !== userId)))
          }
        />
      )}
      <DialogButtons>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button
          loading={apply.isPending}
          onClick={() => {
            setError(null);
            const { version } = changes;
            apply.mutate({ id: missionId, fileId: changed.id, version, keepPilotIds: [...kept] });
          }}
        >
          {changes.changes.length === 0 ? 'Keep this file' : 'Apply the differences'}
        </Button>
      </DialogButtons>
    </>
  );
}
