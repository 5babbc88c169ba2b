/** A mission as an admin writes it in Discord: date, time, length and seats as text, read into the fields of the site's form. */
import { createAircraftNames, type NamedAircraft } from '#server/availability/spreadsheet/rules/aircraft-names.ts';
import { shorten } from '#server/availability/spreadsheet/rules/nearest.ts';
import { addDays, isDate, localDate, localDateTime, MINUTE_MS, toInstantMs, weekdayOf } from '#server/time/time.ts';
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import { MISSION_ROLES, type MissionRole, SIDES, type Side } from '#shared/vocabulary.ts';

export interface OfferedAircraft extends NamedAircraft {
  /** the type's usual roles, the most usual one first */
  roles: readonly MissionRole[];
}

/** Seats in one type of aircraft. */
export interface RequestedSeats {
  aircraft: OfferedAircraft;
  slotCount: number;
  role: MissionRole;
  side: Side;
}

/** What was read, or a sentence that says what to write instead. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** The commas, semicolons, plus signs and the word "and" between seats. */
const BETWEEN = /\s*(?:[,;\n+]|\band\b|&)\s*/i;
/** `4 F-16C`, `4x F-16C`, `4 × F-16C`. */
const COUNT_FIRST = /^(?<count>\d{1,4})\s*(?:[x×*]\s*|\s)(?<rest>\S.*)$/iu;
/** `F-16C x4`, `F-16C × 4 CAP`. */
const COUNT_LATER = /^(?<rest>.*\S)\s+[x×*]\s*(?<count>\d{1,4})(?<end>\s.*)?$/iu;
/** The Hornet's usual short name, which is no part of its name. */
const HORNET = /^f-?18/i;

const roleOf = (word: string): MissionRole | undefined =>
  MISSION_ROLES.find((role) => role.toLowerCase() === word.toLowerCase());

const sideOf = (word: string): Side | undefined => {
  const name = word.toLowerCase();
  return name === 'blue' || name === 'red' ? SIDES[name] : undefined;
};

/** Ways to read words as aircraft and role: first with the last role word, and finally all words as the aircraft. */
function splitRole(words: readonly string[]): { name: string; role: MissionRole | null }[] {
  const readings = words.flatMap((word, index) => {
    const role = roleOf(word);
    const name = words.toSpliced(index, 1).join(' ');
    return role === undefined || name === '' ? [] : [{ name, role }];
  });
  const [only] = words;
  const whole = {
    name: words.join(' '),
    role: words.length === 1 && only !== undefined ? (roleOf(only) ?? null) : null,
  };
  return [...readings.toReversed(), whole];
}

/** Reads one entry of the list, such as `4 F-16C CAP red`. */
function readEntry(
  entry: string,
  find: (name: string) => OfferedAircraft | { problem: string },
  texts: Texts,
): Reading<RequestedSeats> {
  const example = texts('request.example');
  const aboutEntry = { entry: shorten(entry), example };
  const counted = (COUNT_FIRST.exec(entry) ?? COUNT_LATER.exec(entry))?.groups;
  const words = `${counted?.['rest'] ?? ''} ${counted?.['end'] ?? ''}`.split(/[\s():]+/).filter((word) => word !== '');
  if (!counted || words.length === 0) return { problem: texts('request.noCount', aboutEntry) };
  const sides = new Set(words.flatMap((word) => sideOf(word) ?? []));
  if (sides.size > 1) return { problem: texts('request.bothSides', aboutEntry) };
  const [side = SIDES.blue] = sides;
  const rest = words.filter((word) => sideOf(word) === undefined);
  if (rest.length === 0) return { problem: texts('request.noAircraft', aboutEntry) };
  const found = splitRole(rest).map(({ name, role }) => ({ role, aircraft: find(name) }));
  for (const { role, aircraft } of found) {
    if ('problem' in aircraft) continue;
    const usual = aircraft.roles[0] ?? 'CAP';
    return { value: { aircraft, slotCount: Number(counted['count']), role: role ?? usual, side } };
  }
  const [first] = found;
  return { problem: first && 'problem' in first.aircraft ? first.aircraft.problem : example };
}

/**
 * Reads `4 F-16C CAP, 2 A-10C CAS red`. Without a role an entry has the aircraft's most usual one, without a side it is blue.
 * Numbers that are too large are left to the rules of the form.
 */
export function readSeats(
  text: string,
  catalogue: readonly OfferedAircraft[],
  texts: Texts,
): Reading<RequestedSeats[]> {
  const example = texts('request.example');
  const offered = new Map(catalogue.map((aircraft) => [aircraft.id, aircraft]));
  const names = createAircraftNames(catalogue);
  const find = (written: string): OfferedAircraft | { problem: string } => {
    const asHornet = written.replace(HORNET, 'F/A-18');
    const readings = [written, asHornet, asHornet.replace(/'?s$/i, '')].map((spelling) => names.find(spelling));
    const found = readings.flatMap((aircraft) => ('id' in aircraft ? (offered.get(aircraft.id) ?? []) : []));
    const problems = readings.flatMap((aircraft) => ('problem' in aircraft ? [aircraft.problem] : []));
    return found[0] ?? { problem: problems[0] ?? example };
  };
  const entries = text.split(BETWEEN).filter((entry) => entry.trim() !== '');
  if (entries.length === 0) return { problem: example };
  const seats: RequestedSeats[] = [];
  for (const entry of entries) {
    const read = readEntry(entry.trim(), find, texts);
    if ('problem' in read) return read;
    seats.push(read.value);
  }
  return { value: seats };
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** `28.11.2026`, `28.11.26`, `28.11.`: the day comes first wherever dates are written with dots. */
const DOTTED = /^(?<day>\d{1,2})\.\s*(?<month>\d{1,2})\.?\s*(?<year>(?:20)?\d{2})?$/;
/** From one February 29 to the next: eight years around 2100. */
const YEARS_AHEAD = 8;

/** A date with dots; without a year it is the next one, today included. @returns null for any other text */
function readDotted(word: string, today: string): string | null {
  const { day, month, year } = DOTTED.exec(word)?.groups ?? {};
  if (day === undefined || month === undefined) return null;
  const first = Number(today.slice(0, 4));
  const years =
    year === undefined ? Array.from({ length: YEARS_AHEAD + 1 }, (_, ahead) => first + ahead) : [`20${year.slice(-2)}`];
  const dates = years.map((one) => `${one}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`).filter(isDate);
  return dates.find((date) => year !== undefined || date >= today) ?? null;
}

/** Reads `2026-11-28`, `28.11.2026`, `today`, `tomorrow` or a day of the week, which is the next one, today included. */
export function readDate(text: string, today: string, texts: Texts): Reading<string> {
  const word = text.trim().toLowerCase();
  const written: unknown = word;
  if (isDate(written)) return { value: written };
  const dotted = readDotted(word, today);
  if (dotted !== null) return { value: dotted };
  if (word === 'today') return { value: today };
  if (word === 'tomorrow') return { value: addDays(today, 1) };
  const weekday = word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word));
  if (weekday === -1) return { problem: texts('request.date') };
  const ahead = Array.from({ length: 7 }, (_, days) => addDays(today, days));
  const date = ahead.find((day) => weekdayOf(day) === weekday);
  return date === undefined ? { problem: texts('request.date') } : { value: date };
}

const TIME = /^(?<hour>\d{1,2})(?:[:.h]?(?<minute>\d{2}))?\s*(?<half>[ap]m)?\s*(?<zulu>[zl])?$/;

/** Reads `19:00`, `1900`, `19`, `7 pm`; `1900Z` is Zulu. */
export function readTime(text: string, texts: Texts): Reading<{ time: string; isZulu: boolean }> {
  const { hour, minute = '00', half, zulu } = TIME.exec(text.trim().toLowerCase())?.groups ?? {};
  const given = Number(hour ?? Number.NaN);
  const isHalfDay = half !== undefined;
  const hours = isHalfDay ? (given % 12) + (half === 'pm' ? 12 : 0) : given;
  const isValid = isHalfDay ? given >= 1 && given <= 12 : given <= 23;
  if (!isValid || Number(minute) > 59) return { problem: texts('request.time') };
  return { value: { time: `${String(hours).padStart(2, '0')}:${minute}`, isZulu: zulu === 'z' } };
}

const CLOCK_LENGTH = /^(?<hours>\d{1,2}):(?<minutes>\d{2})$/;
const UNIT_LENGTH =
  /^(?:(?<hours>\d{1,2}(?:[.,]\d{1,2})?)\s*h(?:ours?|rs?)?)?\s*(?:(?<minutes>\d{1,4})\s*(?:m|min|mins|minutes?)?)?$/;

/** Reads `3h`, `2:30`, `2h 30m`, `90 min`; a number up to 24 is hours, a larger one minutes. @returns minutes */
export function readLength(text: string, texts: Texts): Reading<number> {
  const word = text.trim().toLowerCase();
  const number = /^\d{1,4}$/.test(word) ? Number(word) : null;
  const { hours = '0', minutes = '0' } = (CLOCK_LENGTH.exec(word) ?? UNIT_LENGTH.exec(word))?.groups ?? {};
  const length =
    number === null
      ? Math.round(Number(hours.replace(',', '.')) * 60) + Number(minutes)
      : number * (number <= 24 ? 60 : 1);
  return length > 0 ? { value: length } : { problem: texts('request.length') };
}

export interface WrittenTimes {
  date: string;
  time: string;
  duration: string;
}

/** A mission's wall times, as the site's form sends them. */
export interface RequestedTimes {
  startLocal: string;
  endLocal: string;
  timeZone: string;
  /** the time of day that was written, if the clocks skip it on that date; null otherwise */
  skipped: string | null;
}

/**
 * Reads when a mission is. The times are in the admin's zone, or in UTC when written as Zulu. The length is elapsed time; an
 * end in the hour that the clocks repeat can only be said in UTC.
 */
export function readTimes(
  { date, time, duration }: WrittenTimes,
  zone: string,
  nowMs: number,
  texts: Texts,
): Reading<RequestedTimes> {
  const clock = readTime(time, texts);
  if ('problem' in clock) return clock;
  const timeZone = clock.value.isZulu ? 'UTC' : zone;
  const day = readDate(date, localDate(nowMs, timeZone), texts);
  if ('problem' in day) return day;
  const length = readLength(duration, texts);
  if ('problem' in length) return length;
  const startMs = toInstantMs(day.value, clock.value.time, timeZone);
  const endMs = startMs + length.value * MINUTE_MS;
  const startLocal = localDateTime(startMs, timeZone);
  const endLocal = localDateTime(endMs, timeZone);
  const isWritten = startLocal === `${day.value}T${clock.value.time}`;
  const skipped = isWritten ? null : clock.value.time;
  const [endDate = '', endTime = ''] = endLocal.split('T');
  return toInstantMs(endDate, endTime, timeZone) === endMs
    ? { value: { startLocal, endLocal, timeZone, skipped } }
    : {
        value: {
          startLocal: localDateTime(startMs, 'UTC'),
          endLocal: localDateTime(endMs, 'UTC'),
          timeZone: 'UTC',
          skipped,
        },
      };
}
