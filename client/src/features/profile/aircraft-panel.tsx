import { useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { mergeDraft } from '#client/domain-ui/aircraft-list/aircraft-draft.ts';
import { AircraftList } from '#client/domain-ui/aircraft-list/aircraft-list.tsx';
import { aircraftCopy } from '#client/domain-ui/aircraft-list/aircraft-text.ts';
import { useAircraftDraft } from '#client/domain-ui/aircraft-list/use-aircraft-draft.ts';
import { isAdmin, useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { ProficiencyDto } from '#shared/schemas/profile.ts';
import { SaveRow } from './save-row.tsx';
import { useReportUnsaved } from './unsaved.ts';

/** Panel of the pilot's aircraft and levels. */
export function AircraftPanel() {
  const { id } = useSignedInViewer();
  const proficiencies = trpc.pilot.proficiencies.useQuery({ id });
  const catalogue = trpc.availability.aircraft.useQuery({ activeOnly: true });
  return (
    <Panel anchor="aircraft" title="Aircraft I fly">
      <Loaded query={proficiencies} loading={aircraftCopy.loading} failure={aircraftCopy.loadFailed}>
        {(saved) => <AircraftForm saved={saved} catalogue={catalogue.data ?? []} />}
      </Loaded>
    </Panel>
  );
}

interface AircraftFormProps {
  saved: readonly ProficiencyDto[];
  catalogue: readonly AircraftDto[];
}

function AircraftForm({ saved, catalogue }: AircraftFormProps) {
  const viewer = useSignedInViewer();
  const { draft, changes, isSaving, set, save } = useAircraftDraft(saved);
  const [error, setError] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  useReportUnsaved('Aircraft I fly', changes > 0);

  const submit = async (): Promise<void> => {
    setError(null);
    setResult(null);
    const refusal = await save();
    setError(refusal);
    if (refusal === null) {
      setResult(aircraftCopy.saved);
      showToast(aircraftCopy.saved);
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
      <FormError message={error} />
      <AircraftList
        rows={mergeDraft(saved, draft, catalogue)}
        catalogue={catalogue}
        isAdmin={isAdmin(viewer)}
        onSet={(aircraftId, level) => {
          setResult(null);
          set(aircraftId, level);
        }}
      />
      <SaveRow label="Save Aircraft" isSaving={isSaving} isDirty={changes > 0} unsaved={changes} result={result} />
    </form>
  );
}
