import { useEffect, useRef, useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { isAdmin, useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { ProficiencyDto } from '#shared/schemas/profile.ts';
import { mergeDraft } from './aircraft-draft.ts';
import { AircraftPicker } from './aircraft-picker.tsx';
import { AircraftRow } from './aircraft-row.tsx';
import { profileCopy } from './profile-text.ts';
import { SaveRow } from './save-row.tsx';
import { useReportUnsaved, type ReportUnsaved } from './unsaved.ts';
import { useAircraftDraft } from './use-aircraft-draft.ts';
import classes from './aircraft-panel.module.css';

/** Panel of the pilot's aircraft and levels. */
export function AircraftPanel({ reportUnsaved }: { reportUnsaved: ReportUnsaved }) {
  const { id } = useSignedInViewer();
  const proficiencies = trpc.pilot.proficiencies.useQuery({ id });
  const catalogue = trpc.availability.aircraft.useQuery({ activeOnly: true });
  return (
    <Panel title="Aircraft I fly">
      <Loaded query={proficiencies} loading={profileCopy.loadingAircraft} failure={profileCopy.aircraftLoadFailed}>
        {(saved) => <AircraftForm saved={saved} catalogue={catalogue.data ?? []} reportUnsaved={reportUnsaved} />}
      </Loaded>
    </Panel>
  );
}

interface AircraftFormProps {
  saved: readonly ProficiencyDto[];
  catalogue: readonly AircraftDto[];
  reportUnsaved: ReportUnsaved;
}

function AircraftForm({ saved, catalogue, reportUnsaved }: AircraftFormProps) {
  const viewer = useSignedInViewer();
  const { draft, changes, isSaving, set, save } = useAircraftDraft(saved);
  const [error, setError] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const rows = mergeDraft(saved, draft, catalogue);
  useReportUnsaved(reportUnsaved, 'Aircraft I fly', changes > 0);

  const list = useRef<HTMLUListElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  /** focus target after the next render: an added row, or the place of a removed one */
  const next = useRef<{ added: number } | { removedAt: number }>(undefined);
  useEffect(() => {
    const step = next.current;
    next.current = undefined;
    if (step === undefined) {
      return;
    }
    const target =
      'added' in step
        ? list.current?.querySelector<HTMLElement>(`[data-aircraft="${step.added}"] select`)
        : list.current?.children[step.removedAt]?.querySelector<HTMLElement>('button');
    (target ?? picker.current)?.focus();
  });

  const submit = async (): Promise<void> => {
    setError(null);
    setResult(null);
    const refusal = await save();
    setError(refusal);
    if (refusal === null) {
      setResult(profileCopy.aircraftSaved);
      showToast(profileCopy.aircraftSaved);
    }
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {rows.length === 0 && (
        <p className={classes.none}>
          No aircraft yet. You count as basic in every aircraft until you add one and set your level.
        </p>
      )}
      <ul ref={list} className={classes.list} aria-label="Aircraft I fly">
        {rows.map((row, index) => (
          <AircraftRow
            key={row.aircraftId}
            row={row}
            isFixed={row.setByAdmin && !isAdmin(viewer)}
            onLevel={(level) => {
              setResult(null);
              set(row.aircraftId, level);
            }}
            onRemove={() => {
              setResult(null);
              next.current = { removedAt: index };
              set(row.aircraftId, null);
            }}
          />
        ))}
      </ul>
      <div>
        <FormError message={error} />
        <AircraftPicker
          ref={picker}
          catalogue={catalogue}
          listed={new Set(rows.map(({ aircraftId }) => aircraftId))}
          onPick={(aircraftId) => {
            setResult(null);
            next.current = { added: aircraftId };
            set(aircraftId, 'basic');
          }}
        />
        <p className={classes.note}>Lead seats go to proficient and expert pilots first.</p>
        <SaveRow label="Save Aircraft" isSaving={isSaving} isDirty={changes > 0} unsaved={changes} result={result} />
      </div>
    </form>
  );
}
