/** The best score of a small week's seating, by exhaustive search. Shares no code with the seating. */
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import type { SeatingPilot, SeatingSeat } from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';
import type { WeekMission } from '#server/orders/seating/rules/week/week-seating.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';

const STEP_MS = HOUR_MS / 4;

/**
 * Filled seats, pilots who go first, pilots who list the aircraft, those on leads, proficient leads, debts, lead levels,
 * exact aircraft, reliability; more is better.
 */
export type Score = readonly number[];

/** Quarter hours one by one: no interval arithmetic shared with the code. */
function moments({ startMs, endMs }: { startMs: number; endMs: number }): number[] {
  return Array.from({ length: (endMs - startMs) / STEP_MS }, (_, index) => startMs + index * STEP_MS);
}

export function isTogether(a: WeekMission, b: WeekMission): boolean {
  const times = new Set(moments(a.mission));
  return moments(b.mission).some((at) => times.has(at));
}

/** The pilot's fit for this aircraft in this mission; null if there is none. */
export function fits(
  pilot: SeatingPilot,
  { mission }: WeekMission,
  aircraftId: number,
  nowMs: number,
): 'exact' | 'any' | 'unlisted' | null {
  const times = moments(mission);
  const isHeld = (at: number, list: readonly Presence[]) =>
    list.some(({ startMs, endMs }) => startMs <= at && at < endMs);
  if (!pilot.active || (pilot.state === 'dnd' && mission.startMs - nowMs <= 24 * HOUR_MS)) return null;
  if (pilot.commitments.some((busy) => times.some((at) => busy.startMs <= at && at < busy.endMs))) return null;
  const own = pilot.presences.filter((each) => each.aircraftId === aircraftId);
  if (times.every((at) => isHeld(at, own))) return 'exact';
  const listed = [...pilot.levels.keys()];
  if (listed.length > 0 && !listed.includes(aircraftId)) return null;
  const suitable = pilot.presences.filter((each) => each.aircraftId === null || each.aircraftId === aircraftId);
  if (!times.every((at) => isHeld(at, suitable))) return null;
  return listed.length === 0 ? 'unlisted' : 'any';
}

function worth(pilot: SeatingPilot, week: WeekMission, seat: SeatingSeat, nowMs: number): Score | null {
  const fit = fits(pilot, week, seat.aircraftId, nowMs);
  if (fit === null) return null;
  const leads = isRanked(seat);
  const level = PROFICIENCY_LEVELS.indexOf(pilot.levels.get(seat.aircraftId) ?? 'basic');
  return [
    1,
    pilot.goesFirst ? 1 : 0,
    fit === 'unlisted' ? 0 : 1,
    leads && fit !== 'unlisted' ? 1 : 0,
    leads && level >= 2 ? 1 : 0,
    pilot.debt,
    // an empty lead seat is worse than any level
    leads ? level + 1 : 0,
    fit === 'exact' ? 1 : 0,
    pilot.reliability,
  ];
}

function isRanked({ role, seatIndex, flightSize }: SeatingSeat): boolean {
  return !['Tanker', 'AWACS', 'EW'].includes(role) && (seatIndex === 0 || (seatIndex === 2 && flightSize > 2));
}

const plus = (a: Score, b: Score): Score => a.map((value, index) => value + (b[index] ?? 0));
function isBetter(a: Score, b: Score): boolean {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing >= 0 && (a[differing] ?? 0) > (b[differing] ?? 0);
}
const NOTHING: Score = [0, 0, 0, 0, 0, 0, 0, 0, 0];

/** Computes, pilot by pilot, the best score for every set of taken seats. For about a dozen seats at most. */
export function bestScore(missions: readonly WeekMission[], pilots: readonly SeatingPilot[], nowMs: number): Score {
  const seats = missions.flatMap((week) => week.seats.map((seat) => ({ week, seat })));
  let best = new Map<number, Score>([[0, NOTHING]]);
  for (const pilot of pilots) {
    const worths = seats.map(({ week, seat }) => worth(pilot, week, seat, nowMs));
    /** every set of seats that this pilot can hold together */
    const hands: { mask: number; score: Score; held: number[] }[] = [{ mask: 0, score: NOTHING, held: [] }];
    seats.forEach(({ week }, index) => {
      const score = worths[index];
      if (!score) return;
      for (const hand of hands.slice()) {
        const isFree = hand.held.every((other) => {
          const there = seats[other];
          return there !== undefined && there.week !== week && !isTogether(there.week, week);
        });
        if (!isFree) continue;
        hands.push({ mask: hand.mask | (1 << index), score: plus(hand.score, score), held: [...hand.held, index] });
      }
    });
    const next = new Map(best);
    for (const [taken, score] of best) {
      for (const hand of hands) {
        if ((taken & hand.mask) !== 0) continue;
        const total = plus(score, hand.score);
        const known = next.get(taken | hand.mask);
        if (!known || isBetter(total, known)) next.set(taken | hand.mask, total);
      }
    }
    best = next;
  }
  return [...best.values()].reduce((max, score) => (isBetter(score, max) ? score : max), NOTHING);
}

/** The score of a seating. @param given pilot of each seat of each mission, null: open */
export function scoreOf(
  missions: readonly WeekMission[],
  given: readonly (readonly (SeatingPilot | null)[])[],
  nowMs: number,
): Score {
  let total = NOTHING;
  missions.forEach((week, place) => {
    week.seats.forEach((seat, index) => {
      const pilot = given[place]?.[index];
      if (!pilot) return;
      const score = worth(pilot, week, seat, nowMs);
      if (!score) throw new Error(`${pilot.id} cannot fly ${seat.flightId} ${seat.seatIndex}`);
      total = plus(total, score);
    });
  });
  return total;
}
