/** Figures of the expected-pilots chart: peak, runs of equal buckets, midnights. Pure functions. */
import { formatTime, localDate } from '#shared/clock.ts';
import { formatCalendarDate, formatShortDate } from '#client/lib/time.ts';
import { addDays, instantOfWallTime } from '#client/lib/wall-time.ts';
import { BUCKET_MINUTES } from '#shared/limits.ts';
import type { ExpectedOnlineDto } from '#shared/schemas/dashboard.ts';
import { count } from '#shared/plural.ts';
import { BOARD_DAYS } from './week-days.ts';

export type OnlinePoint = ExpectedOnlineDto['points'][number];

/** Consecutive buckets with the same numbers on one local date. */
export interface OnlineRun extends OnlinePoint {
  /** ISO instant */
  endUtc: string;
  /** `YYYY-MM-DD` of the start */
  date: string;
}

const BUCKET_MS = BUCKET_MINUTES.initial * 60_000;

/** Input of the chart's call: from the current bucket to the end of the board's last day. @param today `YYYY-MM-DD` */
export function onlineInput(now: Date, today: string, timeZone: string) {
  const from = Math.floor(now.getTime() / BUCKET_MS) * BUCKET_MS;
  const to = instantOfWallTime(addDays(today, BOARD_DAYS), '00:00', timeZone)?.getTime() ?? from;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), bucket: BUCKET_MINUTES.initial };
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
  return `Peak: ${count(peak.expected, 'pilot')}, ${describeMoment(peak.startUtc, timeZone)}. ${taken}`;
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

/** One local date of the series. */
export interface OnlineDay {
  /** `YYYY-MM-DD` */
  date: string;
  /** local midnights, epoch milliseconds; 23, 24 or 25 h apart */
  startMs: number;
  endMs: number;
  /** those that begin on the date; today has none before the current one */
  points: OnlinePoint[];
}

/** The points by local date. */
export function splitDays(points: readonly OnlinePoint[], dates: readonly string[], timeZone: string): OnlineDay[] {
  const byDate = Map.groupBy(points, ({ startUtc }) => localDate(startUtc, timeZone));
  const midnight = (date: string): number => instantOfWallTime(date, '00:00', timeZone)?.getTime() ?? Number.NaN;
  return dates.map((date) => ({
    date,
    startMs: midnight(date),
    endMs: midnight(addDays(date, 1)),
    points: byDate.get(date) ?? [],
  }));
}

/** Lines of the scale above 0, at most. */
const SCALE_STEPS = 4;

/** The scale that all charts of the week share: from 0 to the most pilots at once or a little more, in equal steps. */
export function scaleOf(points: readonly OnlinePoint[]): number[] {
  const most = points.reduce((top, { expected, committed }) => Math.max(top, expected, committed), 1);
  const step = Math.ceil(most / SCALE_STEPS);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_line, index) => index * step);
}

/** The most pilots expected at once on one day. */
export function topOfDay({ points }: OnlineDay): number {
  return points.reduce((top, { expected }) => Math.max(top, expected), 0);
}

/** SVG path of a day's steps from left to right, in percent, y down; an area is closed at the bottom. Empty without points. */
export function stepPath(
  { startMs, endMs, points }: OnlineDay,
  top: number,
  series: 'expected' | 'committed',
  isArea: boolean,
): string {
  const [first] = points;
  if (first === undefined) return '';
  const x = (iso: string): string => (((Date.parse(iso) - startMs) / (endMs - startMs)) * 100).toFixed(2);
  const y = (pilots: number): string => (100 - (pilots / top) * 100).toFixed(2);
  const begin = x(first.startUtc);
  const steps = points.map((point) => `H${x(point.startUtc)}V${y(point[series])}`).join('');
  return isArea ? `M${begin} 100${steps}H100V100Z` : `M${begin} ${y(first[series])}${steps}H100`;
}

/** `Sat, Nov 21: at most 23 pilots, at 1900Z 2000L. Most seats taken: 8.` */
export function describeDay({ date, points }: OnlineDay, timeZone: string): string {
  const name = formatCalendarDate(date);
  const peak = findPeak(points);
  if (peak === undefined) {
    return `${name}: nobody is expected.`;
  }
  const seats = Math.max(...points.map(({ committed }) => committed));
  return `${name}: at most ${count(peak.expected, 'pilot')}, at ${formatTime(peak.startUtc, timeZone)}. Most seats taken: ${seats}.`;
}

/** A mission on the hours of a day; `from` and `width` are percentages of the day. */
export interface MissionBar {
  id: string;
  name: string;
  startUtc: string;
  endUtc: string;
  from: number;
  width: number;
  /** row from the top */
  lane: number;
  /** where its label has room: after the bar, before a late one, inside a long one */
  label: 'after' | 'before' | 'inside';
}

/** A label takes up to this much of the day, percent: see `.name` of the styles. */
const LABEL_PERCENT = 34;

/**
 * Missions as bars in rows, the earliest first, so that neither bars nor labels overlap.
 * @returns the bars, and how many missions had no room
 */
export function layOutMissions(
  missions: readonly Pick<MissionBar, 'id' | 'name' | 'startUtc' | 'endUtc'>[],
  { startMs, endMs }: Pick<OnlineDay, 'startMs' | 'endMs'>,
  lanes: number,
): { bars: MissionBar[]; hidden: number } {
  const percent = (ms: number): number =>
    (Math.min(Math.max(ms, startMs), endMs) - startMs) / ((endMs - startMs) / 100);
  const ends = Array.from({ length: lanes }, () => 0);
  const bars: MissionBar[] = [];
  for (const { id, name, startUtc, endUtc } of missions.toSorted((a, b) => (a.startUtc < b.startUtc ? -1 : 1))) {
    const from = percent(Date.parse(startUtc));
    const width = percent(Date.parse(endUtc)) - from;
    const label =
      from + width + LABEL_PERCENT <= 100
        ? 'after'
        : from >= LABEL_PERCENT && width < LABEL_PERCENT
          ? 'before'
          : 'inside';
    const begin = label === 'before' ? from - LABEL_PERCENT : from;
    const lane = ends.findIndex((end) => end <= begin);
    if (lane === -1) continue;
    ends[lane] = from + width + (label === 'after' ? LABEL_PERCENT : 0);
    bars.push({ id, name, startUtc, endUtc, from, width, lane, label });
  }
  return { bars, hidden: missions.length - bars.length };
}
