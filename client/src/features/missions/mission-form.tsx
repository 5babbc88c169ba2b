import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { focusFirstError, showServerError } from '#client/lib/form.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_SEATS_MAX } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { createMissionInput, type CreatedMissionDto } from '#shared/schemas/missions.ts';
import { THEATERS } from '#shared/vocabulary.ts';
import { AircraftSlotRow } from './aircraft-slot-row.tsx';
import { countSeats, newDraft, newSlot, payloadOf, type MissionDraft, type SlotDraft } from './mission-draft.ts';
import { MissionPreview } from './mission-preview.tsx';
import type { MissionSearch } from './mission-search.ts';
import { MissionTimesFields } from './mission-times-fields.tsx';
import classes from './mission-form.module.css';

interface MissionFormProps {
  aircraft: readonly AircraftDto[];
  search: MissionSearch;
  onCreated: (created: CreatedMissionDto) => void;
}

const checkMission = schemaResolver(createMissionInput, { sync: true });

/** The create form. Its times are the viewer's; the zone is named beside them and sent with them. */
export function MissionForm({ aircraft, search, onCreated }: MissionFormProps) {
  const { timeZone } = useSignedInViewer();
  const now = useNow();
  const utils = trpc.useUtils();
  const [error, setError] = useState<string | null>(null);
  const form = useForm<MissionDraft>({
    mode: 'controlled',
    initialValues: newDraft(search, timeZone, now),
    validate: (draft) => checkMission(payloadOf(draft, timeZone)),
  });
  const create = trpc.admin.createMission.useMutation({
    onSuccess: (created) => {
      void utils.admin.invalidate();
      void utils.pilot.invalidate();
      onCreated(created);
    },
    onError: (cause) => setError(`Error: ${showServerError(form, cause, copy.unknownError)}`),
  });
  const draft = form.values;
  const slots = draft.aircraftSlots;
  const seats = countSeats(slots);

  const list = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);

  const submit = form.onSubmit(
    (values) => {
      if (create.isPending) {
        return;
      }
      setError(null);
      create.mutate(createMissionInput.parse(payloadOf(values, timeZone)));
    },
    (errors) => {
      const about = errors['aircraftSlots'];
      setError(typeof about === 'string' ? `Error: ${about}` : null);
      focusFirstError(form)(errors);
    },
  );

  return (
    <form noValidate className={classes.layout} onSubmit={submit}>
      <div className={classes.sections}>
        <FormError message={error} />
        <Panel title="Mission">
          <div className={classes.mission}>
            <TextInput label="Mission name" required autoComplete="off" {...form.getInputProps('name')} />
            <NativeSelect
              label="Theater"
              required
              data={[{ value: '', label: 'Select a theater' }, ...THEATERS]}
              {...form.getInputProps('theater')}
            />
            <MissionTimesFields
              draft={draft}
              timeZone={timeZone}
              errors={{ start: form.errors['startLocal'], end: form.errors['endLocal'] }}
              onChange={(times) => {
                for (const [field, value] of Object.entries(times)) {
                  form.setFieldValue(field, value);
                }
              }}
            />
            <Textarea className={classes.whole} label="Notes" rows={3} {...form.getInputProps('notes')} />
          </div>
        </Panel>
        <Panel
          title="Aircraft Slots"
          flush
          actions={
            <span className={classes.total} data-over={seats > MISSION_SEATS_MAX || undefined}>
              total {seats} {seats === 1 ? 'seat' : 'seats'}
              {seats > MISSION_SEATS_MAX && `, at most ${MISSION_SEATS_MAX}`}
            </span>
          }
        >
          <div ref={list}>
            {slots.length === 0 && (
              <p className={classes.empty}>
                No aircraft slots defined. Add at least one aircraft to create the mission.
              </p>
            )}
            {slots.map((slot, index) => (
              <AircraftSlotRow
                key={slot.key}
                number={index + 1}
                slot={slot}
                aircraft={aircraft}
                errors={{
                  aircraftId: form.errors[`aircraftSlots.${index}.aircraftId`],
                  slotCount: form.errors[`aircraftSlots.${index}.slotCount`],
                  additionalNotes: form.errors[`aircraftSlots.${index}.additionalNotes`],
                }}
                onChange={(change: Partial<SlotDraft>) => {
                  for (const [field, value] of Object.entries(change)) {
                    form.setFieldValue(`aircraftSlots.${index}.${field}`, value);
                  }
                }}
                onRemove={() => {
                  form.removeListItem('aircraftSlots', index);
                  addButton.current?.focus();
                }}
              />
            ))}
          </div>
          <div className={classes.add}>
            <Button
              ref={addButton}
              variant="light"
              disabled={aircraft.length === 0}
              leftSection={<IconPlus size={18} stroke={1.75} aria-hidden="true" />}
              onClick={() => {
                // The new row takes the focus, so that the keyboard goes on where the eye is.
                flushSync(() => form.insertListItem('aircraftSlots', newSlot(aircraft)));
                list.current?.querySelector<HTMLElement>('fieldset:last-of-type select')?.focus();
              }}
            >
              Add Aircraft
            </Button>
            {aircraft.length === 0 && <span>There are no aircraft to choose from.</span>}
          </div>
        </Panel>
        <div className={classes.submit}>
          <Button type="submit" className={classes.create} disabled={slots.length === 0 || create.isPending}>
            {create.isPending ? 'Creating Mission...' : 'Create Mission'}
          </Button>
        </div>
      </div>
      <aside className={classes.preview} aria-label="Preview of the mission">
        <MissionPreview draft={draft} aircraft={aircraft} timeZone={timeZone} />
      </aside>
    </form>
  );
}
