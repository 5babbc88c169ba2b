import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { FileDrop } from '#client/components/file-drop.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { uploadMissionFile, UploadRefused } from '#client/lib/upload-mission-file.ts';
import { copy } from '#shared/copy.ts';
import type { UploadedMissionFile } from '#shared/schemas/mission-file.ts';
import type { MissionDraft } from './mission-draft.ts';
import classes from './mission-file-panel.module.css';

const FileFound = lazyPart(
  () => import('./mission-file-found.tsx'),
  (part) => part.MissionFileFound,
);

interface MissionFilePanelProps {
  draft: MissionDraft;
  onFill: (values: Partial<MissionDraft>) => void;
}

/** Panel that reads a mission file of DCS World and fills in the form from it. */
export function MissionFilePanel({ draft, onFill }: MissionFilePanelProps) {
  const [file, setFile] = useState<UploadedMissionFile | null>(null);
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const read = async (chosen: File): Promise<void> => {
    setError(null);
    setReading(true);
    try {
      setFile(await uploadMissionFile(chosen));
    } catch (cause) {
      setError(cause instanceof UploadRefused ? cause.message : copy.unknownError);
    } finally {
      setReading(false);
    }
  };
  return (
    <Panel
      title="From a mission file"
      actions={
        file !== null && (
          <Button variant="subtle" size="xs" onClick={() => setFile(null)}>
            Choose another file
          </Button>
        )
      }
    >
      <FormError message={error} />
      {file !== null ? (
        <Suspense fallback={<p className={classes.note}>Loading...</p>}>
          <FileFound
            file={file}
            draft={draft}
            onFill={(values) => {
              onFill(values);
              setFile(null);
            }}
          />
        </Suspense>
      ) : (
        <>
          {draft.missionFile !== null && (
            <p className={classes.kept} role="status">
              <span>
                The form is filled in from <strong>{draft.missionFile.name}</strong>, which is kept with the mission.
              </span>
              <Button variant="subtle" color="gray" size="xs" onClick={() => onFill({ missionFile: null })}>
                Do not keep it
              </Button>
            </p>
          )}
          <FileDrop
            label="Mission file"
            title={isReading ? 'Reading the file...' : 'Choose a .miz file, or drop it here'}
            hint="From the mission editor of DCS World, at most 50 MB"
            icon={<IconFileImport size={28} aria-hidden="true" />}
            accept=".miz"
            disabled={isReading}
            onFile={(chosen) => void read(chosen)}
          />
        </>
      )}
    </Panel>
  );
}
