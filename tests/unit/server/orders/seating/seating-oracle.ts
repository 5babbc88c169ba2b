/** The best seating by exhaustive search, and random cases for it. Shares no arithmetic with the code. */
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import { hashText, mixHash } from '#server/time/hash.ts';
import type { SeatingPilot, SeatingSeat } from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import type { Random } from '#tests/harness/seeded.ts';
import { flight, HORNET, HOURS, mission, pilot, present, START, VIPER } from './seating-given.ts';

/** The priorities in order; the last is the tie-breaker. */
export const PRIORITIES = [
  'seats filled',
  'who goes first',
  'who lists the aircraft',
  'listed leads',
  'proficient leads',
  'fairness',
  'levels on leads',
  'exact aircraft',
  'reliability',
  'the tie-breaker',
] as const;
export type Priority = (typeof PRIORITIES)[number];

export type SeatingCase = { readonly seats: SeatingSeat[]; readonly pilots: SeatingPilot[] };

/** A quarter hour, the step of all windows here. */
const GRAIN_MS = HOUR_MS / 4;

/** Quarter hours one by one: no interval arithmetic shared with the code. */
export function fits(one: SeatingPilot, aircraftId: number, nowMs: number): 'exact' | 'any' | 'unlisted' | null {
  const isHeld = (at: number, list: readonly Presence[]) =>
    list.some(({ startMs, endMs }) => startMs <= at && at < endMs);
  const moments = Array.from({ length: HOURS * 4 }, (_, index) => START + index * GRAIN_MS);
  if (!one.active || (one.state === 'dnd' && START - nowMs <= 24 * HOUR_MS)) return null;
  if (one.commitments.some((busy) => moments.some((at) => busy.startMs <= at && at < busy.endMs))) return null;
  const own = one.presences.filter((each) => each.aircraftId === aircraftId);
  if (moments.every((at) => isHeld(at, own))) return 'exact';
  const listed = [...one.levels.keys()];
  if (listed.length > 0 && !listed.includes(aircraftId)) return null;
  const suitable = one.presences.filter((each) => each.aircraftId === null || each.aircraftId === aircraftId);
  if (!moments.every((at) => isHeld(at, suitable))) return null;
  return listed.length === 0 ? 'unlisted' : 'any';
}

function leads({ role, seatIndex, flightSize }: SeatingSeat): boolean {
  return role !== 'Tanker' && (seatIndex === 0 || (seatIndex === 2 && flightSize > 2));
}

/** The tie-breaker is arbitrary but must not change, or another version would seat different pilots. */
function tieBreakerOf({ flightId, seatIndex }: SeatingSeat, { id }: SeatingPilot): number {
  return mixHash((hashText(`${mission.id} ${id}`) + Math.imul(hashText(`${flightId} ${seatIndex}`), 0x9e3779b1)) | 0);
}

/** The gain for each priority from a pilot on a seat, or from an empty one; more is better. Null: does not fit. */
function gains(seat: SeatingSeat, one: SeatingPilot | null, nowMs: number): number[] | null {
  // An empty lead seat is worse than the lowest level.
  if (!one) return [0, 0, 0, 0, 0, 0, leads(seat) ? -1 : 0, 0, 0, 0];
  const fit = fits(one, seat.aircraftId, nowMs);
  if (!fit) return null;
  const level = leads(seat) ? PROFICIENCY_LEVELS.indexOf(one.levels.get(seat.aircraftId) ?? 'basic') : 0;
  return [
    1,
    one.goesFirst ? 1 : 0,
    fit === 'unlisted' ? 0 : 1,
    leads(seat) && fit !== 'unlisted' ? 1 : 0,
    level >= 2 ? 1 : 0,
    one.debt,
    level,
    fit === 'exact' ? 1 : 0,
    one.reliability,
    -tieBreakerOf(seat, one),
  ];
}

/**
 * Tries every seating.
 * @returns each seat's pilot id or null, and the decisive priorities: for each, some other seating was equal by all
 *   earlier priorities and worse by this one
 */
export function bestSeating(
  { seats, pilots }: SeatingCase,
  nowMs: number,
): { holders: (string | null)[]; decisive: Priority[] } {
  const gain = seats.map((seat) => pilots.map((one) => gains(seat, one, nowMs)));
  const empty = seats.map((seat) => gains(seat, null, nowMs) ?? []);
  const given: (string | null)[] = seats.map(() => null);
  const taken = pilots.map(() => false);
  const sums = Array.from({ length: seats.length + 1 }, () => PRIORITIES.map(() => 0));
  let best: number[] | null = null;
  let holders: (string | null)[] = [];
  let decided: boolean[] = PRIORITIES.map(() => false);

  const weigh = (score: readonly number[]) => {
    const differing = best ? score.findIndex((value, index) => value !== best?.[index]) : -1;
    if (best && differing < 0) throw new Error('Two seatings are equal even by the tie-breaker.');
    if (best && (score[differing] ?? 0) < (best[differing] ?? 0)) {
      decided[differing] = true;
      return;
    }
    // Later priorities only decided among seatings that are now worse.
    decided = decided.map((before, index) => index === differing || (index < differing && before));
    best = [...score];
    holders = [...given];
  };
  const tryFrom = (index: number) => {
    const before = sums[index] ?? [];
    const after = sums[index + 1];
    if (!after) return weigh(before);
    const place = (values: readonly number[], holder: string | null) => {
      for (let priority = 0; priority < after.length; priority++) {
        after[priority] = (before[priority] ?? 0) + (values[priority] ?? 0);
      }
      given[index] = holder;
      tryFrom(index + 1);
    };
    place(empty[index] ?? [], null);
    pilots.forEach(({ id }, which) => {
      const values = gain[index]?.[which];
      if (!values || taken[which]) return;
      taken[which] = true;
      place(values, id);
      taken[which] = false;
    });
  };
  tryFrom(0);
  return { holders, decisive: PRIORITIES.filter((_, index) => decided[index]) };
}

const LEVELS: readonly [ProficiencyLevel, ...ProficiencyLevel[]] = PROFICIENCY_LEVELS;

/**
 * A case with these numbers of seats and pilots. At random, all pilots of a case are equal in some respect, so that later
 * priorities decide. Numbers are exact binary fractions, so that sums can be compared directly.
 */
export function randomCase(random: Random, seatCount: number, pilotCount: number): SeatingCase {
  const seats: SeatingSeat[] = [];
  while (seats.length < seatCount) {
    const size = random.between(1, Math.min(4, seatCount - seats.length));
    const aircraftId = random.pick([VIPER, VIPER, HORNET]);
    seats.push(...flight(`f${seats.length}`, size, { aircraftId, role: random.pick(['CAP', 'SEAD', 'Tanker']) }));
  }
  const varied = () => random.chance(0.7);
  const [debts, levels, windows, reliabilities, turns] = [
    varied(),
    random.chance(0.5),
    varied(),
    varied(),
    random.chance(0.4),
  ];
  const anyLevels = () => {
    const share = random.pick([0, 0.6, 0.9]);
    return new Map([VIPER, HORNET].flatMap((id) => (random.chance(share) ? [[id, random.pick(LEVELS)] as const] : [])));
  };
  const sameLevels = new Map(random.pick([[], [VIPER, HORNET], [VIPER, HORNET]]).map((id) => [id, LEVELS[0]]));
  const anyPresence = () => {
    const [a, b] = [random.between(-4, 4 * HOURS + 4) / 4, random.between(-4, 4 * HOURS + 4) / 4];
    return present(Math.min(a, b), Math.max(a, b), random.pick([null, VIPER, HORNET]));
  };
  const anyPresences = () =>
    random.chance(0.8)
      ? [present(0, HOURS, random.pick([null, VIPER, HORNET])), ...(random.chance(0.5) ? [anyPresence()] : [])]
      : [anyPresence(), anyPresence(), anyPresence()];
  const pilots = Array.from({ length: pilotCount }, (_, index) =>
    pilot(`p${index}`, {
      active: !random.chance(0.03),
      commitments: random.chance(0.04) ? [anyPresence()] : [],
      state: random.pick(['available', 'available', 'now', 'dnd']),
      ...(windows && { presences: anyPresences() }),
      levels: levels ? anyLevels() : sameLevels,
      ...(debts && { debt: random.between(-4, 4) / 4 }),
      ...(reliabilities && { reliability: random.between(0, 8) / 8 }),
      ...(turns && { goesFirst: random.chance(0.3) }),
    }),
  );
  return { seats, pilots };
}

/** The same case in another order, including windows and commitments. */
export function shuffleCase(random: Random, { seats, pilots }: SeatingCase): SeatingCase {
  return {
    seats: shuffle(random, seats),
    pilots: shuffle(random, pilots).map((one) => ({
      ...one,
      presences: shuffle(random, one.presences),
      commitments: shuffle(random, one.commitments),
    })),
  };
}

export function shuffle<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
