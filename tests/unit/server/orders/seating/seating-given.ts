/** Sample mission, pilots and seats for tests of the seating. */
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import { seatMission, type SeatingPilot, type SeatingSeat } from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';
import type { MissionRole } from '#shared/vocabulary.ts';

export const START = Date.UTC(2026, 6, 1, 19);
export const HOURS = 3;
export const mission = { id: 'mission', startMs: START, endMs: START + HOURS * HOUR_MS };
export const EARLY = START - 72 * HOUR_MS;
export const VIPER = 2;
export const HORNET = 1;

/** Present from hour `from` to hour `to` after mission start. */
export function present(from: number, to: number, aircraftId: number | null = null): Presence {
  return { startMs: START + from * HOUR_MS, endMs: START + to * HOUR_MS, aircraftId, source: 'template', notes: null };
}
export function pilot(id: string, more: Partial<SeatingPilot> = {}): SeatingPilot {
  return {
    id,
    active: true,
    presences: [present(0, HOURS)],
    commitments: [],
    state: 'available',
    levels: new Map(),
    debt: 0,
    reliability: 1,
    ...more,
  };
}
export function flight(flightId: string, flightSize: number, more: Partial<SeatingSeat> = {}): SeatingSeat[] {
  return Array.from({ length: flightSize }, (_, seatIndex) => ({
    flightId,
    seatIndex,
    aircraftId: VIPER,
    aircraftName: 'F-16C Viper',
    role: 'CAP' as MissionRole,
    flightSize,
    ...more,
  }));
}
export const solve = (seats: SeatingSeat[], pilots: SeatingPilot[], nowMs = EARLY) =>
  seatMission({ seats, mission, nowMs, pilots });
