/** Missions and crowds to measure the seating by, and what a seating is worth by the rules alone. */
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import type { Seating, SeatingPilot, SeatingSeat } from '#server/seating/rules/one-mission/seating.ts';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { flight, HOURS, pilot, present } from '#tests/unit/server/seating/seating-given.ts';

const LEVELS: readonly [ProficiencyLevel, ...ProficiencyLevel[]] = PROFICIENCY_LEVELS;

/** Steps of what pilots differ by, so coarse that a whole seating is worth one number that is exact. */
const DEBT_STEPS = 50;
const RELIABILITY_STEPS = 50;

export type Match = { readonly seats: SeatingSeat[]; readonly pilots: SeatingPilot[] };

/**
 * Flights of four, by turns of each aircraft, and pilots who are there throughout for some of the aircraft.
 * @param kinds aircraft
 * @param own how many aircraft a pilot names at most
 * @param any the share of pilots who would fly whatever there is
 */
export function givenMatch(
  { seed, flights, kinds, pilots: count }: { seed: number; flights: number; kinds: number; pilots: number },
  { own, any }: { own: number; any: number },
): Match {
  const random = seeded(seed);
  const seats = Array.from({ length: flights }, (_, index) =>
    flight(`f${String(index).padStart(2, '0')}`, 4, { aircraftId: 1 + (index % kinds), aircraftName: 'Jet' }),
  ).flat();
  const pilots = Array.from({ length: count }, (_, index) => {
    const named = Array.from({ length: random.between(1, own) }, () => random.between(1, kinds));
    const presences: Presence[] = [...new Set(named)].map((aircraftId) => present(0, HOURS, aircraftId));
    if (random.chance(any)) presences.push(present(-1, HOURS + 1, null));
    return pilot(`p${String(index).padStart(5, '0')}`, {
      presences,
      levels: new Map(Array.from({ length: kinds }, (_none, kind) => [kind + 1, random.pick(LEVELS)])),
      debt: random.between(-DEBT_STEPS, DEBT_STEPS) / DEBT_STEPS,
      reliability: random.between(0, RELIABILITY_STEPS) / RELIABILITY_STEPS,
    });
  });
  return { seats, pilots };
}

export function isLead({ seatIndex, flightSize }: SeatingSeat): boolean {
  return seatIndex === 0 || (seatIndex === 2 && flightSize > 2);
}

/**
 * What a pilot on a seat adds to each priority from proficient leads on, in whole numbers; more is better. Null: does
 * not fit. All windows here hold the whole mission.
 */
export function gainsOf(seat: SeatingSeat, { presences, levels, debt, reliability }: SeatingPilot): number[] | null {
  const isExact = presences.some(({ aircraftId }) => aircraftId === seat.aircraftId);
  if (!isExact && !presences.some(({ aircraftId }) => aircraftId === null)) return null;
  const level = isLead(seat) ? PROFICIENCY_LEVELS.indexOf(levels.get(seat.aircraftId) ?? 'basic') : -1;
  return [
    level >= PROFICIENCY_LEVELS.indexOf('proficient') ? 1 : 0,
    Math.round(debt * DEBT_STEPS),
    // an empty lead is worse than the lowest level on it
    level + 1,
    isExact ? 1 : 0,
    Math.round(reliability * RELIABILITY_STEPS),
  ];
}

/** The range of each of the gains. */
const RANGES = [1, 2 * DEBT_STEPS, PROFICIENCY_LEVELS.length, 1, RELIABILITY_STEPS];
const LOWEST = [0, -DEBT_STEPS, 0, 0, 0];

/**
 * The gains as one cost, when every seat is filled: no gain of a priority makes up for one of an earlier priority,
 * summed over all seats.
 */
export function costOf(gains: readonly number[], seats: number): number {
  return RANGES.reduce((cost, range, index) => {
    const lost = range - ((gains[index] ?? 0) - (LOWEST[index] ?? 0));
    return cost * (seats * range + 1) + lost;
  }, 0);
}

/** The pilot of each seat, in the order of the seats. */
export function pilotsOf({ seats, pilots }: Match, { seated }: Seating): (SeatingPilot | null)[] {
  const byId = new Map(pilots.map((one) => [one.id, one]));
  const holders = new Map(seated.map(({ flightId, seatIndex, pilotId }) => [`${flightId} ${seatIndex}`, pilotId]));
  return seats.map(({ flightId, seatIndex }) => byId.get(holders.get(`${flightId} ${seatIndex}`) ?? '') ?? null);
}

/** Filled seats, then each of the gains, summed up; throws when somebody sits twice or where they do not fit. */
export function worthOf({ seats }: Match, holders: readonly (SeatingPilot | null)[]): number[] {
  const ids = holders.flatMap((holder) => holder?.id ?? []);
  if (new Set(ids).size < ids.length) throw new Error('A pilot has two seats.');
  const sums = [0, ...RANGES.map(() => 0)];
  seats.forEach((seat, index) => {
    const holder = holders[index];
    if (!holder) return;
    const gains = gainsOf(seat, holder);
    if (!gains) throw new Error(`${holder.id} sits where they do not fit.`);
    [1, ...gains].forEach((gain, priority) => (sums[priority] = (sums[priority] ?? 0) + gain));
  });
  return sums;
}
