import { useCallback, useState } from 'react';
import { findTimeErrors, type SlotDraft } from '#client/features/missions/create/mission-draft.ts';
import { type MissionDetailDto } from '#shared/schemas/mission-admin.ts';
import { editMissionInput } from '#shared/schemas/mission-edit.ts';
import { changesOf, draftOf, rebase, type EditDraft, type FlightDraft, type PackageDraft } from './mission-edit.ts';

/** Error messages by field: `name`, `startLocal`, `{flight id}.radioFreq`, `{slot key}.slotCount`. */
export type EditErrors = Readonly<Record<string, string>>;

/** State of the edit form: base version, draft, errors. */
export function useEditDraft(mission: MissionDetailDto, timeZone: string) {
  const [base, setBase] = useState(() => ({ version: mission.version, draft: draftOf(mission, timeZone) }));
  const [draft, setDraft] = useState(base.draft);
  const [errors, setErrors] = useState<EditErrors>({});
  const payload = changesOf(base.draft, draft, timeZone);
  const read = editMissionInput.safeParse({ id: mission.id, version: base.version, ...payload });

  // Stable, so that typing in one field does not re-render up to sixty flights.
  const changeFlight = useCallback(
    (id: string, change: Partial<FlightDraft>): void =>
      setDraft((values) => ({
        ...values,
        flights: values.flights.map((flight) => (flight.id === id ? { ...flight, ...change } : flight)),
      })),
    [],
  );

  return {
    base: base.draft,
    draft,
    errors,
    isDirty: Object.keys(payload).length > 0,
    /** the call's input; null while a field is invalid */
    input: read.success ? read.data : null,
    change: (change: Partial<EditDraft>): void => setDraft((values) => ({ ...values, ...change })),
    changeFlight,
    changePackage: (id: string, change: Partial<PackageDraft>): void =>
      setDraft((values) => ({
        ...values,
        packages: values.packages.map((one) => (one.id === id ? { ...one, ...change } : one)),
      })),
    changeSlot: (key: string, change: Partial<SlotDraft>): void =>
      setDraft((values) => ({
        ...values,
        added: values.added.map((slot) => (slot.key === key ? { ...slot, ...change } : slot)),
      })),
    /** Rebases the draft on a newer version of the mission. */
    standOn: (newer: MissionDetailDto): void => {
      const fresh = draftOf(newer, timeZone);
      setBase({ version: newer.version, draft: fresh });
      setDraft((values) => rebase(base.draft, values, fresh));
    },
    /** @returns the call's input, or the first validation message, which is also shown at its field */
    check: () => {
      if (read.success) {
        setErrors({});
        return { input: read.data };
      }
      const issues = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
      const refused = { ...errorsByPlace(issues, payload, draft), ...findTimeErrors(draft) };
      setErrors(refused);
      return { problem: Object.values(refused)[0] ?? '' };
    },
    /** Shows the server's messages at their fields. */
    refuse: (issues: readonly { path: string; message: string }[]): void =>
      setErrors(errorsByPlace(issues, payload, draft)),
  };
}

/** Maps the call's indexes of flights and slots to the form's keys. */
function errorsByPlace(
  issues: readonly { path: string; message: string }[],
  payload: ReturnType<typeof changesOf>,
  draft: EditDraft,
): EditErrors {
  return Object.fromEntries(
    issues.map(({ path, message }) => {
      const [list = '', index = '', ...field] = path.split('.');
      const owner =
        list === 'flights'
          ? payload.flights?.[Number(index)]?.id
          : list === 'packages'
            ? payload.packages?.[Number(index)]?.id
            : list === 'addAircraftSlots'
              ? draft.added[Number(index)]?.key
              : undefined;
      return [owner === undefined ? path : [owner, ...field].join('.'), message];
    }),
  );
}
