/** Stable seating: ties are broken by the plan instead of ids, so that a preview has the same result as issuing the orders. */
import type { Interval } from '#server/time/intervals.ts';
import { seatMission, type Seating, type SeatingMission, type SeatingPilot, type SeatingSeat } from './seating.ts';

/** A mission has at most 256 flights. */
const POSITION_DIGITS = 3;

export type KeyedMission = {
  readonly mission: SeatingMission;
  readonly seats: SeatingSeat[];
  /** converts a seating of the keyed seats back to the real flight ids */
  readonly withIds: (seating: Seating) => Seating;
};

/**
 * The mission and its seats with keys instead of ids, made from the mission's times and the position of each flight. Keys
 * break ties, so the same plan at the same time has the same seating before and after it is stored.
 * @param seats all seats of the mission, in board order
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
 * Seat pilots like `seatMission`, with ties broken by the keys of `keyByPlace`.
 * @param seats all seats of the mission, in board order
 * @returns seats with their real flight ids, in board order
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
