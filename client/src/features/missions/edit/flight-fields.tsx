import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { Fragment, memo, useId, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Segmented } from '#client/components/segmented.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import { FLIGHT_FIELD_KEYS, FLIGHT_FIELDS, isEditable, type FlightField } from '#shared/mission-fields.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { MISSION_ROLES, SIDES } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';
import { NotesField } from '#client/features/missions/notes-field.tsx';
import type { FlightDraft } from './mission-edit.ts';
import type { EditErrors } from './use-edit-draft.ts';
import classes from './flight-fields.module.css';

const SIDE_SEGMENTS = [SIDES.blue, SIDES.red].map((side) => ({ value: side, label: <SideFlag side={side} /> }));
const SIZES = Array.from({ length: FLIGHT_SIZE_MAX }, (_size, index) => String(index + 1));
const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface FlightFieldsProps {
  flight: FlightDraft;
  aircraft: readonly AircraftDto[];
  errors: EditErrors;
  /** true when the mission has launched */
  isUnderWay: boolean;
  isOpenAtFirst: boolean;
  onChange: (id: string, change: Partial<FlightDraft>) => void;
}

/** A flight as one line that expands to its fields. A removed flight stays visible until the edit is saved. */
export const FlightFields = memo(function FlightFields({
  flight,
  aircraft,
  errors,
  isUnderWay,
  isOpenAtFirst,
  onChange: onChangeOf,
}: FlightFieldsProps) {
  const onChange = (change: Partial<FlightDraft>): void => onChangeOf(flight.id, change);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const head = useRef<HTMLDivElement>(null);
  /** Replaces the clicked button with others and focuses the first. */
  const setRemoved = (isRemoved: boolean): void => {
    flushSync(() => onChange({ isRemoved }));
    head.current?.querySelector('button')?.focus();
  };
  const hasError = Object.keys(errors).some((place) => place.startsWith(`${flight.id}.`));
  const isShown = (isOpen || hasError) && !flight.isRemoved;
  const controls = isShown ? controlsOf({ flight, aircraft, errors, onChange }) : null;
  const name = aircraft.find((one) => String(one.id) === flight.aircraftId)?.name ?? flight.aircraftName;
  return (
    // not a fieldset, because WebKit draws a legend over the border
    <div
      className={classes.flight}
      role="group"
      aria-labelledby={`${id}-name`}
      data-removed={flight.isRemoved || undefined}
    >
      <span id={`${id}-name`} className={classes.name}>
        {flight.callsign.trim() || '…'}
      </span>
      <div ref={head} className={classes.head}>
        <span className={classes.line}>
          {flight.isRemoved
            ? 'will be removed when you save'
            : `${name}, ${flight.role}, ${count(flight.sizeCap, 'seat')}`}
        </span>
        {flight.isRemoved ? (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconArrowBackUp {...ICON} />}
            aria-label={`Keep ${flight.callsign}`}
            onClick={() => setRemoved(false)}
          >
            Keep
          </Button>
        ) : (
          <>
            <Button
              variant="subtle"
              size="xs"
              aria-expanded={isShown}
              aria-controls={id}
              leftSection={isShown ? <IconChevronUp {...ICON} /> : <IconChevronDown {...ICON} />}
              aria-label={`Fields of ${flight.callsign}`}
              onClick={() => setOpen(!isShown)}
            >
              {isShown ? 'Less' : 'Change'}
            </Button>
            {isEditable('flight', { isUnderWay }) && (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                leftSection={<IconX {...ICON} />}
                aria-label={`Remove flight ${flight.callsign}`}
                onClick={() => setRemoved(true)}
              >
                Remove flight
              </Button>
            )}
          </>
        )}
      </div>
      <div id={id} className={classes.fields} hidden={!isShown}>
        {controls &&
          FLIGHT_FIELD_KEYS.filter((field) => isEditable(FLIGHT_FIELDS[field], { isUnderWay })).map((field) => (
            <Fragment key={field}>{controls[field]}</Fragment>
          ))}
      </div>
    </div>
  );
});

/** Form controls by field of a flight. */
function controlsOf({
  flight,
  aircraft,
  errors,
  onChange,
}: Pick<FlightFieldsProps, 'flight' | 'aircraft' | 'errors'> & {
  onChange: (change: Partial<FlightDraft>) => void;
}): Record<FlightField, ReactNode> {
  /** a time in minutes after the start, so that it moves with it */
  const minutes = (field: 'launchMinutes' | 'totMinutes', label: string): ReactNode => (
    <TextInput
      label={label}
      className={classes.minutes}
      inputMode="numeric"
      autoComplete="off"
      placeholder={flight.stored[field]?.toString() ?? 'none'}
      value={flight[field]}
      error={errors[`${flight.id}.${field}`]}
      onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
    />
  );
  const isListed = aircraft.some(({ id }) => String(id) === flight.aircraftId);
  return {
    callsign: (
      <TextInput
        label="Callsign"
        className={classes.callsign}
        autoComplete="off"
        value={flight.callsign}
        error={errors[`${flight.id}.callsign`]}
        onChange={({ currentTarget }) => onChange({ callsign: currentTarget.value })}
      />
    ),
    aircraftId: (
      <NativeSelect
        label="Aircraft"
        className={classes.aircraft}
        data={[
          // A retired aircraft stays in the list while it is selected.
          ...(isListed ? [] : [{ value: flight.aircraftId, label: flight.aircraftName }]),
          ...aircraft.map(({ id, name, code }) => ({ value: String(id), label: `${name} (${code})` })),
        ]}
        value={flight.aircraftId}
        error={errors[`${flight.id}.aircraftId`]}
        onChange={({ currentTarget }) => onChange({ aircraftId: currentTarget.value })}
      />
    ),
    role: (
      <NativeSelect
        label="Role"
        className={classes.role}
        data={[...MISSION_ROLES]}
        value={flight.role}
        onChange={({ currentTarget }) => {
          const role = MISSION_ROLES.find((one) => one === currentTarget.value);
          if (role !== undefined) {
            onChange({ role });
          }
        }}
      />
    ),
    sizeCap: (
      <NativeSelect
        label="Seats"
        className={classes.size}
        data={SIZES}
        value={String(flight.sizeCap)}
        error={errors[`${flight.id}.sizeCap`]}
        onChange={({ currentTarget }) => onChange({ sizeCap: Number(currentTarget.value) })}
      />
    ),
    side: (
      <Segmented label="Side" segments={SIDE_SEGMENTS} value={flight.side} onChange={(side) => onChange({ side })} />
    ),
    launchMinutes: minutes('launchMinutes', 'Launch (+min)'),
    totMinutes: minutes('totMinutes', 'TOT (+min)'),
    radioFreq: (
      <TextInput
        label="Radio"
        className={classes.radio}
        inputMode="decimal"
        autoComplete="off"
        placeholder="none"
        value={flight.radioFreq}
        error={errors[`${flight.id}.radioFreq`]}
        onChange={({ currentTarget }) => onChange({ radioFreq: currentTarget.value })}
      />
    ),
    notes: (
      <NotesField
        label="Flight notes"
        className={classes.notes}
        rows={1}
        value={flight.notes}
        error={errors[`${flight.id}.notes`]}
        onChange={(notes) => onChange({ notes })}
      />
    ),
  };
}
