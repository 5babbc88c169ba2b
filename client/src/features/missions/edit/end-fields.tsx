import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { TimeField } from '#client/components/time-field.tsx';
import { splitLocal } from '#client/features/missions/create/mission-draft.ts';
import { zoneOfLocalTimes } from '#shared/clock.ts';
import classes from './end-fields.module.css';

interface EndFieldsProps {
  endLocal: string;
  timeZone: string;
  error: ReactNode;
  onChange: (endLocal: string) => void;
}

/** The end alone: a mission that has launched keeps its start. */
export function EndFields({ endLocal, timeZone, error, onChange }: EndFieldsProps) {
  const { date, time } = splitLocal(endLocal);
  return (
    <div className={classes.end}>
      <p className={classes.zone}>
        This mission is under way: its notes, radio and end can still be changed. Times are {zoneOfLocalTimes(timeZone)}
        .
      </p>
      <TextInput
        type="date"
        label="End date"
        required
        value={date}
        error={error !== undefined}
        onChange={({ currentTarget }) => onChange(`${currentTarget.value}T${time}`)}
      />
      <TimeField
        label="End time"
        className={classes.time}
        required
        value={time}
        error={error}
        onChange={(next) => onChange(`${date}T${next}`)}
      />
    </div>
  );
}
