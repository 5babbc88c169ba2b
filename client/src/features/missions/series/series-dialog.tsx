import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useId, useState, type FormEvent } from 'react';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { TimeField } from '#client/components/time-field.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { keyed, newKey, onceClient } from '#client/lib/idempotent-client.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { readWallTime, weekdayOf } from '#client/lib/wall-time.ts';
import { copy } from '#shared/copy.ts';
import { SERIES } from '#shared/limits.ts';
import type { MissionSeriesDto } from '#shared/schemas/series.ts';
import { count } from '#shared/plural.ts';
import { seriesCopy } from './series-text.ts';
import classes from './series.module.css';

/** The mission or template to repeat, or the series to change. */
export type SeriesSubject =
  | { kind: 'mission' | 'template'; id: string; name: string; firstDate: string; startLocal: string; timeZone: string }
  | { kind: 'series'; series: MissionSeriesDto };

const DAYS = [
  [1, 'Mon'],
  [2, 'Tue'],
  [3, 'Wed'],
  [4, 'Thu'],
  [5, 'Fri'],
  [6, 'Sat'],
  [0, 'Sun'],
] as const;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

interface Rule {
  weekdays: readonly number[];
  everyWeeks: number;
  startLocal: string;
  lastDate: string;
  horizonWeeks: number;
  /** '' for drafts only */
  publishDays: string;
}

function ruleOf(subject: SeriesSubject): Rule {
  if (subject.kind === 'series') {
    const { weekdays, everyWeeks, startLocal, lastDate, horizonWeeks, publishDays } = subject.series;
    return {
      weekdays,
      everyWeeks,
      startLocal,
      lastDate: lastDate ?? '',
      horizonWeeks,
      publishDays: publishDays === null ? '' : String(publishDays),
    };
  }
  return {
    weekdays: [weekdayOf(subject.firstDate)],
    everyWeeks: 1,
    startLocal: subject.startLocal,
    lastDate: '',
    horizonWeeks: SERIES.horizonWeeks.initial,
    publishDays: '',
  };
}

/** Dialog that repeats a mission or a template, or changes the rule of a series. */
export function SeriesDialog({ subject, onClose }: { subject: SeriesSubject; onClose: () => void }) {
  const utils = trpc.useUtils();
  const [rule, setRule] = useState(() => ruleOf(subject));
  const [firstDate, setFirstDate] = useState(subject.kind === 'series' ? '' : subject.firstDate);
  const [from, setFrom] = useState('');
  const [error, setError] = useState<Told>(null);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(newKey);
  const daysId = useId();
  const change = (part: Partial<Rule>): void => setRule((before) => ({ ...before, ...part }));
  const name = subject.kind === 'series' ? subject.series.name : subject.name;
  const zone = subject.kind === 'series' ? subject.series.timeZone : subject.timeZone;

  const save = async (): Promise<void> => {
    setError(null);
    if (readWallTime(rule.startLocal) === undefined) return setError(copy.invalidTime);
    if (rule.weekdays.length === 0) return setError(copy.seriesWeekdays);
    const input = {
      ...rule,
      weekdays: [...rule.weekdays],
      lastDate: rule.lastDate === '' ? null : rule.lastDate,
      publishDays: rule.publishDays === '' ? null : Number(rule.publishDays),
    };
    setBusy(true);
    try {
      if (subject.kind === 'series') {
        const { id } = subject.series;
        await trpcClient.admin.series.update.mutate({ id, ...(from !== '' && { from }), ...input });
      } else {
        const source = subject.kind === 'mission' ? { missionId: subject.id } : { templateId: subject.id };
        await onceClient.admin.series.create.mutate({ ...source, firstDate, timeZone: zone, ...input }, keyed(key));
      }
      void utils.admin.invalidate();
      showToast(subject.kind === 'series' ? seriesCopy.changed : seriesCopy.made);
      onClose();
    } catch (cause) {
      setError(failureOf(cause, copy.unknownError));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save();
  };
  const coming = subject.kind === 'series' ? subject.series.occurrences.filter(({ state }) => state !== 'skipped') : [];
  return (
    <Dialog opened title={subject.kind === 'series' ? `Change ${name}` : `Repeat ${name}`} onClose={onClose}>
      <DialogForm
        error={error}
        submit={subject.kind === 'series' ? 'Save' : 'Create series'}
        isBusy={isBusy}
        onClose={onClose}
        onSubmit={submit}
      >
        <div className={classes.form}>
          {subject.kind === 'series' && (
            <NativeSelect
              label="Change"
              data={[
                { value: '', label: 'All coming missions' },
                ...coming
                  .slice(1)
                  .map(({ date }) => ({ value: date, label: `${formatCalendarDate(date)} and the following` })),
              ]}
              value={from}
              onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            />
          )}
          <fieldset className={classes.days} aria-labelledby={daysId}>
            <legend id={daysId}>On</legend>
            {DAYS.map(([day, label]) => (
              <Checkbox
                key={day}
                label={label}
                color="cyan"
                size="md"
                checked={rule.weekdays.includes(day)}
                onChange={({ currentTarget }) =>
                  change({
                    weekdays: currentTarget.checked
                      ? [...rule.weekdays, day]
                      : rule.weekdays.filter((one) => one !== day),
                  })
                }
              />
            ))}
          </fieldset>
          <NativeSelect
            label="Every"
            data={range(1, SERIES.everyWeeksMax).map((weeks) => ({
              value: String(weeks),
              label: weeks === 1 ? 'week' : `${weeks} weeks`,
            }))}
            value={String(rule.everyWeeks)}
            onChange={({ currentTarget }) => change({ everyWeeks: Number(currentTarget.value) })}
          />
          <TimeField
            label="Start time"
            description={seriesCopy.zoneMeaning(zone)}
            value={rule.startLocal}
            onChange={(startLocal) => change({ startLocal })}
          />
          {subject.kind === 'template' && (
            <TextInput
              type="date"
              label="First date"
              value={firstDate}
              onChange={({ currentTarget }) => setFirstDate(currentTarget.value)}
            />
          )}
          <TextInput
            type="date"
            label="Last date"
            description="Empty for no end."
            value={rule.lastDate}
            onChange={({ currentTarget }) => change({ lastDate: currentTarget.value })}
          />
          <NativeSelect
            label="Create missions"
            data={range(1, SERIES.horizonWeeks.max).map((weeks) => ({
              value: String(weeks),
              label: `${count(weeks, 'week')} in advance`,
            }))}
            value={String(rule.horizonWeeks)}
            onChange={({ currentTarget }) => change({ horizonWeeks: Number(currentTarget.value) })}
          />
          <NativeSelect
            label="Publish"
            data={[
              { value: '', label: 'I publish each one (stays a draft until then)' },
              ...range(0, SERIES.publishDaysMax).map((days) => ({
                value: String(days),
                label: days === 0 ? 'On the day at 08:00' : `${count(days, 'day')} ahead at 08:00`,
              })),
            ]}
            value={rule.publishDays}
            onChange={({ currentTarget }) => change({ publishDays: currentTarget.value })}
          />
          {subject.kind === 'series' && (
            <p className={classes.hint}>
              {seriesCopy.ownMeaning} {seriesCopy.daysMeaning}
            </p>
          )}
        </div>
      </DialogForm>
    </Dialog>
  );
}
