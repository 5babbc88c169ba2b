/** Figures of the expected-pilots chart: peak, runs of equal buckets, midnights. Pure functions. */
import { formatTime, localDate } from '#shared/clock.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { addDays, instantOfWallTime } from '#client/lib/wall-time.ts';
import type { ExpectedOnlineDto } from '#shared/schemas/dashboard.ts';
import { countOf } from './board-text.ts';

export type OnlinePoint = ExpectedOnlineDto['points'][number];

/** Consecutive buckets with the same numbers on one local date. */
export interface OnlineRun extends OnlinePoint {
  /** ISO instant */
  endUtc: string;
  /** `YYYY-MM-DD` of the start */
  date: string;
}

/** The first bucket with the most expected pilots; undefined when nobody is expected. */
function findPeak(points: readonly OnlinePoint[]): OnlinePoint | undefined {
  const most = Math.max(0, ...points.map(({ expected }) => expected));
  return most === 0 ? undefined : points.find(({ expected }) => expected === most);
}

/** `Peak: 23 pilots, Sat, Nov 21 1900Z 2000L. Most seats taken at once: 8, ...` */
export function describeWeek(points: readonly OnlinePoint[], timeZone: string): string {
  const peak = findPeak(points);
  if (peak === undefined) {
    return 'Nobody is expected in the next 7 days.';
  }
  const seats = Math.max(...points.map(({ committed }) => committed));
  const busiest = points.find(({ committed }) => committed === seats);
  const taken =
    seats === 0 || busiest === undefined
      ? 'No seats are taken yet.'
      : `Most seats taken: ${seats}, ${describeMoment(busiest.startUtc, timeZone)}.`;
  return `Peak: ${countOf(peak.expected, 'pilot')}, ${describeMoment(peak.startUtc, timeZone)}. ${taken}`;
}

/** `Sat, Nov 21 1900Z 2000L` with the Zulu date; `+1` or `−1` marks a different local date. */
function describeMoment(iso: string, timeZone: string): string {
  return `${formatShortDate(iso, 'UTC')} ${formatTime(iso, timeZone)}`;
}

/** Merges buckets into runs; a run ends where a number changes or a local date begins. */
export function mergeRuns(points: readonly OnlinePoint[], bucketMinutes: number, timeZone: string): OnlineRun[] {
  const runs: OnlineRun[] = [];
  for (const point of points) {
    const endUtc = new Date(Date.parse(point.startUtc) + bucketMinutes * 60_000).toISOString();
    const date = localDate(point.startUtc, timeZone);
    const last = runs.at(-1);
    if (
      last?.date === date &&
      last.expected === point.expected &&
      last.partial === point.partial &&
      last.committed === point.committed
    ) {
      last.endUtc = endUtc;
    } else {
      runs.push({ ...point, endUtc, date });
    }
  }
  return runs;
}

/** Local midnights within the points, epoch milliseconds. */
export function findMidnights(points: readonly OnlinePoint[], timeZone: string): number[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) {
    return [];
  }
  const midnights: number[] = [];
  const end = Date.parse(last.startUtc);
  for (let date = addDays(localDate(first.startUtc, timeZone), 1); ; date = addDays(date, 1)) {
    const midnight = instantOfWallTime(date, '00:00', timeZone)?.getTime() ?? Infinity;
    if (midnight > end) {
      return midnights;
    }
    midnights.push(midnight);
  }
}
