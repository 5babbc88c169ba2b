import { useState } from 'react';
import { errorCode, errorMessage } from '#client/lib/errors.ts';
import { useMergeViewer, useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { ProficiencyDto } from '#shared/schemas/profile.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import { changesOf, type AircraftDraft } from './aircraft-draft.ts';
import { aircraftCopy } from './aircraft-text.ts';

interface AircraftEditing {
  draft: AircraftDraft;
  changes: number;
  isSaving: boolean;
  set: (aircraftId: number, level: ProficiencyLevel | null) => void;
  /** @returns the sentence of the first refusal, or null; refused changes stay in the draft */
  save: () => Promise<string | null>;
}

const NO_CHANGES: AircraftDraft = new Map();

/**
 * Unsaved changes to the pilot's aircraft. Saving makes one call per row, batched in one request.
 * @param suggested changes to begin with, which may become known later; the pilot's own change replaces them
 */
export function useAircraftDraft(
  saved: readonly ProficiencyDto[],
  suggested: AircraftDraft = NO_CHANGES,
): AircraftEditing {
  const { id } = useSignedInViewer();
  const trpcUtils = trpc.useUtils();
  const mergeViewer = useMergeViewer();
  const [edited, setDraft] = useState<AircraftDraft | null>(null);
  const draft = edited ?? suggested;
  const [isSaving, setSaving] = useState(false);
  const put = trpc.pilot.setProficiency.useMutation();
  const remove = trpc.pilot.removeProficiency.useMutation();
  const changes = changesOf(saved, draft);

  const save = async (): Promise<string | null> => {
    setSaving(true);
    const results = await Promise.all(
      changes.map(({ aircraftId, level }) =>
        (level === null ? remove.mutateAsync({ id, aircraftId }) : put.mutateAsync({ id, aircraftId, level })).then(
          () => ({ aircraftId, error: null }),
          (error: unknown) => ({ aircraftId, error }),
        ),
      ),
    );
    // accepted missions show the pilot's level, and open seats depend on the list
    await Promise.all([
      trpcUtils.pilot.proficiencies.invalidate(),
      trpcUtils.pilot.accepted.invalidate(),
      trpcUtils.pilot.seats.invalidate(),
    ]);
    const stored = new Set(saved.map(({ aircraftId }) => aircraftId));
    changes.forEach(({ aircraftId, level }, index) => {
      if (results[index]?.error !== null) return;
      if (level === null) stored.delete(aircraftId);
      else stored.add(aircraftId);
    });
    mergeViewer({ id, listsAircraft: stored.size > 0 });
    // A level that an admin set meanwhile is not kept in the draft, so the list shows it.
    const kept = results.filter(({ error }) => error !== null && errorCode(error) !== 'LEVEL_SET_BY_ADMIN');
    setDraft(new Map([...draft].filter(([aircraftId]) => kept.some((one) => one.aircraftId === aircraftId))));
    setSaving(false);
    const refused = results.find(({ error }) => error !== null);
    return refused ? errorMessage(refused.error, aircraftCopy.saveFailed) : null;
  };

  return {
    draft,
    changes: changes.length,
    isSaving,
    set: (aircraftId, level) => setDraft(new Map(draft).set(aircraftId, level)),
    save,
  };
}
