/** Generated missions and pilots for the seating benchmarks, and the worth of a seating by the rules alone. */
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import type { Seating, SeatingPilot, SeatingSeat } from '#server/orders/seating/rules/one-mission/seating.ts';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { flight, HOURS, pilot, present } from '#tests/unit/server/orders/seating/seating-given.ts';

const LEVELS: readonly [ProficiencyLevel, ...ProficiencyLevel[]] = PROFICIENCY_LEVELS;

/** Steps of the pilots' debts and reliabilities, coarse enough for the worth of a seating to be one exact number. */
const DEBT_STEPS = 50;
const RELIABILITY_STEPS = 50;

export type Match = { readonly seats: SeatingSeat[]; readonly pilots: SeatingPilot[] };

/**
 * Flights of four that take turns through the aircraft, and pilots who are available throughout for some of them.
 * @param kinds number of aircraft
 * @param own maximum number of aircraft that a pilot names
 * @param any share of pilots with a window for any aircraft
 * @param none share of pilots who list no aircraft
 */
export function givenMatch(
  { seed, flights, kinds, pilots: count }: { seed: number; flights: number; kinds: number; pilots: number },
  { own, any, none }: { own: number; any: number; none: number },
): Match {
  const random = seeded(seed);
  const seats = Array.from({ length: flights }, (_, index) =>
    flight(`f${String(index).padStart(2, '0')}`, 4, { aircraftId: 1 + (index % kinds), aircraftName: 'Jet' }),
  ).flat();
  const pilots = Array.from({ length: count }, (_, index) => {
    const named = Array.from({ length: random.between(1, own) }, () => random.between(1, kinds));
    const presences: Presence[] = [...new Set(named)].map((aircraftId) => present(0, HOURS, aircraftId));
    if (random.chance(any)) presences.push(present(-1, HOURS + 1, null));
    const listed = random.chance(none)
      ? []
      : Array.from({ length: kinds }, (_none, kind) => kind + 1).filter(
          (id) => named.includes(id) || random.chance(0.5),
        );
    return pilot(`p${String(index).padStart(5, '0')}`, {
      presences,
      levels: new Map(listed.map((id) => [id, random.pick(LEVELS)])),
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
 * A pilot's gain on a seat for each priority from listed aircraft on, in whole numbers; more is better. Null: does not
 * fit. All windows here cover the whole mission.
 */
export function gainsOf(seat: SeatingSeat, { presences, levels, debt, reliability }: SeatingPilot): number[] | null {
  const isExact = presences.some(({ aircraftId }) => aircraftId === seat.aircraftId);
  const isAny = presences.some(({ aircraftId }) => aircraftId === null);
  if (!isExact && !(isAny && (levels.size === 0 || levels.has(seat.aircraftId)))) return null;
  const isNamed = isExact || levels.size > 0;
  const level = isLead(seat) ? PROFICIENCY_LEVELS.indexOf(levels.get(seat.aircraftId) ?? 'basic') : -1;
  return [
    isNamed ? 1 : 0,
    isNamed && isLead(seat) ? 1 : 0,
    level >= PROFICIENCY_LEVELS.indexOf('proficient') ? 1 : 0,
    Math.round(debt * DEBT_STEPS),
    // an empty lead seat is worse than the lowest level
    level + 1,
    isExact ? 1 : 0,
    Math.round(reliability * RELIABILITY_STEPS),
  ];
}

/** The gains that only tell pilots with and without a list apart. */
const LISTING = 2;
/** The range of each later gain. */
const RANGES = [1, 2 * DEBT_STEPS, PROFICIENCY_LEVELS.length, 1, RELIABILITY_STEPS];
const LOWEST = [0, -DEBT_STEPS, 0, 0, 0];

/**
 * The gains as one cost, if every seat is filled by a pilot who lists aircraft: the gains of a priority over all seats
 * never outweigh one of an earlier priority.
 */
export function costOf(gains: readonly number[], seats: number): number {
  return RANGES.reduce((cost, range, index) => {
    const lost = range - ((gains[LISTING + index] ?? 0) - (LOWEST[index] ?? 0));
    return cost * (seats * range + 1) + lost;
  }, 0);
}

/** The pilot of each seat, in seat order. */
export function pilotsOf({ seats, pilots }: Match, { seated }: Seating): (SeatingPilot | null)[] {
  const byId = new Map(pilots.map((one) => [one.id, one]));
  const holders = new Map(seated.map(({ flightId, seatIndex, pilotId }) => [`${flightId} ${seatIndex}`, pilotId]));
  return seats.map(({ flightId, seatIndex }) => byId.get(holders.get(`${flightId} ${seatIndex}`) ?? '') ?? null);
}

/** The sums of the filled seats and of each gain; throws if a pilot has two seats or does not fit. */
export function worthOf({ seats }: Match, holders: readonly (SeatingPilot | null)[]): number[] {
  const ids = holders.flatMap((holder) => holder?.id ?? []);
  if (new Set(ids).size < ids.length) throw new Error('A pilot has two seats.');
  const sums = Array.from({ length: 1 + LISTING + RANGES.length }, () => 0);
  seats.forEach((seat, index) => {
    const holder = holders[index];
    if (!holder) return;
    const gains = gainsOf(seat, holder);
    if (!gains) throw new Error(`${holder.id} sits where they do not fit.`);
    [1, ...gains].forEach((gain, priority) => (sums[priority] = (sums[priority] ?? 0) + gain));
  });
  return sums;
}
