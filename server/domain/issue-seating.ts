/** Seating a mission that is to be issued: by what it is, not by its ids, so that a preview seats as the issue will. */
import type { Interval } from './intervals.ts';
import { seatMission, type Seating, type SeatingPilot, type SeatingSeat } from './seating.ts';

/** Flights of one mission number at most 256. */
const POSITION_DIGITS = 3;

/**
 * Seat pilots as `seatMission` does. What breaks ties (the seat's name and the mission's) is made from the mission's
 * times and the place of each flight in it: the same plan at the same time has the same answer, before it is stored
 * and after.
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
  const flightIds = [...new Set(seats.map(({ flightId }) => flightId))];
  const keyOf = new Map(flightIds.map((id, index) => [id, String(index).padStart(POSITION_DIGITS, '0')]));
  const idOf = <Seat extends { readonly flightId: string }>(seat: Seat): Seat => ({
    ...seat,
    flightId: flightIds[Number(seat.flightId)] ?? seat.flightId,
  });
  const keyed = seats.map((seat) => ({ ...seat, flightId: keyOf.get(seat.flightId) ?? seat.flightId }));
  const plan = keyed.map(({ flightId, aircraftId, role }) => `${flightId} ${aircraftId} ${role}`).join(';');
  const { seated, open, unseated } = seatMission({
    seats: keyed,
    mission: { id: `${times.startMs} ${times.endMs} ${plan}`, startMs: times.startMs, endMs: times.endMs },
    nowMs,
    pilots,
  });
  return { seated: seated.map(idOf), open: open.map(idOf), unseated };
}
