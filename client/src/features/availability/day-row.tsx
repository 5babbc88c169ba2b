import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { screenCopy } from '#client/lib/screen-copy.ts';
import { zuluOfWallTime } from '#client/lib/time.ts';
import { ANY_AIRCRAFT_ID, SLOTS_PER_DAY_MAX } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { isOvernight, type SlotRow } from './week.ts';
import classes from './day-row.module.css';

type Change = Partial<Pick<SlotRow, 'startLocal' | 'endLocal' | 'aircraft'>>;

interface DayRowProps {
  /** Sunday … Saturday */
  name: string;
  /** this day's slots with their place in the whole form */
  slots: readonly { row: SlotRow; index: number; errors: Record<string, ReactNode> }[];
  aircraft: readonly AircraftDto[];
  timeZone: string;
  now: Date;
  onAdd: () => void;
  onRemove: (index: number) => void;
  onChange: (index: number, change: Change) => void;
}

/** One weekday: its time slots and '+ Add Time Slot'. */
export function DayRow({ name, slots, aircraft, timeZone, now, onAdd, onRemove, onChange }: DayRowProps) {
  return (
    <fieldset className={classes.day}>
      <legend className={classes.name}>{name}</legend>
      <div className={classes.slots}>
        {slots.map(({ row, index, errors }, place) => {
          const label = slots.length > 1 ? `${name} slot ${place + 1}` : name;
          return (
            <div key={row.key} className={classes.slot}>
              <div className={classes.times}>
                <TextInput
                  type="time"
                  aria-label={`${label} start`}
                  value={row.startLocal}
                  error={errors['startLocal']}
                  onChange={({ currentTarget }) => onChange(index, { startLocal: currentTarget.value })}
                />
                <span aria-hidden="true">–</span>
                <TextInput
                  type="time"
                  aria-label={`${label} end`}
                  value={row.endLocal}
                  error={errors['endLocal']}
                  onChange={({ currentTarget }) => onChange(index, { endLocal: currentTarget.value })}
                />
                <span className={classes.overnight}>
                  {isOvernight(row) && <abbr title="ends on the next day">+1</abbr>}
                </span>
              </div>
              <NativeSelect
                aria-label={`${label} aircraft`}
                className={classes.aircraft}
                data={aircraftOptions(row.aircraft, aircraft)}
                value={row.aircraft}
                error={errors['aircraftCodeId'] !== undefined}
                onChange={({ currentTarget }) => onChange(index, { aircraft: currentTarget.value })}
              />
              <span className={classes.zulu}>{zuluRange(row, timeZone, now)}</span>
              <Button
                variant="subtle"
                color="gray"
                className={classes.remove}
                leftSection={<IconX size={18} stroke={1.75} aria-hidden="true" />}
                aria-label={`Remove ${label}`}
                onClick={() => onRemove(index)}
              >
                Remove
              </Button>
            </div>
          );
        })}
        <Button
          variant="subtle"
          className={classes.add}
          aria-label={`+ Add Time Slot, ${name}`}
          disabled={slots.length >= SLOTS_PER_DAY_MAX}
          onClick={onAdd}
        >
          + Add Time Slot
        </Button>
      </div>
    </fieldset>
  );
}

/** 'Any Aircraft' and the list; a chosen aircraft that left the list keeps its place. */
function aircraftOptions(chosen: string, aircraft: readonly AircraftDto[]) {
  const options = [
    { value: String(ANY_AIRCRAFT_ID), label: screenCopy.anyAircraft },
    ...aircraft.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  if (chosen === '') {
    return [{ value: '', label: 'Select aircraft' }, ...options];
  }
  return options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: `Aircraft ${chosen} (retired)` }];
}

function zuluRange({ startLocal, endLocal }: SlotRow, timeZone: string, now: Date): string {
  const [start, end] = [zuluOfWallTime(startLocal, timeZone, now), zuluOfWallTime(endLocal, timeZone, now)];
  return start === '' || end === '' ? '' : `${start.slice(0, 4)}–${end}`;
}
