import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconMinus, IconPlus, IconX } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { Segmented } from '#client/components/segmented.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { AIRCRAFT_SLOT_COUNT, FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { MISSION_ROLES, SIDES } from '#shared/vocabulary.ts';
import { AircraftSelect } from './aircraft-select.tsx';
import { countSlots, type SlotDraft } from './mission-draft.ts';
import classes from './aircraft-slot-row.module.css';

const SIDE_SEGMENTS = [SIDES.blue, SIDES.red].map((side) => ({ value: side, label: <SideFlag side={side} /> }));

interface AircraftSlotRowProps {
  /** position in the list, from 1 */
  number: number;
  slot: SlotDraft;
  aircraft: readonly AircraftDto[];
  errors: Record<'aircraftId' | 'slotCount' | 'additionalNotes', ReactNode>;
  onChange: (change: Partial<SlotDraft>) => void;
  onRemove: () => void;
}

/** Fields of one aircraft slot: aircraft, count, role, side, notes. */
export function AircraftSlotRow({ number, slot, aircraft, errors, onChange, onRemove }: AircraftSlotRowProps) {
  const nameId = useId();
  return (
    // not a fieldset, because WebKit ignores grid placement of a legend
    <div className={classes.row} role="group" aria-labelledby={nameId}>
      <span id={nameId} className={classes.name}>
        Aircraft {number}
      </span>
      <AircraftSelect
        className={classes.aircraft}
        aircraft={aircraft}
        role={slot.role}
        value={slot.aircraftId}
        error={errors.aircraftId}
        path={`aircraftSlots.${number - 1}.aircraftId`}
        onChange={(aircraftId) => onChange({ aircraftId })}
      />
      <SlotCount
        value={slot.slotCount}
        error={errors.slotCount}
        path={`aircraftSlots.${number - 1}.slotCount`}
        onChange={(slotCount) => onChange({ slotCount })}
      />
      <NativeSelect
        label="Role"
        className={classes.role}
        data={[...MISSION_ROLES]}
        value={slot.role}
        onChange={({ currentTarget }) => {
          const role = MISSION_ROLES.find((name) => name === currentTarget.value);
          if (role !== undefined) {
            onChange({ role });
          }
        }}
      />
      <Segmented label="Side" segments={SIDE_SEGMENTS} value={slot.side} onChange={(side) => onChange({ side })} />
      <Textarea
        label="Additional notes"
        className={classes.notes}
        rows={1}
        resize="vertical"
        value={slot.additionalNotes}
        error={errors.additionalNotes}
        data-path={`aircraftSlots.${number - 1}.additionalNotes`}
        onChange={({ currentTarget }) => onChange({ additionalNotes: currentTarget.value })}
      />
      <Button
        variant="subtle"
        color="gray"
        className={classes.remove}
        leftSection={<IconX size={18} aria-hidden="true" />}
        aria-label={`Remove aircraft ${number}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </div>
  );
}

/** The count after a key: up and down by one, page up and down to the next number of full flights. */
const COUNT_KEYS = new Map<string, (count: number) => number>([
  ['ArrowUp', (count) => count + 1],
  ['ArrowDown', (count) => count - 1],
  ['PageUp', (count) => (Math.floor(count / FLIGHT_SIZE_MAX) + 1) * FLIGHT_SIZE_MAX],
  ['PageDown', (count) => (Math.ceil(count / FLIGHT_SIZE_MAX) - 1) * FLIGHT_SIZE_MAX],
]);

interface SlotCountProps {
  /** text as typed */
  value: string;
  error: ReactNode;
  path: string;
  onChange: (text: string) => void;
}

/**
 * Number field with minus and plus, and keys (`COUNT_KEYS`). Text that is not a number becomes 1; numbers are limited to the
 * range.
 */
function SlotCount({ value, error, path, onChange }: SlotCountProps) {
  const id = useId();
  const count = countSlots(value);
  const { min, max } = AIRCRAFT_SLOT_COUNT;
  return (
    <div className={classes.count}>
      <label htmlFor={id} className={classes.label}>
        Slots
      </label>
      <div className={classes.stepper}>
        <Button
          variant="default"
          className={classes.step}
          aria-label="One slot less"
          disabled={count <= min}
          onClick={() => onChange(String(count - 1))}
        >
          <IconMinus size={18} aria-hidden="true" />
        </Button>
        <TextInput
          id={id}
          inputMode="numeric"
          autoComplete="off"
          className={classes.number}
          value={value}
          error={error !== undefined}
          data-path={path}
          onChange={({ currentTarget: { value: text } }) =>
            // May be empty while typing.
            onChange(text === '' ? '' : String(countSlots(text)))
          }
          // A typed number replaces the one before.
          onFocus={({ currentTarget }) => currentTarget.select()}
          onKeyDown={(event) => {
            const next = COUNT_KEYS.get(event.key);
            if (next === undefined) return;
            event.preventDefault();
            onChange(String(Math.min(Math.max(next(count), min), max)));
          }}
          onBlur={() => onChange(String(count))}
        />
        <Button
          variant="default"
          className={classes.step}
          aria-label="One slot more"
          disabled={count >= max}
          onClick={() => onChange(String(count + 1))}
        >
          <IconPlus size={18} aria-hidden="true" />
        </Button>
      </div>
      {error !== undefined && <p className={classes.error}>{error}</p>}
    </div>
  );
}
