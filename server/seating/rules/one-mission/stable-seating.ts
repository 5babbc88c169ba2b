/** Seating a mission that is to be issued: by what it is, not by its ids, so that a preview seats as the issue will. */
import type { Interval } from '#server/time/intervals.ts';
import { seatMission, type Seating, type SeatingMission, type SeatingPilot, type SeatingSeat } from './seating.ts';

/** Flights of one mission number at most 256. */
const POSITION_DIGITS = 3;

export type KeyedMission = {
  readonly mission: SeatingMission;
  readonly seats: SeatingSeat[];
  /** the seating of the keyed seats under their own flight ids */
  readonly withIds: (seating: Seating) => Seating;
};

/**
 * The mission and its seats under names that are made from the mission's times and the place of each flight in it.
 * They break ties: the same plan at the same time has the same answer, before it is stored and after.
 * @param seats in board order, all of the mission
 */
export function keyByPlace(seats: readonly SeatingSeat[], { startMs, endMs }: Interval): KeyedMission {
  const flightIds = [...new Set(seats.map(({ flightId }) => flightId))];
  const keyOf = new Map(flightIds.map((id, index) => [id, String(index).padStart(POSITION_DIGITS, '0')]));
  const idOf = <Seat extends { readonly flightId: string }>(seat: Seat): Seat => ({
    ...seat,
    flightId: flightIds[Number(seat.flightId)] ?? seat.flightId,
  });
  const keyed = seats.map((seat) => ({ ...seat, flightId: keyOf.get(seat.flightId) ?? seat.flightId }));
  const plan = keyed.map(({ flightId, aircraftId, role }) => `${flightId} ${aircraftId} ${role}`).join(';');
  return {
    mission: { id: `${startMs} ${endMs} ${plan}`, startMs, endMs },
    seats: keyed,
    withIds: ({ seated, open, ineligible }) => ({ seated: seated.map(idOf), open: open.map(idOf), ineligible }),
  };
}

/**
 * Seat pilots as `seatMission` does, ties broken as `keyByPlace` says.
 * @param seats in board order, all of the mission
 * @returns seats under their own flight ids, in board order
 */
export function seatForIssue({
  seats,
  times,
  nowMs,
  pilots,
}: {
  readonly seats: readonly SeatingSeat[];
  readonly times: Interval;
  readonly nowMs: number;
  readonly pilots: readonly SeatingPilot[];
}): Seating {
  const { mission, seats: keyed, withIds } = keyByPlace(seats, times);
  return withIds(seatMission({ seats: keyed, mission, nowMs, pilots }));
}
