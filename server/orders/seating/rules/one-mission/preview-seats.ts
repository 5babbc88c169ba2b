/** The seats that a requested mission would have, before it is stored. */
import { THEATERS } from '#shared/vocabulary.ts';
import type { Interval } from '#server/time/intervals.ts';
import { planMission, type PlanSlot } from '#server/planning/rules/mission-plan.ts';
import type { SeatingSeat } from './seating.ts';

/**
 * The seats the plan would make, in board order.
 * @returns `slotOf`: the requested slot of each flight, by the `flightId` of its seats
 */
export function previewSeats(
  slots: readonly PlanSlot[],
  times: Interval,
): { seats: SeatingSeat[]; slotOf: Map<string, number> } {
  // Callsigns, frequencies and the theater do not affect the seating.
  const nobody = new Set<string>();
  const plan = planMission({
    ...times,
    theater: THEATERS[0],
    slots,
    takenCallsigns: nobody,
    takenFrequencies: nobody,
  });
  const flights = plan.packages.flatMap((planned) => planned.flights);
  const seats = flights.flatMap((flight) =>
    Array.from({ length: flight.sizeCap }, (_, seatIndex) => ({
      flightId: flight.callsign,
      seatIndex,
      aircraftId: flight.aircraftId,
      aircraftName: flight.aircraftName,
      role: flight.role,
      flightSize: flight.sizeCap,
    })),
  );
  return { seats, slotOf: new Map(flights.map(({ callsign, slotIndex }) => [callsign, slotIndex])) };
}
