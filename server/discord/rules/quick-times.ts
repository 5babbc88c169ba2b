/** Times that a pilot adds with one button in Discord, tonight or this weekend, and the id of the button that undoes it. */
import { addDays, localDate, localTime, MINUTES_PER_DAY, minutesOf, timeOf, weekdayOf } from '#server/time/time.ts';
import type { QUICK_TIMES } from '#shared/schemas/bot.ts';

export type QuickTimes = (typeof QUICK_TIMES)[number];

/** A time on one date, in the pilot's zone; an end of `00:00` is the midnight that ends the date. */
export interface DatedTime {
  dateLocal: string;
  startLocal: string;
  endLocal: string;
}

const TONIGHT = { startLocal: '19:00', endLocal: '23:00' } as const;
const WEEKEND = { startLocal: '10:00', endLocal: '00:00' } as const;
/** A rest of the time that is shorter is over. */
const REST_MIN = 30;
/** What is left begins at the next quarter of an hour, so that two presses of the button mean the same. */
const STEP = 15;
const [SUNDAY, SATURDAY] = [0, 6];

/** What is left of a time; null if it is over or nearly so. */
function restOf(time: DatedTime, nowMs: number, timeZone: string): DatedTime | null {
  const today = localDate(nowMs, timeZone);
  if (time.dateLocal > today) return time;
  if (time.dateLocal < today) return null;
  const now = Math.ceil(minutesOf(localTime(nowMs, timeZone)) / STEP) * STEP;
  const end = minutesOf(time.endLocal) || MINUTES_PER_DAY;
  const start = Math.max(minutesOf(time.startLocal), now);
  return end - start < REST_MIN ? null : { ...time, startLocal: timeOf(start) };
}

/** Tonight, or tomorrow night when tonight is over; Saturday and Sunday, or next week's when they are over. */
export function quickTimes(times: QuickTimes, nowMs: number, timeZone: string): DatedTime[] {
  const days = Array.from({ length: 15 }, (_, ahead) => addDays(localDate(nowMs, timeZone), ahead));
  const rest = (dateLocal: string, time: Omit<DatedTime, 'dateLocal'>) =>
    restOf({ dateLocal, ...time }, nowMs, timeZone) ?? [];
  if (times === 'tonight') return days.flatMap((day) => rest(day, TONIGHT)).slice(0, 1);
  const weekend = days
    .filter((day) => weekdayOf(day) === SATURDAY || weekdayOf(day) === SUNDAY)
    .flatMap((day) => rest(day, WEEKEND));
  const [first] = weekend;
  // what is left of a weekend on its Sunday is that day alone
  return weekend.slice(0, first && weekdayOf(first.dateLocal) === SUNDAY ? 1 : 2);
}

/** Ids of overrides as the subject of a button: 22 characters each, since a button's id has room for 50. */
export const packIds = (ids: readonly string[]): string =>
  ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')).join('');

const PACKED_LENGTH = 22;

/** @returns [] for text that is no list of ids */
export function unpackIds(packed: string): string[] {
  if (packed.length % PACKED_LENGTH !== 0) return [];
  return Array.from({ length: packed.length / PACKED_LENGTH }, (_, index) => {
    const part = packed.slice(index * PACKED_LENGTH, (index + 1) * PACKED_LENGTH);
    const hex = Buffer.from(part, 'base64url').toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });
}
