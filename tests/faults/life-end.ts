/** Checks of the final state: no pilot waits in vain, and no seat that could be filled is empty. */
import type { FlightRow, LeaveRow, MissionRow, OrderRow, PilotRow, SeatRow } from './life-journal.ts';
import { holdsSeat, isLive, meet, stateOf, type Steady } from './life-machine.ts';

const HOUR_MS = 3_600_000;

export interface End {
  /** the reading's time */
  nowMs: number;
  missions: readonly MissionRow[];
  flights: readonly FlightRow[];
  orders: readonly OrderRow[];
  seats: readonly SeatRow[];
  accounts: readonly PilotRow[];
  leaves: readonly LeaveRow[];
  /** pilots who are always free for this aircraft (0: any of those they list, or any at all without a list), or never (null) */
  pilots: readonly (Steady & { isDoNotDisturb: boolean; listed: readonly number[] })[];
  /** when a mission's orders are next processed, by jobs that no dead worker has locked */
  wakings: readonly { missionId: string; atMs: number }[];
}

/** @returns a line for everything that is stuck; [] when all is well */
export function findStuck({
  nowMs,
  missions,
  flights,
  orders,
  seats,
  accounts,
  leaves,
  pilots,
  wakings,
}: End): string[] {
  const found: string[] = [];
  const active = new Set(accounts.flatMap(({ id, isActive }) => (isActive ? [id] : [])));
  for (const order of orders) {
    const hasSeat = seats.some(({ orderId }) => orderId === order.id);
    if (holdsSeat(order) !== hasSeat)
      found.push(`order ${order.id} is ${stateOf(order)} ${hasSeat ? 'with' : 'without'} a seat`);
    if (order.status !== 'issued' || order.rsvp !== 'pending') continue;
    if (order.expiresMs < nowMs - 1_000) found.push(`order ${order.id} ran out and is still there`);
    const isWatched = wakings.some(
      ({ missionId, atMs }) => missionId === order.missionId && atMs <= Math.max(order.expiresMs, nowMs) + 1_000,
    );
    if (!isWatched) found.push(`nobody will end order ${order.id}`);
  }
  for (const mission of missions) {
    const left = mission.startMs - nowMs;
    if (mission.status !== 'scheduled' || left < 2 * HOUR_MS + 60_000) continue;
    const inMission = orders.filter(({ missionId }) => missionId === mission.id);
    const away = new Set(leaves.flatMap((leave) => (meet(leave, mission) ? [leave.pilotId] : [])));
    const kept = inMission.filter((order) => isLive(order) && away.has(order.pilotId));
    found.push(...kept.map((order) => `order ${order.id} stands, though its pilot is on leave`));
    const free = flights
      .filter(({ missionId }) => missionId === mission.id)
      .flatMap((flight) => Array.from({ length: flight.sizeCap }, (_, seatIndex) => ({ flight, seatIndex })))
      .filter(
        ({ flight, seatIndex }) => !seats.some((seat) => seat.flightId === flight.id && seat.seatIndex === seatIndex),
      );
    for (const { flight, seatIndex } of free) {
      const idle = pilots.filter(
        ({ id, aircraftId, isDoNotDisturb, listed }) =>
          active.has(id) &&
          !away.has(id) &&
          (aircraftId === 0
            ? listed.length === 0 || listed.includes(flight.aircraftId)
            : aircraftId === flight.aircraftId) &&
          !(isDoNotDisturb && left <= 24 * HOUR_MS) &&
          !inMission.some(({ pilotId }) => pilotId === id) &&
          !seats.some((seat) => seat.pilotId === id && seat.startMs < mission.endMs && mission.startMs < seat.endMs),
      );
      found.push(
        ...idle.map(
          ({ id }) => `seat ${flight.id}:${seatIndex} is empty, and ${id}, who could fly it, was never asked`,
        ),
      );
    }
  }
  return found;
}
