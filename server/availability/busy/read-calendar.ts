/**
 * Reads when a calendar (iCalendar, RFC 5545) is busy. Only the lines that say when are looked at: what an event is about never
 * gets further than this file. `ical.js` reads values and repeats rules in wall time; zones and exceptions are applied here.
 */
import ICAL from 'ical.js';
import { type BusyMinutes, toBusy } from '#server/availability/rules/busy-minutes.ts';
import type { Interval } from '#server/time/intervals.ts';
import { DAY_MS } from '#server/time/time.ts';
import { BUSY_CALENDARS } from '#shared/limits.ts';
import { MISSION_UID_END } from '#shared/schemas/calendar.ts';

export interface CalendarQuestion extends Interval {
  /** the pilot's: of whole days, and of times without a zone */
  timeZone: string;
  countsWholeDays: boolean;
}

export interface CalendarAnswer {
  busy: BusyMinutes;
  /** busy times of the range, before overlapping ones are merged */
  events: number;
  /** events that are not understood, and left out */
  unread: number;
}

/** The text is no calendar. */
export class NotACalendar extends Error {}
/** A calendar with more busy times than anybody has: a rule that repeats every second, for example. */
export class TooManyEvents extends Error {}

const SAYS_WHEN =
  /^(?:UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|TRANSP|X-MICROSOFT-CDO-BUSYSTATUS)[;:]/i;

/** Events, each as the lines of it that say when, and the text of each zone by its name. */
function split(text: string): { events: string[]; zones: Map<string, string>; zone: string | null } {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  if (!/^\uFEFF?BEGIN:VCALENDAR\s*$/i.test(lines.find((line) => line.trim() !== '') ?? '')) throw new NotACalendar();
  const events: string[] = [];
  const zones = new Map<string, string>();
  let zone: string | null = null;
  let open: string[] = [];
  let kept: string[] = [];
  for (const line of lines) {
    const [, edge, name = ''] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(line)?.map((part) => part.toUpperCase()) ?? [];
    if (edge === 'BEGIN') open.push(name);
    const [, outer, inner] = open;
    if (outer === undefined) zone ??= /^X-WR-TIMEZONE:(.+)$/i.exec(line)?.[1]?.trim() ?? null;
    const isKept = outer === 'VTIMEZONE' || (outer === 'VEVENT' && inner === undefined);
    if (isKept && (outer === 'VTIMEZONE' || edge !== undefined || SAYS_WHEN.test(line))) kept.push(line);
    if (edge !== 'END') continue;
    if (open.length === 2) {
      const whole = kept.join('\r\n');
      if (name === 'VEVENT') events.push(whole);
      if (name === 'VTIMEZONE') zones.set(/^TZID:(.+)$/im.exec(whole)?.[1]?.trim() ?? '', whole);
      kept = [];
    }
    open = open.slice(0, -1);
  }
  return { events, zones, zone };
}

/** The instant of a wall time, and back. */
interface Clock {
  instantOf: (wall: ICAL.Time) => number;
  wallOf: (ms: number) => ICAL.Time;
}

const componentOf = (text: string) => new ICAL.Component(ICAL.parse(text) as unknown[]);
type Fields = Pick<Temporal.PlainDateTime, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>;
const fields = ({ year, month, day, hour, minute, second }: Fields): Fields => ({
  year,
  month,
  day,
  hour,
  minute,
  second,
});
const plain = (wall: ICAL.Time) => Temporal.PlainDateTime.from(fields(wall));
const floating = (time: Fields) => new ICAL.Time({ ...fields(time), isDate: false }, ICAL.Timezone.localTimezone);

function clockOf(timeZone: string): Clock {
  return {
    // a skipped time moves on by the length of the gap, and of a repeated one the first counts
    instantOf: (wall) => plain(wall).toZonedDateTime(timeZone).epochMilliseconds,
    wallOf: (ms) => floating(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)),
  };
}

/** The clock of a zone that only the calendar describes. */
function clockIn(zone: ICAL.Timezone): Clock {
  const utc = clockOf('UTC');
  return {
    instantOf: (wall) => utc.instantOf(wall) - zone.utcOffset(wall) * 1000,
    wallOf(ms) {
      const guess = utc.wallOf(ms + zone.utcOffset(utc.wallOf(ms)) * 1000);
      return utc.wallOf(ms + zone.utcOffset(guess) * 1000);
    },
  };
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Finds clocks by the names of zones: as the world knows them, else as the calendar describes them, else the pilot's. */
function findClocks(zones: ReadonlyMap<string, string>, home: Clock): (name: string) => Clock {
  const known = new Map<string, Clock>();
  return (name) => {
    const found = known.get(name);
    if (found) return found;
    const own = zones.get(name);
    const clock = isZone(name)
      ? clockOf(name)
      : own === undefined
        ? home
        : clockIn(new ICAL.Timezone({ component: componentOf(own), tzid: name }));
    known.set(name, clock);
    return clock;
  };
}

/** A start in wall time, with the clock that makes it an instant. */
interface Start {
  wall: ICAL.Time;
  clock: Clock;
  isDate: boolean;
}

export function readCalendar(text: string, question: CalendarQuestion): CalendarAnswer {
  const { startMs, endMs, countsWholeDays } = question;
  const { events: texts, zones, zone } = split(text);
  const pilots = clockOf(question.timeZone);
  const utc = clockOf('UTC');
  const clockNamed = findClocks(zones, zone !== null && isZone(zone) ? clockOf(zone) : pilots);

  function startOf(time: ICAL.Time, property: ICAL.Property): Start {
    const name = property.getFirstParameter('tzid');
    const isUtc = time.zone === ICAL.Timezone.utcTimezone;
    const clock = time.isDate ? pilots : isUtc ? utc : name ? clockNamed(name) : pilots;
    return { wall: floating(time), clock, isDate: time.isDate };
  }
  const instantOf = ({ wall, clock }: Start): number => clock.instantOf(wall);
  const startsOf = (component: ICAL.Component, name: string): Start[] =>
    component.getAllProperties(name).flatMap((property) =>
      property.getValues().map((value: unknown) => {
        const time = value instanceof ICAL.Period ? value.start : value;
        if (!(time instanceof ICAL.Time)) throw new TypeError(`${name} is no time`);
        return startOf(time, property);
      }),
    );

  /** From the start of an event to its end: days on the calendar, and then exact time. */
  function lengthOf(component: ICAL.Component, start: Start): { days: number; ms: number } {
    const [end] = startsOf(component, 'dtend');
    if (end?.isDate && start.isDate)
      return { days: (utc.instantOf(end.wall) - utc.instantOf(start.wall)) / DAY_MS, ms: 0 };
    if (end) return { days: 0, ms: instantOf(end) - instantOf(start) };
    const duration: unknown = component.getFirstPropertyValue('duration');
    if (!(duration instanceof ICAL.Duration)) return { days: start.isDate ? 1 : 0, ms: 0 };
    if (duration.isNegative) return { days: 0, ms: 0 };
    const { weeks, days, hours, minutes, seconds } = duration;
    return { days: 7 * weeks + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
  }

  /** The starts of an event by its rules: in wall time, so that it stays at its hour when the clock changes. */
  function repeat(component: ICAL.Component, first: Start, reachMs: number): Start[] {
    const rules = component
      .getAllProperties('rrule')
      .map((property) => property.getFirstValue() as unknown as ICAL.Recur);
    const starts = [...startsOf(component, 'rdate'), ...(rules.length === 0 ? [first] : [])];
    for (const rule of rules) {
      if (rule.until) {
        const { until } = rule;
        // a last date means all of that day, whatever the standard asks for
        if (until.isDate) rule.until = floating({ ...fields(until), hour: 23, minute: 59, second: 59 });
        else if (until.zone === ICAL.Timezone.utcTimezone) rule.until = first.clock.wallOf(utc.instantOf(until));
        else rule.until = floating(until);
      }
      const dates = rule.iterator(first.wall);
      for (let wall = dates.next(); wall; wall = dates.next()) {
        left -= 1;
        if (left < 0) throw new TooManyEvents();
        // without its zone, which takes time to find out: an instant is less than two days from its wall time
        const aboutMs = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
        if (aboutMs > endMs + 2 * DAY_MS) break;
        if (aboutMs >= startMs - reachMs - 2 * DAY_MS) starts.push({ ...first, wall: wall.clone() });
      }
    }
    return starts;
  }

  let left: number = BUSY_CALENDARS.datesMax;
  let unread = 0;
  const times: Interval[] = [];
  const components = texts
    .filter((one) => mayMatter(one, question))
    .flatMap((one) => {
      try {
        const component = componentOf(one);
        const [first] = startsOf(component, 'dtstart');
        const uid = String(component.getFirstPropertyValue('uid') ?? '');
        if (!first) throw new TypeError('An event without a start');
        // no pilot is too busy for a mission that Marshal itself has put into the calendar
        return uid.endsWith(MISSION_UID_END)
          ? []
          : [{ component, first, uid, moved: startsOf(component, 'recurrence-id') }];
      } catch {
        unread += 1;
        return [];
      }
    });
  /** dates of a series that have an event of their own instead, by the UID of the series */
  const replaced = new Map<string, Set<number>>();
  for (const { uid, moved } of components) {
    const of = replaced.getOrInsertComputed(uid, () => new Set());
    for (const start of moved) of.add(instantOf(start));
  }

  for (const { component, first, uid, moved } of components) {
    if (isFree(component) || (first.isDate && !countsWholeDays)) continue;
    try {
      const excepted = startsOf(component, 'exdate');
      const instants = new Set(excepted.filter(({ isDate }) => !isDate || first.isDate).map(instantOf));
      const dates = new Set(
        excepted.filter(({ isDate }) => isDate).map(({ wall }) => plain(wall).toPlainDate().toString()),
      );
      const length = lengthOf(component, first);
      const own = moved.length > 0 ? [first] : repeat(component, first, length.days * DAY_MS + length.ms);
      for (const start of own) {
        const ms = instantOf(start);
        const isOut =
          moved.length === 0 &&
          (instants.has(ms) || replaced.get(uid)?.has(ms) || dates.has(plain(start.wall).toPlainDate().toString()));
        if (isOut) continue;
        const end =
          length.days === 0 ? ms : start.clock.instantOf(floating(plain(start.wall).add({ days: length.days })));
        const time = { startMs: Math.max(ms, startMs), endMs: Math.min(end + length.ms, endMs) };
        if (time.startMs < time.endMs) times.push(time);
      }
    } catch (error) {
      if (error instanceof TooManyEvents) throw error;
      unread += 1;
    }
  }
  if (times.length > BUSY_CALENDARS.eventsMax) throw new TooManyEvents();
  return { busy: toBusy(times), events: times.length, unread };
}

/**
 * False for an event that is over, or far ahead: as most events of an old calendar are. Reading them would
 * take nearly all of the time.
 */
function mayMatter(text: string, { startMs, endMs }: Interval): boolean {
  if (/^(?:RRULE|RDATE|RECURRENCE-ID)[;:]/im.test(text)) return true;
  const dayOf = (name: string): number => {
    const [, year = '', month = '', day = ''] =
      new RegExp(`^${name}[^:]*:(\\d{4})(\\d\\d)(\\d\\d)`, 'im').exec(text) ?? [];
    return year === '' ? NaN : Date.UTC(Number(year), Number(month) - 1, Number(day));
  };
  // dates that are not understood are no reason to leave an event out
  return !(dayOf('DTEND') < startMs - 2 * DAY_MS) && !(dayOf('DTSTART') > endMs + 2 * DAY_MS);
}

/** True for an event during which its owner can do something else. */
function isFree(component: ICAL.Component): boolean {
  const says = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return (
    says('status') === 'CANCELLED' || says('transp') === 'TRANSPARENT' || says('x-microsoft-cdo-busystatus') === 'FREE'
  );
}
