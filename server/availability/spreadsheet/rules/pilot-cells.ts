/** The cells of one pilot: what they ask for, or the one sentence why not. Blank cells ask for nothing. */
import { isPlaceholder } from '#shared/email-domain.ts';
import type { WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import type { PilotCells } from '#shared/pilot-sheet.ts';
import { callSignInput, emailInput, isKnownTimeZone } from '#shared/schemas/common.ts';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import type { AircraftNames } from './aircraft-names.ts';
import { didYouMean, shorten } from './nearest.ts';
import { readWeek } from './week-cell.ts';

/** An aircraft that a pilot flies; a level of null keeps the pilot's level. */
export interface FlownAircraft {
  id: number;
  level: ProficiencyLevel | null;
}

/** The values that a row's cells ask for; null for blank cells. */
export interface PilotWish {
  callSign: string | null;
  email: string | null;
  timeZone: string | null;
  aircraft: FlownAircraft[] | null;
  week: WeeklySlot[] | null;
  discordId: string | null;
}

type Problem = { problem: string };
const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'problem' in value;

const ZONES = Intl.supportedValuesOf('timeZone');
const ZONE_BY_LETTERS = new Map(ZONES.map((zone) => [zone.toLowerCase(), zone]));

function readZone(cell: string): string | Problem {
  const listed = ZONE_BY_LETTERS.get(cell.toLowerCase().replaceAll(' ', '_'));
  if (listed !== undefined) return listed;
  if (isKnownTimeZone(cell)) return cell;
  // a city alone is not a zone, but says which one is meant
  const city = ZONES.find((zone) => zone.toLowerCase().endsWith(`/${cell.toLowerCase().replaceAll(' ', '_')}`));
  const hint = city === undefined ? didYouMean(cell, ZONES) : ` Did you mean ${city}?`;
  return { problem: `“${shorten(cell)}” isn't a time zone.${hint || ' Write it like Europe/Berlin.'}` };
}

/** The digits of an id; a spreadsheet may have put an apostrophe in front to keep it as text. */
function readDiscordId(cell: string): string | Problem {
  const digits = cell.replace(/^'/, '');
  if (/^\d{17,20}$/.test(digits)) return digits;
  const isRounded = /^\d[.,]?\d*e\+?\d+$/i.test(cell);
  const reason = isRounded
    ? 'The spreadsheet has rounded it: make that column text and enter it again.'
    : 'It has 17 to 20 digits.';
  return { problem: `“${shorten(cell)}” isn't a Discord id. ${reason}` };
}

/** `F-16C: expert; A-10C II: learning`; without a level the aircraft is only listed. */
function readAircraft(cell: string, names: AircraftNames): FlownAircraft[] | Problem {
  const flown = new Map<number, ProficiencyLevel | null>();
  for (const text of cell.split(/[;,\n]/).map((part) => part.trim())) {
    if (text === '') continue;
    const [name = '', word] = text.split(/:|=/).map((part) => part.trim());
    const level = PROFICIENCY_LEVELS.find((known) => known === word?.toLowerCase()) ?? null;
    if (word !== undefined && word !== '' && level === null) {
      return { problem: `“${shorten(word)}” isn't a level. It is basic, learning, proficient or expert.` };
    }
    const aircraft = names.find(name);
    if (isProblem(aircraft)) return aircraft;
    if (flown.has(aircraft.id)) return { problem: `${aircraft.name} is listed twice.` };
    flown.set(aircraft.id, level);
  }
  return [...flown].map(([id, level]) => ({ id, level }));
}

/** The cell that reads back as these aircraft, by name. */
export function writeAircraft(flown: readonly { id: number; level: ProficiencyLevel }[], names: AircraftNames): string {
  return flown
    .flatMap(({ id, level }) => {
      const name = names.write(id);
      return name === null ? [] : [{ name, level }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, level }) => `${name}: ${level}`)
    .join('; ');
}

const sentence = (message: string): string => (message.endsWith('.') ? message : `${message}.`);

/** @returns what the row asks for, or the sentence of its first bad cell */
export function readPilot(cells: PilotCells, names: AircraftNames): PilotWish | Problem {
  if (cells.email === '' && cells.discordId === '') {
    return { problem: 'This pilot needs an email or a Discord id.' };
  }
  const email = emailInput.safeParse(cells.email);
  if (isPlaceholder(cells.email)) {
    return {
      problem: `“${shorten(cells.email)}” can't receive email. Enter another address, or leave the cell blank if there is a Discord id.`,
    };
  }
  if (cells.email !== '' && !email.success) return { problem: `“${shorten(cells.email)}” isn't an email address.` };
  const callSign = callSignInput.safeParse(cells.callSign);
  if (cells.callSign !== '' && !callSign.success) {
    return { problem: sentence(callSign.error.issues[0]?.message ?? 'This call sign cannot be used') };
  }
  const timeZone = cells.timeZone === '' ? null : readZone(cells.timeZone);
  if (isProblem(timeZone)) return timeZone;
  const aircraft = cells.aircraft === '' ? null : readAircraft(cells.aircraft, names);
  if (isProblem(aircraft)) return aircraft;
  const week = cells.weeklyTimes === '' ? null : readWeek(cells.weeklyTimes, names);
  if (isProblem(week)) return week;
  const discordId = cells.discordId === '' ? null : readDiscordId(cells.discordId);
  if (isProblem(discordId)) return discordId;
  return {
    callSign: callSign.data || null,
    email: cells.email === '' ? null : (email.data ?? null),
    timeZone,
    aircraft,
    week,
    discordId,
  };
}
