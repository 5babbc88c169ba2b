/** The changes of a mission edit, as the audit records them. */
import type { EditFlight, EditPackage } from '#server/missions/rules/edit-flights.ts';
import {
  changesBetween,
  linkChanges,
  packageChanges,
  planChanges,
  timeChanges,
  type FlightWords,
} from '#server/orders/seats/rules/order-changes.ts';
import type { Interval } from '#server/time/intervals.ts';
import { MISSION_FIELD_KEYS, type ChangeField } from '#shared/mission-fields.ts';
import { shorten } from '#shared/order-changes.ts';
import type { MissionValues } from '#shared/schemas/mission-edit.ts';

/** `flight` is the flight's callsign before the edit; mission fields have none. */
export type EditChange = { field: ChangeField; from: string | null; to: string | null; flight?: string };

interface EditedState extends Interval, MissionValues {
  packages: readonly (Omit<EditPackage, 'id'> & { readonly id: string | null })[];
  flights: readonly EditFlight[];
}

/** The facts of a flight that its orders show. */
export function flightWords(flight: EditFlight): FlightWords {
  const { callsign, aircraft, role, side, radioFreq, notes } = flight;
  return { callsign, aircraft: aircraft.name, role, side, radio: radioFreq, notes };
}

const rosterWords = ({ callsign, sizeCap, aircraft, role }: EditFlight) =>
  `${callsign}, ${sizeCap} × ${aircraft.name}, ${role}`;
const cut = (value: string | null) => (value === null ? null : shorten(value));

/** All differences between two states of a mission, its own fields first; [] if they are equal. */
export function listEditChanges(before: EditedState, after: EditedState): EditChange[] {
  const own = MISSION_FIELD_KEYS.flatMap((field): EditChange[] =>
    before[field] === after[field] ? [] : [{ field, from: cut(before[field]), to: cut(after[field]) }],
  );
  const ofLinks = linkChanges(before.links, after.links).map((change) => ({
    ...change,
    from: cut(change.from),
    to: cut(change.to),
  }));
  const afterOf = new Map(after.flights.map((flight) => [flight.id, flight]));
  const ofFlights = before.flights.flatMap((flight): EditChange[] => {
    const next = afterOf.get(flight.id);
    if (!next) return [{ field: 'flight', from: rosterWords(flight), to: null }];
    const changes: EditChange[] = [
      ...changesBetween(flightWords(flight), flightWords(next)),
      ...planChanges(flight, next),
    ].map(({ field, from, to }) => ({ field, from: cut(from), to: cut(to) }));
    if (flight.sizeCap !== next.sizeCap) {
      changes.push({ field: 'seats', from: String(flight.sizeCap), to: String(next.sizeCap) });
    }
    return changes.map((change) => ({ ...change, flight: flight.callsign }));
  });
  const added = after.flights
    .filter(({ id }) => id === null)
    .map((flight): EditChange => ({ field: 'flight', from: null, to: rosterWords(flight) }));
  const ofPackages = before.packages.flatMap((one): EditChange[] => {
    const next = after.packages.find(({ id }) => id === one.id);
    return next
      ? packageChanges(one, next).map(({ field, from, to }) => ({ field, from: cut(from), to: cut(to) }))
      : [];
  });
  return [...own, ...ofLinks, ...timeChanges(before, after), ...ofPackages, ...ofFlights, ...added];
}
