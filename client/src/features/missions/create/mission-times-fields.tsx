import { Button, TextInput } from '@mantine/core';
import { useId, useRef, type ReactNode } from 'react';
import { TimeField } from '#client/components/time-field.tsx';
import { formatTime, localDate, zoneOfLocalTimes } from '#shared/clock.ts';
import { formatDuration, formatShortDate } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { addDays } from '#client/lib/wall-time.ts';
import { copy } from '#shared/copy.ts';
import { findTimesProblem, moveStartDate, readTimes, roundToQuarter, splitLocal } from './mission-draft.ts';
import type { MissionDraft } from './mission-draft.ts';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import classes from './mission-times-fields.module.css';

type Times = Pick<MissionDraft, 'startLocal' | 'endLocal'>;

interface MissionTimesFieldsProps {
  draft: MissionDraft;
  timeZone: string;
  errors: { start: ReactNode; end: ReactNode };
  onChange: (times: Partial<Times>) => void;
}

/** Start and end as local dates and times in the named zone, with their Zulu times. */
export function MissionTimesFields({ draft, timeZone, errors, onChange }: MissionTimesFieldsProps) {
  const now = useNow();
  const zoneId = useId();
  const lastStartDate = useRef('');
  const start = splitLocal(draft.startLocal);
  const end = splitLocal(draft.endLocal);
  const today = localDate(now, timeZone);
  const times = readTimes(draft.startLocal, draft.endLocal, timeZone);

  return (
    <div className={classes.times}>
      <p id={zoneId} className={classes.zone}>
        Times are {zoneOfLocalTimes(timeZone)}, now {formatTime(now, timeZone)}
      </p>
      <LocalFields
        name="Start"
        path="startLocal"
        zoneId={zoneId}
        date={start.date}
        time={start.time}
        earliest={today}
        error={errors.start}
        onDate={(date) => {
          // A date being typed can be invalid for a moment (`02/30`), so the end moves from its last valid position.
          lastStartDate.current = start.date || lastStartDate.current;
          onChange(moveStartDate({ ...draft, startLocal: `${lastStartDate.current}T${start.time}` }, date));
        }}
        onTime={(time) => onChange({ startLocal: `${start.date}T${time}` })}
      />
      <LocalFields
        name="End"
        path="endLocal"
        zoneId={zoneId}
        date={end.date}
        time={end.time}
        earliest={start.date === '' ? today : start.date}
        error={errors.end}
        mark={times?.isNextDay === true ? '+1' : undefined}
        onDate={(date) => onChange({ endLocal: `${date}T${end.time}` })}
        onTime={(time) => onChange({ endLocal: `${end.date}T${time}` })}
      />
      <div className={classes.result} aria-live="polite">
        {times !== undefined && (
          <Result
            times={times}
            timeZone={timeZone}
            problem={findTimesProblem(times, now)}
            onTomorrow={() => onChange(moveStartDate(draft, addDays(today, 1)))}
          />
        )}
      </div>
    </div>
  );
}

interface ResultProps {
  times: { start: Date; end: Date };
  timeZone: string;
  problem: string | undefined;
  onTomorrow: () => void;
}

function Result({ times: { start, end }, timeZone, problem, onTomorrow }: ResultProps) {
  const length = end.getTime() - start.getTime();
  return (
    <>
      {length > 0 && (
        <p className={classes.span}>
          <span>= {formatShortDate(start, timeZone)}</span>
          <ZSpan start={start} end={end} timeZone={timeZone} date={localDate(start, timeZone)} />
          <span className={classes.length}>
            {formatDuration(length)}
            {localDate(start, timeZone) !== localDate(end, timeZone) && `, ends ${formatShortDate(end, timeZone)}`}
          </span>
        </p>
      )}
      {problem !== undefined && (
        <p className={classes.problem}>
          <span>{problem}.</span>
          {problem === copy.missionStartInPast && (
            <Button variant="light" size="xs" onClick={onTomorrow}>
              Use tomorrow
            </Button>
          )}
        </p>
      )}
    </>
  );
}

interface LocalFieldsProps {
  name: 'Start' | 'End';
  /** where the form's error about it points */
  path: keyof Times;
  zoneId: string;
  date: string;
  time: string;
  earliest: string;
  error: ReactNode;
  mark?: string;
  onDate: (date: string) => void;
  onTime: (time: string) => void;
}

function LocalFields({ name, path, zoneId, date, time, earliest, error, mark, onDate, onTime }: LocalFieldsProps) {
  const errorId = useId();
  const timeAtFocus = useRef(time);
  const described = error === undefined ? zoneId : `${zoneId} ${errorId}`;
  return (
    // On the group: Mantine's inputs drop a description that is not their own.
    <div className={classes.local} role="group" aria-label={name} aria-describedby={described}>
      <TextInput
        type="date"
        label={`${name} date`}
        required
        min={earliest}
        value={date}
        error={error !== undefined}
        onChange={({ currentTarget }) => onDate(currentTarget.value)}
      />
      <TimeField
        label={`${name} time`}
        required
        value={time}
        error={error !== undefined}
        data-path={path}
        onChange={onTime}
        onFocus={() => {
          timeAtFocus.current = time;
        }}
        // Rounded when it is left: while it is typed, `45` passes through `04`. One that was only passed by stays as it is.
        onBlur={() => {
          if (time !== timeAtFocus.current) {
            onTime(roundToQuarter(time));
          }
        }}
      />
      <span className={classes.mark} title={mark === undefined ? undefined : 'ends the next day'}>
        {mark}
      </span>
      {error !== undefined && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
