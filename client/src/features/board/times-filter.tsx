import { NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { IconButton } from '#client/components/icon-button.tsx';
import { AIRCRAFT_SLOT_COUNT, FLIGHT_SIZE_MAX, RECOMMENDED_MINUTES } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { formatSeatRequests, SEAT_REQUESTS_MAX, type SeatRequest } from '#shared/seat-request.ts';
import { count } from '#shared/plural.ts';
import { describeMinutes, type TimesAsk } from './times-ask.ts';
import type { ChangeBoard } from './use-board-search.ts';
import classes from './times-filter.module.css';

const LENGTHS = RECOMMENDED_MINUTES.choices.map((minutes) => ({
  value: String(minutes),
  label: describeMinutes(minutes),
}));
const COUNTS = Array.from({ length: AIRCRAFT_SLOT_COUNT.max }, (_, index) => ({
  value: String(index + 1),
  label: count(index + 1, 'seat'),
}));

interface TimesFilterProps {
  ask: TimesAsk;
  aircraft: readonly AircraftDto[];
  onChange: ChangeBoard;
}

/** Length of the recommended times, and the seats that they should fill, by aircraft. */
export function TimesFilter({ ask: { minutes, seats }, aircraft, onChange }: TimesFilterProps) {
  const adding = useRef<HTMLSelectElement>(null);
  const setSeats = (next: readonly SeatRequest[]) => onChange({ seats: formatSeatRequests(next) });
  const chosen = new Set(seats.map(({ aircraftId }) => aircraftId));
  const others = aircraft
    .filter(({ id }) => !chosen.has(id))
    .toSorted((a, b) => b.pilots - a.pilots || a.name.localeCompare(b.name, 'en'));
  return (
    <div className={classes.filter}>
      <NativeSelect
        label="Length"
        data={LENGTHS}
        value={String(minutes)}
        onChange={({ currentTarget }) => {
          const next = Number(currentTarget.value);
          onChange({ minutes: next === RECOMMENDED_MINUTES.onBoard ? undefined : next });
        }}
      />
      <NativeSelect
        ref={adding}
        label="Seats to fill"
        className={classes.add}
        value=""
        disabled={others.length === 0 || seats.length >= SEAT_REQUESTS_MAX}
        data={[
          { value: '', label: seats.length === 0 ? 'Any aircraft' : 'Add aircraft' },
          ...others.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={({ currentTarget }) =>
          setSeats([...seats, { aircraftId: Number(currentTarget.value), seats: FLIGHT_SIZE_MAX }])
        }
      />
      {seats.length > 0 && (
        <ul className={classes.seats} aria-label="Chosen seats">
          {seats.map(({ aircraftId, seats: wanted }) => {
            const name = aircraft.find(({ id }) => id === aircraftId)?.name ?? '';
            return (
              <li key={aircraftId} className={classes.seat}>
                <span className={classes.name}>{name}</span>
                <NativeSelect
                  aria-label={`Seats in ${name}`}
                  data={COUNTS}
                  value={String(wanted)}
                  onChange={({ currentTarget }) => {
                    const next = Number(currentTarget.value);
                    setSeats(seats.map((one) => (one.aircraftId === aircraftId ? { ...one, seats: next } : one)));
                  }}
                />
                <IconButton
                  label={`Remove ${name}`}
                  onClick={() => {
                    setSeats(seats.filter((one) => one.aircraftId !== aircraftId));
                    adding.current?.focus();
                  }}
                >
                  <IconX size={18} aria-hidden="true" />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
