/** The weekly times of a pilot in one cell: `Mon 19:00-22:00; Sat 20:00-01:00; Sun 18:00-20:00 F-16C`. */
import { normalizeSlots, type WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import { minutesOf, timeOf } from '#server/time/time.ts';
import { SLOTS_PER_DAY_MAX } from '#shared/limits.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import type { AircraftNames } from './aircraft-names.ts';
import { shorten } from './nearest.ts';

type Problem = { problem: string };
const isProblem = (value: object): value is Problem => 'problem' in value;

/** For text with single spaces: where runs of spaces could be divided in several ways, each would be tried. */
const ENTRY =
  /^(?<days>[^\d]+?) ?(?<start>\d[\d:.]* ?(?:am|pm)?) ?(?:-|–|—|to|until) ?(?<end>\d[\d:.]* ?(?:am|pm)?)(?: (?:in )?\(?(?<aircraft>[^()]+)\)?)?$/i;
const TIME = /^(?<hours>\d{1,2})(?:[:.]?(?<minutes>\d{2}))?\s*(?<half>am|pm)?$/i;
const EXAMPLE = 'Write it like Mon 19:00-22:00.';
/** Longer than any time with an aircraft. */
const ENTRY_MAX = 120;

const GROUPS: Record<string, readonly number[]> = {
  daily: [0, 1, 2, 3, 4, 5, 6],
  'every day': [0, 1, 2, 3, 4, 5, 6],
  weekdays: [1, 2, 3, 4, 5],
  weekends: [6, 0],
  weekend: [6, 0],
};
/** Short forms that are not the first letters of the day. */
const SHORT: Record<string, number> = { tues: 2, weds: 3, thur: 4, thurs: 4 };

function readDay(text: string): number | null {
  const word = text.trim().toLowerCase().replace(/\.$/, '');
  const short = SHORT[word];
  if (short !== undefined) return short;
  const day = WEEKDAYS.findIndex((name) => word.length >= 2 && name.toLowerCase().startsWith(word));
  return day === -1 ? null : day;
}

/** `Mon`, `Mon-Fri`, `Mon, Wed and Sat`, `daily`. @returns weekdays; null when it says none */
function readDays(text: string): number[] | null {
  const group = GROUPS[text.trim().toLowerCase()];
  if (group) return [...group];
  const days: number[] = [];
  for (const part of text.split(/[,/&+]|\band\b/i)) {
    const [first, last, ...more] = part.split(/-|–|—|\bto\b/i).map(readDay);
    if (first === undefined || first === null || last === null || more.length > 0) return null;
    const length = last === undefined ? 1 : ((last - first + 7) % 7) + 1;
    days.push(...Array.from({ length }, (_, step) => (first + step) % 7));
  }
  return days;
}

/** `19:00`, `1900`, `19`, `7pm`. @returns minutes since midnight, up to 1440; null when it is no time */
function readTime(text: string): number | null {
  const { hours = '', minutes = '0', half } = TIME.exec(text.trim())?.groups ?? {};
  if (hours === '') return null;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  }
  const total = hour * 60 + Number(minutes);
  return Number(minutes) < 60 && total <= 1440 ? total : null;
}

function readEntry(text: string, names: AircraftNames): WeeklySlot[] | Problem {
  const unread = { problem: `“${shorten(text)}” isn't a weekly time. ${EXAMPLE}` };
  const spaced = text.replaceAll(/\s+/g, ' ');
  const parts = spaced.length > ENTRY_MAX ? undefined : ENTRY.exec(spaced)?.groups;
  if (!parts) return unread;
  const days = readDays(parts['days'] ?? '');
  const start = readTime(parts['start'] ?? '');
  const end = readTime(parts['end'] ?? '');
  if (days === null || start === null || end === null || start === 1440) return unread;
  if (start === end) return { problem: `“${text}” ends when it starts. ${EXAMPLE}` };
  const named = parts['aircraft'];
  const aircraft = named === undefined ? null : names.find(named.trim());
  if (aircraft !== null && isProblem(aircraft)) return aircraft;
  // a stored slot is shorter than a day, so one of 24 hours becomes two that touch
  const spans = start === 0 && end === 1440 ? [[0, 720] as const, [720, 1440] as const] : [[start, end] as const];
  return days.flatMap((weekday) =>
    spans.map(([from, to]) => ({
      weekday,
      startLocal: timeOf(from),
      endLocal: timeOf(to),
      aircraftId: aircraft?.id ?? null,
      notes: null,
    })),
  );
}

/** @returns the slots as they are stored, or the sentence why the cell cannot be read */
export function readWeek(cell: string, names: AircraftNames): WeeklySlot[] | Problem {
  const slots: WeeklySlot[] = [];
  for (const text of cell.split(/[;\n]/).map((part) => part.trim())) {
    const entry = text === '' ? [] : readEntry(text, names);
    if (isProblem(entry)) return entry;
    slots.push(...entry);
  }
  const week = normalizeSlots(slots);
  const perDay = Map.groupBy(week, ({ weekday }) => weekday);
  const full = [...perDay].find(([, list]) => list.length > SLOTS_PER_DAY_MAX);
  if (full) return { problem: `${WEEKDAYS[full[0]]} has more than ${SLOTS_PER_DAY_MAX} times.` };
  return week;
}

/** Monday first. */
const inWeek = (weekday: number): number => (weekday + 6) % 7;

/** The cell that reads back as these slots; notes are left out. */
export function writeWeek(slots: readonly WeeklySlot[], names: AircraftNames): string {
  return normalizeSlots(slots)
    .toSorted((a, b) => inWeek(a.weekday) - inWeek(b.weekday))
    .map(({ weekday, startLocal, endLocal, aircraftId }) => {
      const aircraft = aircraftId === null ? null : names.write(aircraftId);
      const end = minutesOf(endLocal) === 0 ? '24:00' : endLocal;
      const time = `${WEEKDAYS[weekday]?.slice(0, 3)} ${startLocal}-${end}`;
      return aircraft === null ? time : `${time} ${aircraft}`;
    })
    .join('; ');
}
