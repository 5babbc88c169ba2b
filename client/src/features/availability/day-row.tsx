import { Button, NativeSelect, Textarea } from '@mantine/core';
import { IconNote, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { TimeField } from '#client/components/time-field.tsx';
import { NOTES_MAX_LENGTH, SLOTS_PER_DAY_MAX } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { aircraftOptions } from './slot-fields.ts';
import type { SlotErrors } from './use-week.ts';
import { isOvernight, type SlotRow } from './week.ts';
import { zuluRange } from './week-times.ts';
import classes from './day-row.module.css';

export type SlotChange = Partial<Pick<SlotRow, 'startLocal' | 'endLocal' | 'aircraft' | 'notes'>>;

interface RowSurroundings {
  aircraft: readonly AircraftDto[];
  timeZone: string;
  now: Date;
  /** errors by slot key */
  errors: ReadonlyMap<string, SlotErrors>;
  /** id of the error box */
  errorId: string;
  onRemove: (key: string) => void;
  onChange: (key: string, change: SlotChange) => void;
}

interface DayRowProps extends RowSurroundings {
  /** Sunday … Saturday */
  name: string;
  slots: readonly SlotRow[];
  onAdd: () => void;
}

/** One weekday: its time slots and '+ Add Time Slot'. */
export function DayRow({ name, slots, onAdd, ...surroundings }: DayRowProps) {
  const nameId = useId();
  return (
    // not a fieldset, because WebKit ignores grid placement of a legend
    <div className={classes.day} role="group" aria-labelledby={nameId}>
      <span id={nameId} className={classes.name}>
        {name}
      </span>
      <div className={classes.slots}>
        {slots.map((row, place) => (
          <SlotFields
            key={row.key}
            row={row}
            label={slots.length > 1 ? `${name} slot ${place + 1}` : name}
            {...surroundings}
          />
        ))}
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
    </div>
  );
}

interface SlotFieldsProps extends RowSurroundings {
  row: SlotRow;
  label: string;
}

function SlotFields({ row, label, aircraft, timeZone, now, errors, errorId, onRemove, onChange }: SlotFieldsProps) {
  const [isNoting, setNoting] = useState(false);
  const problems = errors.get(row.key) ?? {};
  // The error box above the buttons shows the sentence once; `withAria: false` lets these attributes reach the field.
  const describe = (field: string) =>
    problems[field] === undefined ? {} : { withAria: false, 'aria-invalid': true, 'aria-describedby': errorId };
  return (
    <div className={classes.slot} data-week-row>
      <div className={classes.times}>
        <TimeField
          aria-label={`${label} start`}
          value={row.startLocal}
          error={problems['startLocal'] !== undefined}
          {...describe('startLocal')}
          onChange={(startLocal) => onChange(row.key, { startLocal })}
        />
        <span aria-hidden="true">–</span>
        <TimeField
          aria-label={`${label} end`}
          value={row.endLocal}
          error={problems['endLocal'] !== undefined}
          {...describe('endLocal')}
          onChange={(endLocal) => onChange(row.key, { endLocal })}
        />
        <span className={classes.overnight}>{isOvernight(row) && <abbr title="ends the next day">+1</abbr>}</span>
      </div>
      <NativeSelect
        aria-label={`${label} aircraft`}
        className={classes.aircraft}
        data={aircraftOptions(row.aircraft, aircraft)}
        value={row.aircraft}
        error={problems['aircraftCodeId'] !== undefined}
        {...describe('aircraftCodeId')}
        onChange={({ currentTarget }) => onChange(row.key, { aircraft: currentTarget.value })}
      />
      <span className={classes.zulu}>{zuluRange(row, timeZone, now)}</span>
      <span className={classes.actions}>
        {row.notes === null && !isNoting && (
          <Button
            variant="subtle"
            color="gray"
            className={classes.action}
            leftSection={<IconNote size={18} aria-hidden="true" />}
            aria-label={`Add notes to ${label}`}
            onClick={() => setNoting(true)}
          >
            Notes
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          className={classes.action}
          leftSection={<IconX size={18} aria-hidden="true" />}
          aria-label={`Remove ${label}`}
          onClick={() => onRemove(row.key)}
        >
          Remove
        </Button>
      </span>
      {(row.notes !== null || isNoting) && (
        <Textarea
          className={classes.notes}
          aria-label={`${label} notes`}
          placeholder="Notes"
          rows={1}
          maxLength={NOTES_MAX_LENGTH}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by the button that stood here
          autoFocus={isNoting}
          value={row.notes ?? ''}
          error={problems['notes'] !== undefined}
          {...describe('notes')}
          onChange={({ currentTarget }) =>
            onChange(row.key, { notes: currentTarget.value === '' ? null : currentTarget.value })
          }
          onBlur={() => setNoting(false)}
        />
      )}
    </div>
  );
}
