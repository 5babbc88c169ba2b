import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { TimeField } from '#client/components/time-field.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate, zoneOfLocalTimes } from '#shared/clock.ts';
import { ANY_AIRCRAFT_ID, SLOT_DEFAULT } from '#shared/limits.ts';
import { overrideForm, type AircraftDto } from '#shared/schemas/availability.ts';
import type { OverrideKind } from '#shared/vocabulary.ts';
import { joinDates, spanOfDates, spanOfTimes, WHOLE_DAY, type OverrideRun } from './override-runs.ts';
import classes from './override-panel.module.css';

const KINDS: { value: OverrideKind; label: string }[] = [
  { value: 'unavailable', label: 'Away' },
  { value: 'available', label: 'Available' },
];

const NEW_OVERRIDE = {
  kind: 'unavailable' as OverrideKind,
  dateLocal: '',
  untilLocal: '',
  ...SLOT_DEFAULT,
  aircraftCodeId: ANY_AIRCRAFT_ID,
  notes: '',
};

/** Panel of dated exceptions. Each is saved at once, separately from the week's form. */
export function OverridePanel() {
  const { id, timeZone } = useSignedInViewer();
  const overrides = trpc.availability.overrides.useQuery({ id });
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  return (
    <Panel title="Dated exceptions">
      <p className={classes.lead}>
        Add dates when you're away, or unusually free. Your weekly times don't change. Times are{' '}
        {zoneOfLocalTimes(timeZone)}.
      </p>
      <Loaded
        query={overrides}
        loading="Loading your dated exceptions..."
        failure="Failed to load dated exceptions"
        rows={2}
      >
        {(list) => <RunList runs={joinDates(list)} aircraft={aircraft.data ?? []} />}
      </Loaded>
      <OverrideForm aircraft={aircraft.data ?? []} />
    </Panel>
  );
}

/** Refetches the exceptions and the days that they affect. */
function useRefresh() {
  const utils = trpc.useUtils();
  return () => Promise.all([utils.availability.overrides.invalidate(), utils.availability.window.invalidate()]);
}

function RunList({ runs, aircraft }: { runs: readonly OverrideRun[]; aircraft: readonly AircraftDto[] }) {
  const { id, timeZone } = useSignedInViewer();
  const refresh = useRefresh();
  const remove = trpc.availability.removeOverride.useMutation();

  const removeRun = async (run: OverrideRun): Promise<void> => {
    try {
      await Promise.all(run.ids.map((overrideId) => remove.mutateAsync({ id, overrideId })));
      showToast(`${spanOfDates(run)}: your weekly times apply again`);
    } catch (error) {
      showFailure(error, 'Failed to remove the exception');
    }
    await refresh();
  };

  if (runs.length === 0) {
    return <p className={classes.none}>No exceptions. Every week follows the grid.</p>;
  }
  return (
    <ul className={classes.list}>
      {runs.map((run) => {
        const isAway = run.kind === 'unavailable';
        const plane = aircraft.find((one) => one.id === run.aircraftCodeId)?.name ?? screenCopy.anyAircraft;
        return (
          <li key={run.ids[0]} className={classes.run}>
            <span className={classes.kind} data-kind={run.kind}>
              <Mark shape={isAway ? 'square' : 'triangle'} size={14} /> {isAway ? 'Away' : 'Available'}
            </span>
            <span className={classes.when}>
              <strong>{spanOfDates(run)}</strong> <span className={classes.times}>{spanOfTimes(run, timeZone)}</span>
            </span>
            <span className={classes.more}>
              {[isAway ? null : plane, run.notes].filter((part) => part !== null).join(' · ')}
            </span>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconX size={18} aria-hidden="true" />}
              aria-label={`Remove ${isAway ? 'away' : 'available'} ${spanOfDates(run)}`}
              onClick={() => void removeRun(run)}
            >
              Remove
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function OverrideForm({ aircraft }: { aircraft: readonly AircraftDto[] }) {
  const { id, timeZone } = useSignedInViewer();
  const today = localDate(useNow(), timeZone);
  const refresh = useRefresh();
  const add = trpc.availability.addOverride.useMutation();
  const [isWholeDay, setWholeDay] = useState(true);
  /** A whole day has its own times, which replace those in the hidden fields. */
  const complete = (values: typeof NEW_OVERRIDE) => ({
    ...values,
    ...(values.kind === 'unavailable' && isWholeDay && WHOLE_DAY),
    untilLocal: values.untilLocal || null,
  });
  const form = useServerForm({
    schema: overrideForm,
    mode: 'controlled',
    initialValues: NEW_OVERRIDE,
    toInput: complete,
    failure: 'Failed to save the exception',
  });
  const { kind } = form.values;
  const isAllDay = kind === 'unavailable' && isWholeDay;

  const submit = form.submit(async (input) => {
    const savedDates = spanOfDates({ firstDate: input.dateLocal, lastDate: input.untilLocal ?? input.dateLocal });
    try {
      await add.mutateAsync({ id, ...input });
      form.setValues({ dateLocal: '', untilLocal: '', notes: '' });
      showToast(`Saved: ${kind === 'unavailable' ? 'away' : 'available'} ${savedDates}`);
      await refresh();
    } catch (cause) {
      form.refuse(cause);
    }
  });

  return (
    <form noValidate onSubmit={submit} className={classes.form} aria-label="Add a dated exception">
      <FormError message={form.refusal} />
      <div className={classes.fields}>
        <Segmented label="I am" segments={KINDS} value={kind} onChange={(next) => form.setFieldValue('kind', next)} />
        <TextInput type="date" label="Date" min={today} {...form.getInputProps('dateLocal')} />
        <TextInput
          type="date"
          label="Until (optional)"
          min={form.values.dateLocal || today}
          {...form.getInputProps('untilLocal')}
        />
        {kind === 'unavailable' && (
          <label className={classes.check}>
            <input
              type="checkbox"
              checked={isWholeDay}
              onChange={({ currentTarget }) => setWholeDay(currentTarget.checked)}
            />
            Whole day
          </label>
        )}
        {!isAllDay && (
          <>
            <TimeField
              label="Start"
              className={classes.time}
              {...form.getInputProps('startLocal')}
              value={form.values.startLocal}
            />
            <TimeField
              label="End"
              className={classes.time}
              {...form.getInputProps('endLocal')}
              value={form.values.endLocal}
            />
          </>
        )}
        {kind === 'available' && (
          <NativeSelect
            label="Aircraft"
            data={[
              { value: String(ANY_AIRCRAFT_ID), label: screenCopy.anyAircraft },
              ...aircraft.map((one) => ({ value: String(one.id), label: one.name })),
            ]}
            value={String(form.values.aircraftCodeId)}
            error={form.errors['aircraftCodeId']}
            onChange={({ currentTarget }) => form.setFieldValue('aircraftCodeId', Number(currentTarget.value))}
          />
        )}
        <Textarea label="Notes (optional)" rows={1} autosize={false} {...form.getInputProps('notes')} />
        <Button type="submit" variant="default" disabled={add.isPending} className={classes.submit}>
          {add.isPending ? 'Saving...' : 'Add exception'}
        </Button>
      </div>
    </form>
  );
}
