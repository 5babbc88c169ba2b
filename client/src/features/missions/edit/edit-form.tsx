import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { AircraftSlotRow } from '#client/features/missions/create/aircraft-slot-row.tsx';
import { newSlot } from '#client/features/missions/create/mission-draft.ts';
import { MissionTimesFields } from '#client/features/missions/create/mission-times-fields.tsx';
import { useSeriesOf } from '#client/features/missions/series/series-line.tsx';
import { errorCode, fieldIssues } from '#client/lib/errors.ts';
import { failureOf, type Told, showFailure } from '#client/lib/failure.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { isEditable, MISSION_TEXT_KEYS, MISSION_TEXTS, type ChangeField } from '#shared/mission-fields.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { MissionDetailDto, MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { EditedMissionDto } from '#shared/schemas/mission-edit.ts';
import { THEATERS } from '#shared/vocabulary.ts';
import { findConsequences, sayConsequences } from './edit-consequences.ts';
import { LinksField } from '#client/features/missions/links-field.tsx';
import { NotesField } from '#client/features/missions/notes-field.tsx';
import { SecretSidesField } from '#client/features/missions/secret-sides-field.tsx';
import { ServersField } from '#client/features/missions/servers-field.tsx';
import { EndFields } from './end-fields.tsx';
import { FlightFields } from './flight-fields.tsx';
import { MisfitList } from './misfit-list.tsx';
import { PackageFields } from './package-fields.tsx';
import { useEditDraft } from './use-edit-draft.ts';
import { useEditPreview } from './use-edit-preview.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './edit-form.module.css';

interface EditFormProps {
  /** initial state; newer ones come from `onReload` */
  mission: MissionDetailDto;
  aircraft: readonly AircraftDto[];
  orders: readonly MissionOrderDto[];
  timeZone: string;
  onReload: () => Promise<{ newer: MissionDetailDto } | { error: unknown }>;
  onSaved: (edited: EditedMissionDto) => void;
  onClose: () => void;
}

/** Edit form of a mission and its flights, with the consequences for its pilots before saving. */
export function EditForm({ mission, aircraft, orders, timeZone, onReload, onSaved, onClose }: EditFormProps) {
  const utils = trpc.useUtils();
  const form = useEditDraft(mission, timeZone);
  const { draft, errors } = form;
  const [error, setError] = useState<Told>(null);
  const [isStale, setStale] = useState(false);
  const [isRebased, setRebased] = useState(false);
  const series = useSeriesOf(mission.id);
  const [scope, setScope] = useState('this');
  const element = useRef<HTMLFormElement>(null);
  const flights = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  // The button that opened the form is gone, so focus the first field.
  useEffect(() => element.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);
  const save = trpc.admin.mission.edit.useMutation({
    onSuccess: async (edited) => {
      if (series !== undefined && scope !== 'this') {
        // The mission itself is saved: if the others fail, a message says so and the series page shows it.
        await trpcClient.admin.series.adopt
          .mutate({ missionId: mission.id, scope: scope === 'all' ? 'all' : 'following' })
          .catch((cause: unknown) => showFailure(cause, copy.unknownError));
      }
      void utils.admin.invalidate();
      onSaved(edited);
    },
    onError: (cause) => {
      form.refuse(fieldIssues(cause));
      setStale(errorCode(cause) === 'CHANGED');
      setError(failureOf(cause, workCopy.saveFailed));
    },
  });
  const isUnderWay = mission.status === 'launched';
  const canEdit = (field: ChangeField): boolean => isEditable(field, { isUnderWay });
  // Only these changes ask pilots again.
  const asksAgain = form.input?.startLocal !== undefined || (form.input?.flights ?? []).length > 0;
  const preview = useEditPreview(asksAgain && mission.status !== 'draft' ? form.input : null);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const lost = preview.misfits.filter(({ userId, isKeepable }) => !isKeepable || !kept.has(userId));
  const consequences = findConsequences(form.base, draft, orders, {
    isUnderWay,
    now: useNow(),
    lost: new Set(lost.map(({ orderId }) => orderId)),
  });
  const said = sayConsequences(consequences, mission.status === 'draft');

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isPending || preview.isOld) {
      return;
    }
    const { input, problem } = form.check();
    setRebased(false);
    setError(problem ?? null);
    if (input !== undefined) {
      const keepPilotIds = preview.misfits.flatMap(({ userId }) => (kept.has(userId) ? [userId] : []));
      save.mutate({ ...input, ...(keepPilotIds.length > 0 && { keepPilotIds }) });
    }
  };
  const reload = async (): Promise<void> => {
    const read = await onReload();
    if ('error' in read) {
      setError(failureOf(read.error, copy.unknownError, workCopy.missionFailed));
      return;
    }
    form.standOn(read.newer);
    setError(null);
    setStale(false);
    setRebased(true);
  };

  return (
    <form ref={element} noValidate className={classes.form} onSubmit={submit} aria-label={`Edit ${mission.name}`}>
      <LeaveGuard isDirty={form.isDirty && !save.isSuccess}>{workCopy.unsaved}</LeaveGuard>
      <FormError message={error} />
      {isStale && (
        <Button variant="light" className={classes.reload} onClick={() => void reload()}>
          Load the new version
        </Button>
      )}
      {isRebased && <FormNote>{workCopy.kept}</FormNote>}
      <div className={classes.mission}>
        {canEdit('name') && (
          <TextInput
            label="Mission name"
            required
            autoComplete="off"
            value={draft.name}
            error={errors['name']}
            onChange={({ currentTarget }) => form.change({ name: currentTarget.value })}
          />
        )}
        {canEdit('theater') && (
          <NativeSelect
            label="Theater"
            required
            data={[...THEATERS]}
            value={draft.theater}
            error={errors['theater']}
            onChange={({ currentTarget }) => form.change({ theater: currentTarget.value })}
          />
        )}
        {canEdit('start') ? (
          <MissionTimesFields
            draft={{ ...draft, templateId: null, aircraftSlots: [], missionFile: null }}
            timeZone={timeZone}
            errors={{ start: errors['startLocal'], end: errors['endLocal'] }}
            onChange={(times) => form.change(times)}
          />
        ) : (
          <EndFields
            endLocal={draft.endLocal}
            timeZone={timeZone}
            error={errors['endLocal']}
            onChange={(endLocal) => form.change({ endLocal })}
          />
        )}
        {MISSION_TEXT_KEYS.filter(canEdit).map((key) => (
          <NotesField
            key={key}
            className={classes.whole}
            label={MISSION_TEXTS[key].words}
            rows={MISSION_TEXTS[key].rows}
            value={draft[key]}
            error={errors[key]}
            onChange={(text) => form.change({ [key]: text })}
          />
        ))}
        {canEdit('links') && (
          <LinksField
            className={classes.whole}
            links={draft.links}
            errors={errors}
            onChange={(links) => form.change({ links })}
          />
        )}
        <ServersField
          className={classes.whole}
          guildIds={draft.guildIds}
          onChange={(guildIds) => form.change({ guildIds })}
        />
        <SecretSidesField
          className={classes.whole}
          secretSides={draft.secretSides}
          sides={[...draft.flights.filter(({ isRemoved }) => !isRemoved), ...draft.added].map(({ side }) => side)}
          onChange={(secretSides) => form.change({ secretSides })}
        />
      </div>
      <PackageFields packages={draft.packages} errors={errors} onChange={form.changePackage} />
      <p className={classes.hint}>{workCopy.planMinutes}</p>
      <div ref={flights} className={classes.flights}>
        {draft.flights.map((flight) => (
          <FlightFields
            key={flight.id}
            flight={flight}
            aircraft={aircraft}
            errors={errors}
            isUnderWay={isUnderWay}
            isOpenAtFirst={draft.flights.length <= 4}
            onChange={form.changeFlight}
          />
        ))}
        {draft.added.map((slot, index) => (
          <AircraftSlotRow
            key={slot.key}
            number={index + 1}
            slot={slot}
            aircraft={aircraft}
            errors={{
              aircraftId: errors[`${slot.key}.aircraftId`],
              slotCount: errors[`${slot.key}.slotCount`],
              additionalNotes: errors[`${slot.key}.additionalNotes`],
            }}
            onChange={(change) => form.changeSlot(slot.key, change)}
            onRemove={() => {
              form.change({ added: draft.added.filter(({ key }) => key !== slot.key) });
              addButton.current?.focus();
            }}
          />
        ))}
      </div>
      {canEdit('flight') && (
        <Button
          ref={addButton}
          variant="light"
          className={classes.add}
          disabled={aircraft.length === 0}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => {
            // Focus the new row.
            flushSync(() => form.change({ added: [...draft.added, newSlot(aircraft)] }));
            flights.current?.querySelector<HTMLElement>(':scope > :last-child select')?.focus();
          }}
        >
          Add Aircraft
        </Button>
      )}
      <div className={classes.save}>
        <div className={classes.consequences} role="status" aria-label="What happens when you save">
          {(form.isDirty ? said : [workCopy.nothingChanged]).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {preview.isOld && <p>{workCopy.checkingFit}</p>}
        </div>
        {preview.misfits.length > 0 && (
          <MisfitList
            misfits={preview.misfits}
            kept={kept}
            onKeep={(userId, isKept) =>
              setKept((ids) => new Set([...[...ids].filter((id) => id !== userId), ...(isKept ? [userId] : [])]))
            }
          />
        )}
        {series !== undefined && (
          <NativeSelect
            label="Save for"
            description={scope === 'this' ? undefined : workCopy.adoptMeaning}
            data={[
              { value: 'this', label: 'This mission only' },
              { value: 'following', label: 'This and the following of the series' },
              { value: 'all', label: 'All coming missions of the series' },
            ]}
            value={scope}
            onChange={({ currentTarget }) => setScope(currentTarget.value)}
          />
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Discard
          </Button>
          <Button type="submit" disabled={!form.isDirty || save.isPending || preview.isOld}>
            {save.isPending ? 'Saving...' : 'Save changes'}
          </Button>
        </div>
      </div>
    </form>
  );
}
