import { Button, NativeSelect, TextInput } from '@mantine/core';
// oxlint-disable-next-line no-restricted-imports -- it is sent in two ways, and checks times that the call does not have
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { Panel } from '#client/components/panel.tsx';
import { focusFirstError, showServerError } from '#client/lib/form-errors.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { RivalDraftDto } from '#shared/schemas/mission-plan.ts';
import { createMissionInput, type CreatedMissionDto } from '#shared/schemas/missions.ts';
import { THEATERS } from '#shared/vocabulary.ts';
import { LinksField } from '#client/features/missions/links-field.tsx';
import { NotesField } from '#client/features/missions/notes-field.tsx';
import { SecretSidesField } from '#client/features/missions/secret-sides-field.tsx';
import { ServersField } from '#client/features/missions/servers-field.tsx';
import { DryRunPanel } from './dry-run-panel.tsx';
import { findTimeErrors, payloadOf, type MissionDraft } from './mission-draft.ts';
import { MissionFilePanel } from './mission-file-panel.tsx';
import { MissionPreview } from './mission-preview.tsx';
import { MissionTimesFields } from './mission-times-fields.tsx';
import { SlotsPanel } from './slots-panel.tsx';
import type { Together } from '#client/features/missions/week-plan/together-note.tsx';
import { useCreateMission } from './use-create-mission.ts';
import classes from './mission-form.module.css';
import type { Told } from '#client/lib/failure.ts';

export interface MissionFormProps {
  aircraft: readonly AircraftDto[];
  /** initial values; later changes are ignored */
  initial: MissionDraft;
  /** the viewer's zone, shown next to the times and sent with them */
  timeZone: string;
  /** @param together result of publishing it with other drafts; null when it was created alone */
  onCreated: (created: CreatedMissionDto, together: Together | null) => void;
}

const checkMission = schemaResolver(createMissionInput, { sync: true });

/** Create form with preview and dry run. */
export function MissionForm({ aircraft, initial, timeZone, onCreated }: MissionFormProps) {
  const [error, setError] = useState<Told>(null);
  const form = useForm<MissionDraft>({
    mode: 'controlled',
    initialValues: initial,
    validate: (draft) => ({ ...checkMission(payloadOf(draft, timeZone)), ...findTimeErrors(draft) }),
  });
  const create = useCreateMission({
    onCreated,
    onError: (cause) => setError(showServerError(form, cause, copy.unknownError, 'Error: ')),
  });
  const draft = form.values;
  const slots = draft.aircraftSlots;
  const isDraftPending =
    create.isPending && create.variables.request.publish === false && create.variables.rivals.length === 0;

  /**
   * @param publish false creates a draft: no orders go out, and pilots do not see it
   * @param rivals drafts to publish together with the new draft
   */
  const send = (publish: boolean, rivals: readonly RivalDraftDto[] = []) =>
    form.onSubmit(
      (values) => {
        if (create.isPending) {
          return;
        }
        setError(null);
        create.mutate({
          request: createMissionInput.parse({ ...payloadOf(values, timeZone), ...(!publish && { publish: false }) }),
          rivals,
        });
      },
      (errors) => {
        const about = errors['aircraftSlots'];
        setError(typeof about === 'string' ? `Error: ${about}` : null);
        focusFirstError(form)(errors);
      },
    );
  const setTimes = (times: Partial<MissionDraft>) => {
    for (const [field, value] of Object.entries(times)) {
      form.setFieldValue(field, value);
    }
  };

  return (
    <form noValidate className={classes.layout} onSubmit={send(true)}>
      <LeaveGuard isDirty={form.isDirty() && !create.isSuccess} bySearch>
        This mission has not been created yet.
      </LeaveGuard>
      <div className={classes.sections}>
        <FormError message={error} />
        <MissionFilePanel draft={draft} onFill={(values) => form.setValues(values)} />
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
              onChange={setTimes}
            />
            {MISSION_TEXT_KEYS.map((key) => (
              <NotesField
                key={key}
                className={classes.whole}
                label={MISSION_TEXTS[key].words}
                rows={MISSION_TEXTS[key].rows}
                value={draft[key]}
                error={form.errors[key]}
                data-path={key}
                onChange={(text) => form.setFieldValue(key, text)}
              />
            ))}
            <LinksField
              className={classes.whole}
              links={draft.links}
              errors={form.errors}
              onChange={(links) => form.setFieldValue('links', links)}
            />
            <ServersField
              className={classes.whole}
              guildIds={draft.guildIds}
              onChange={(guildIds) => form.setFieldValue('guildIds', guildIds)}
            />
            <SecretSidesField
              className={classes.whole}
              secretSides={draft.secretSides}
              sides={draft.aircraftSlots.map(({ side }) => side)}
              onChange={(secretSides) => form.setFieldValue('secretSides', secretSides)}
            />
          </div>
        </Panel>
        <SlotsPanel
          slots={slots}
          aircraft={aircraft}
          errors={form.errors}
          onAdd={(slot) => form.insertListItem('aircraftSlots', slot)}
          onChange={(index, change) => {
            for (const [field, value] of Object.entries(change)) {
              form.setFieldValue(`aircraftSlots.${index}.${field}`, value);
            }
          }}
          onRemove={(index) => form.removeListItem('aircraftSlots', index)}
        />
      </div>
      <aside className={classes.preview} aria-label="Preview of the mission">
        <div className={classes.card}>
          <MissionPreview draft={draft} aircraft={aircraft} timeZone={timeZone} />
        </div>
        <DryRunPanel
          draft={draft}
          timeZone={timeZone}
          onUse={setTimes}
          onTogether={(rivals) => send(false, rivals)()}
          isSending={create.isPending}
        />
      </aside>
      <div className={classes.submit}>
        <Button
          variant="default"
          className={classes.create}
          disabled={slots.length === 0 || create.isPending}
          onClick={() => send(false)()}
        >
          {isDraftPending ? 'Saving...' : 'Save as draft'}
        </Button>
        <Button type="submit" className={classes.create} disabled={slots.length === 0 || create.isPending}>
          {create.isPending && !isDraftPending ? 'Creating Mission...' : 'Create Mission'}
        </Button>
      </div>
    </form>
  );
}
