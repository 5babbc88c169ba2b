import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Panel } from '#client/components/panel.tsx';
import { sideName } from '#shared/labels.ts';
import { MISSION_SEATS_MAX } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';
import { AircraftSlotRow } from './aircraft-slot-row.tsx';
import { LONG_LIST } from './folded.tsx';
import { countSeats, newSlot, type SlotDraft } from './mission-draft.ts';
import classes from './slots-panel.module.css';

interface SlotsPanelProps {
  slots: readonly SlotDraft[];
  aircraft: readonly AircraftDto[];
  /** errors by the form's dotted path */
  errors: Record<string, ReactNode>;
  onAdd: (slot: SlotDraft) => void;
  onChange: (index: number, change: Partial<SlotDraft>) => void;
  onRemove: (index: number) => void;
}

/** Panel of the mission's aircraft slots with the total of seats. Many slots of a mission file are hidden at first. */
export function SlotsPanel({ slots, aircraft, errors, onAdd, onChange, onRemove }: SlotsPanelProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isLong = slots.filter(({ file }) => file !== undefined).length > LONG_LIST;
  const hasError = Object.keys(errors).some((path) => path.startsWith('aircraftSlots.'));
  const isShown = !isLong || isOpen || hasError;
  return (
    <Panel title="Aircraft Slots" flush actions={<Totals slots={slots} />}>
      {isLong && (
        <p className={classes.filled}>
          <span>{count(slots.length, 'slot')}, filled in from the mission file.</span>
          <Button
            variant="subtle"
            size="xs"
            aria-expanded={isShown}
            aria-controls={id}
            onClick={() => setOpen(!isShown)}
          >
            {isShown ? 'Hide the slots' : 'Show the slots'}
          </Button>
        </p>
      )}
      <div ref={list} id={id}>
        {slots.length === 0 && (
          <p className={classes.empty}>No aircraft slots defined. Add at least one aircraft to create the mission.</p>
        )}
        {(isShown ? slots : []).map((slot, index) => (
          <AircraftSlotRow
            key={slot.key}
            number={index + 1}
            slot={slot}
            aircraft={aircraft}
            errors={{
              aircraftId: errors[`aircraftSlots.${index}.aircraftId`],
              slotCount: errors[`aircraftSlots.${index}.slotCount`],
              additionalNotes: errors[`aircraftSlots.${index}.additionalNotes`],
            }}
            onChange={(change) => onChange(index, change)}
            onRemove={() => {
              onRemove(index);
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
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => {
            // Focus the new row.
            flushSync(() => {
              setOpen(true);
              onAdd(newSlot(aircraft));
            });
            list.current?.querySelector<HTMLElement>(':scope > :last-child select')?.focus();
          }}
        >
          Add Aircraft
        </Button>
        {aircraft.length === 0 && <span>There are no aircraft to choose from.</span>}
      </div>
    </Panel>
  );
}

/** Total of seats: `total 12 seats`, and per side when both sides fly. */
function Totals({ slots }: { slots: readonly SlotDraft[] }) {
  const seats = countSeats(slots);
  const sides = [SIDES.blue, SIDES.red].map((side) => ({ side, seats: countSeats(slots, side) }));
  return (
    <span className={classes.total} data-over={seats > MISSION_SEATS_MAX || undefined}>
      <span>
        total {count(seats, 'seat')}
        {seats > MISSION_SEATS_MAX && `, at most ${MISSION_SEATS_MAX}`}
      </span>
      {sides.every((one) => one.seats > 0) && (
        <span>{sides.map((one) => `${one.seats} ${sideName(one.side)}`).join(', ')}</span>
      )}
    </span>
  );
}
