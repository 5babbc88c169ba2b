/** Times on the pages beyond the clock of `shared/clock.ts`: dates, durations, expiry and zones. */
import { dayWords, formatLocal, formatZulu, isZuluZone, localDate, readWall, toDate } from '#shared/clock.ts';

/** `HH:mm` of an instant in a zone, for forms and files. */
export function localTime(instant: string | Date, timeZone: string): string {
  const { hour, minute } = readWall(toDate(instant), timeZone);
  return `${hour}:${minute}`;
}

/** `Fri, Nov 20` of an instant in a zone. */
export function formatShortDate(instant: string | Date, timeZone: string): string {
  return formatCalendarDate(localDate(instant, timeZone));
}

/** `Fri, Nov 20` for a calendar date `2026-11-20`. */
export function formatCalendarDate(date: string): string {
  const { weekday, day } = dayWords(date);
  return `${weekday}, ${day}`;
}

/** `2 d 3 h`, `3 h 12 min`, `47 min`, `under a minute`: the two largest units, rounded down. */
export function formatDuration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) {
    return 'under a minute';
  }
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const rest = minutes % 60;
  const parts =
    days > 0
      ? [
          [days, 'd'],
          [hours, 'h'],
        ]
      : [
          [hours, 'h'],
          [rest, 'min'],
        ];
  return parts
    .filter(([count]) => count !== 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** `expires in 21 h`, `expires in 47 min`, `expired`. From two hours on, without minutes. */
export function formatExpiry(expiresAt: string, now: Date): string {
  const left = new Date(expiresAt).getTime() - now.getTime();
  if (left <= 0) {
    return 'expired';
  }
  const hours = Math.floor(left / 3_600_000);
  if (hours >= 48) {
    return `expires in ${Math.floor(hours / 24)} d`;
  }
  return hours >= 2 ? `expires in ${hours} h` : `expires in ${formatDuration(left)}`;
}

/** Discord timestamp, which Discord shows in each reader's own zone: `<t:1795201500:F>`. */
export function discordTimestamp(instant: string | Date): string {
  return `<t:${Math.floor(toDate(instant).getTime() / 1000)}:F>`;
}

/** Minutes that `timeZone` is ahead of UTC at an instant. */
export function zoneOffsetMinutes(timeZone: string, instant: Date): number {
  const { year, month, day, hour, minute, second } = readWall(instant, timeZone);
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return Math.round((wall - Math.floor(instant.getTime() / 1000) * 1000) / 60_000);
}

/** `1700Z` for a wall time `18:00`, by the offset that `timeZone` has at `now`; '' when the text is not a time. */
export function zuluOfWallTime(wallTime: string, timeZone: string, now: Date): string {
  const match = /^(\d{2}):(\d{2})$/.exec(wallTime);
  if (!match) {
    return '';
  }
  const minutes = Number(match[1]) * 60 + Number(match[2]) - zoneOffsetMinutes(timeZone, now);
  const day = ((minutes % 1440) + 1440) % 1440;
  return `${String(Math.floor(day / 60)).padStart(2, '0')}${String(day % 60).padStart(2, '0')}Z`;
}

/** `1422L`, or `1922Z` where local time is Zulu: an instant by the clock on the wall. */
export function clockTime(instant: Date, timeZone: string): string {
  return isZuluZone(timeZone) ? formatZulu(instant) : formatLocal(instant, timeZone);
}

/** The browser's own zone; 'UTC' when it does not say. */
export function detectedTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

/** True in a browser that reports a zone other than UTC: who has UTC there may not mean it. */
export function isUtcDoubtful(timeZone: string): boolean {
  return isZuluZone(timeZone) && !isZuluZone(detectedTimeZone());
}

/**
 * The zone that a form of call sign and zone begins with: the browser's in place of the UTC that new accounts have.
 * @param profile null without an account; one without a call sign has never been filled in
 */
export function firstTimeZone(profile: { callSign: string | null; timeZone: string } | null): string {
  const isFilledIn = profile !== null && (profile.callSign !== null || !isZuluZone(profile.timeZone));
  return isFilledIn ? profile.timeZone : detectedTimeZone();
}
