/** The one rule of attendance: what presences and an order say together. It proposes, and marks nothing. */
import { clip, mergeIntervals, subtractIntervals, type Interval } from '#server/time/intervals.ts';
import { MINUTE_MS, toIso } from '#server/time/time.ts';
import type { Evidence } from '#shared/schemas/attendance.ts';
import type { Side } from '#shared/vocabulary.ts';
import { isSameAircraft } from './same-aircraft.ts';
import type { Seen } from './seen.ts';
import { FLOWN, type PresenceSource, type ProposalVerdict } from '#shared/presence.ts';

export interface OrderedSeat {
  side: Side;
  aircraft: { code: string; name: string };
  launchMs: number;
  missionEndMs: number;
}

export type SeenBy = Seen & { source: PresenceSource };

export interface Assessment {
  /** null proposes nothing */
  verdict: ProposalVerdict | null;
  /** null for a pilot who was not seen */
  evidence: Evidence | null;
}

const lengthMs = (intervals: readonly Interval[]): number =>
  mergeIntervals(intervals).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);

const wholeMinutes = (intervals: readonly Interval[]): number => Math.floor(lengthMs(intervals) / MINUTE_MS);

const distinct = <Text extends string>(values: readonly Text[]): Text[] =>
  [...new Set(values)].toSorted((a, b) => (a < b ? -1 : 1));

const isPresent = <T>(value: T | null): value is T => value !== null;

/**
 * The time in which the presence of a pilot counts. An order whose launch is after the end has none.
 * @returns possibly empty
 */
const countedTime = ({ launchMs, missionEndMs }: OrderedSeat): Interval => ({
  startMs: launchMs - FLOWN.minutesBeforeLaunch * MINUTE_MS,
  endMs: missionEndMs,
});

/**
 * Twenty minutes in the ordered side and aircraft are `flew`, twenty minutes in all `other_seat`, and less proposes nothing.
 * A time that several sources or files have seen counts once. What was not seen says nothing: there is no verdict for it.
 * @param presences of the pilot alone, in any order
 */
export function assess(seat: OrderedSeat, presences: readonly SeenBy[]): Assessment {
  const within = countedTime(seat);
  const seen = presences.flatMap((presence) => clip(presence, within) ?? []);
  const [firstMs, lastMs] = [Math.min(...seen.map((one) => one.startMs)), Math.max(...seen.map((one) => one.endMs))];
  if (seen.length === 0) return { verdict: null, evidence: null };
  const inSeat = seen.filter(
    ({ side, aircraft }) => side === seat.side && aircraft !== null && isSameAircraft(aircraft, seat.aircraft),
  );
  const isLong = (intervals: readonly Interval[]) => lengthMs(intervals) >= FLOWN.minutes * MINUTE_MS;
  const tookOff = seen.map(({ tookOffMs }) => tookOffMs).filter(isPresent);
  const landed = seen.map(({ landedMs }) => landedMs).filter(isPresent);
  return {
    verdict: isLong(inSeat) ? 'flew' : isLong(seen) ? 'other_seat' : null,
    evidence: {
      minutes: wholeMinutes(inSeat),
      otherMinutes: wholeMinutes(subtractIntervals(mergeIntervals(seen), inSeat)),
      firstSeenAt: toIso(firstMs),
      lastSeenAt: toIso(lastMs),
      tookOffAt: tookOff.length === 0 ? null : toIso(Math.min(...tookOff)),
      landedAt: landed.length === 0 ? null : toIso(Math.max(...landed)),
      aircraft: distinct(seen.map(({ aircraft }) => aircraft).filter(isPresent)),
      names: distinct(seen.map(({ name }) => name)),
      sources: distinct(seen.map(({ source }) => source)),
    },
  };
}
