/** Shared input schemas: text, ids, emails, passwords, call signs, time zones, dates and times. */
import { z } from '#shared/zod.ts';
import { isCalendarDate } from '#shared/calendar-date.ts';
import { copy } from '#shared/copy.ts';
import { isPlaceholder } from '#shared/email-domain.ts';
import { CALL_SIGN_LENGTH, EMAIL_MAX_LENGTH, PASSWORD_LENGTH } from '#shared/limits.ts';

/** NUL and other control characters (except tab and line feeds), lone surrogates, bidirectional overrides. */
// oxlint-disable-next-line no-control-regex -- these are the characters to refuse
const UNREADABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Surrogate}]/u;
const LINE_BREAKS = /[\t\r\n]/;

/** Length in code points, not UTF-16 units. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/**
 * Trimmed text of one line or several, without characters that break the database or the display.
 * @param max maximum length in code points
 */
export function safeText(
  max: number,
  {
    tooLong = copy.textTooLong,
    missing = copy.textMissing,
    multiline = false,
  }: { tooLong?: string; missing?: string; multiline?: boolean } = {},
) {
  const text = z.string({ error: missing }).trim();
  return text
    .refine((value) => !UNREADABLE.test(value) && (multiline || !LINE_BREAKS.test(value)), copy.unreadableText)
    .refine((value) => countCharacters(value) <= max, tooLong)
    .meta({ maxLength: max });
}

/** Optional free text: missing, null and blank all become null. */
export function optionalText(max: number, { multiline = false } = {}) {
  return safeText(max, { multiline })
    .nullish()
    .transform((value) => (value === undefined || value === null || value === '' ? null : value));
}

export const idInput = z
  .guid({ error: copy.invalidId })
  .toLowerCase()
  .meta({ description: 'Id.', format: 'uuid', examples: ['0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01'] });

/** A local part and a domain of at least two labels, in letters of any script. Does not prove that the address exists. */
const EMAIL = /^[^\s@"<>()[\],;:\\]{1,64}@(?:[^\s@."<>()[\],;:\\/?#%]+\.)+[^\s@."<>()[\],;:\\/?#%]{2,}$/u;

export const emailInput = safeText(EMAIL_MAX_LENGTH, { tooLong: copy.invalidEmail, missing: copy.invalidEmail })
  .pipe(z.email({ error: copy.invalidEmail, pattern: EMAIL }))
  .refine((value) => !isPlaceholder(value), copy.placeholderEmail)
  .meta({
    description: 'Email address. Upper and lower case are the same.',
    format: 'email',
    examples: ['viper@example.org'],
  });

/** The version of an object that the caller saw, as its answer named it. */
export const versionInput = z.iso.datetime({ error: copy.invalidInput }).max(64);

/** A new password. Sign-in accepts any length, because an older rule may have allowed shorter ones. */
export const newPasswordInput = z
  .string({ error: copy.passwordRequired })
  .refine((value) => countCharacters(value) >= PASSWORD_LENGTH.min, copy.passwordTooShort)
  .refine((value) => countCharacters(value) <= PASSWORD_LENGTH.max, copy.passwordTooLong)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), copy.unreadableText)
  .meta({
    description: 'Password. Common passwords are refused.',
    format: 'password',
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
    examples: ['seven green kneeboards'],
  });

/** A visible letter, digit, punctuation mark or symbol; Unicode also classifies some blank fillers as these. */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point}|[\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;
/** Invisible characters other than combining marks, such as joiners: they do not interrupt a stack of marks. */
const UNSEEN = /(?!\p{M})\p{Default_Ignorable_Code_Point}/gu;
/** More than three combining marks in a row: no living script needs them, and they overlap the lines above and below. */
const STACKED_MARKS = /\p{M}{4}/u;

export const callSignInput = safeText(CALL_SIGN_LENGTH.max, {
  tooLong: copy.callSignTooLong,
  missing: copy.callSignRequired,
})
  .refine((value) => value.length >= CALL_SIGN_LENGTH.min, copy.callSignRequired)
  .refine((value) => value === '' || VISIBLE.test(value), copy.callSignInvisible)
  .refine((value) => !VISIBLE.test(value) || !STACKED_MARKS.test(value.replaceAll(UNSEEN, '')), copy.callSignStacked)
  .meta({
    description: 'Call sign: the name by which other pilots know the pilot.',
    minLength: CALL_SIGN_LENGTH.min,
    examples: ['Afterglow'],
  });

/** Names that were found to be known, in whatever case they were written: asking the runtime takes longer than most answers. */
const knownZones = new Set<string>();
const KNOWN_ZONES_MAX = 1_000;

/** True for a zone name that this runtime knows. Offsets such as +05:00 are refused: POSIX zones reverse their sign. */
export function isKnownTimeZone(zone: string): boolean {
  if (knownZones.has(zone)) return true;
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone) || zone.length > 64) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions();
  } catch {
    return false;
  }
  if (knownZones.size >= KNOWN_ZONES_MAX) knownZones.clear();
  knownZones.add(zone);
  return true;
}

export const timeZoneInput = z
  .string({ error: copy.selectTimeZone })
  .refine(isKnownTimeZone, copy.selectTimeZone)
  .meta({ description: 'IANA time zone.', maxLength: 64, examples: ['Europe/Berlin'] });

const WALL_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const WALL_END = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

export const dateInput = z
  .string({ error: copy.invalidDate })
  .refine(isCalendarDate, copy.invalidDate)
  .meta({ description: 'Date from 2000 to 2100.', format: 'date', examples: ['2026-11-21'] });
export const wallTimeInput = z
  .string({ error: copy.invalidTime })
  .regex(WALL_TIME, copy.invalidTime)
  .meta({ description: 'Wall time.', examples: ['19:00'] });
/** The end of a time on a date: `24:00`, as answers write the midnight that ends it, means the same as `00:00`. */
export const wallEndInput = z
  .string({ error: copy.invalidTime })
  .regex(WALL_END, copy.invalidTime)
  .meta({ description: 'Wall time at which something ends.', examples: ['22:00'] });
/** @param missing sentence for an empty field */
export const dateTimeInput = (missing: string) =>
  z
    .string({ error: missing })
    .min(1, missing)
    .refine((text) => {
      const [date = '', time = '', ...rest] = text.split('T');
      return text === '' || (rest.length === 0 && isCalendarDate(date) && WALL_TIME.test(time));
    }, copy.invalidDateTime)
    .meta({
      description: 'Local date and time, without an offset.',
      pattern: '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d$',
      examples: ['2026-11-21T19:00'],
    });

/** An ISO 8601 instant with any offset, whose UTC date is from 2000 to 2100. */
export const instantInput = () =>
  z.iso
    .datetime({ error: copy.invalidInstant, offset: true, abort: true })
    .refine((text) => {
      const ms = Date.parse(text);
      return !Number.isNaN(ms) && isCalendarDate(new Date(ms).toISOString().slice(0, 10));
    }, copy.invalidInstant)
    .meta({ description: 'Instant with any offset, from 2000 to 2100.', examples: ['2026-11-21T19:00:00Z'] });

/** A whole number; accepts text from query strings as well as numbers from JSON. */
export const wholeNumber = (min: number, max: number, message: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int({ error: message }).min(min, message).max(max, message),
  );

/** A boolean; accepts text from query strings as well as booleans from JSON. */
export const flagInput = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: copy.trueOrFalse }),
);

/** An origin such as `https://marshal.example`: scheme, host and port, with at most a slash after them. */
export const originInput = safeText(300, { tooLong: copy.originInvalid, missing: copy.originInvalid })
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === '/',
    copy.originInvalid,
  )
  .meta({ description: 'Scheme, host and port.', format: 'uri', examples: ['https://marshal.example.org'] });

// ---- values of answers

export const success = z
  .object({ success: z.literal(true).meta({ description: 'Always true: a failure has its own status.' }) })
  .meta({ id: 'Success', description: 'The call has done its work and has nothing to answer.' });
/** An instant in UTC. */
export const isoInstant = z.iso.datetime().meta({ examples: ['2026-11-21T18:00:00.000Z'] });
/** Id of a row of ours. The database made it, so answers do not check it again. */
export const rowId = z.string().meta({ format: 'uuid', examples: ['0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01'] });
/** Id that Discord gave: a number as text. */
export const discordId = z.string().meta({ examples: ['100200300400500600'] });
export const count = z.int().min(0);
/** Index of a seat in its flight, from 0. */
export const seatIndex = z
  .int()
  .min(0)
  .meta({ description: 'Seat in the flight, from 0 (the lead).', examples: [0] });
export const aircraftId = z
  .int()
  .min(1)
  .meta({ description: 'Id of the aircraft.', examples: [2] });
/** Id of an aircraft in availability; 0 is any. */
export const preferredAircraftId = z
  .int()
  .min(0)
  .meta({ description: 'Id of the aircraft that the pilot wants to fly; 0 is any.', examples: [0] });
export const weekday = z
  .int()
  .min(0)
  .max(6)
  .meta({ description: 'Weekday from 0 (Sunday) to 6 (Saturday).', examples: [2] });
export const side = z
  .union([z.literal(0), z.literal(1)])
  .meta({ description: 'Side: 0 is blue, 1 is red.', examples: [0] });
export const localDate = z.string().meta({ format: 'date', examples: ['2026-11-21'] });
export const localDateTime = z
  .string()
  .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$', examples: ['2026-11-21T19:00'] });
export const wallTime = z.string().meta({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['19:00'] });
/** A wall time, or 24:00 for midnight at the end of the date. */
export const endTime = z.string().meta({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', examples: ['22:00'] });
export const zoneName = z
  .string()
  .meta({ description: 'IANA time zone of the local times.', examples: ['Europe/Berlin'] });
export const radioFrequency = z.string().meta({
  description: 'Radio frequency in MHz, and its modulation.',
  pattern: '^\\d{3}\\.\\d{3} AM$',
  examples: ['251.000 AM'],
});

/** Fields of an answer that is one page of a longer list. @param things what is listed, in the plural, as in "Accounts" */
export const pageFields = (things: string, example: { total: number; pageSize: number }) => ({
  total: count.meta({ description: `${things} on all pages.`, examples: [example.total] }),
  page: z
    .int()
    .min(1)
    .meta({ description: 'The page, from 1.', examples: [1] }),
  pageSize: z
    .int()
    .min(1)
    .meta({ description: `${things} per page.`, examples: [example.pageSize] }),
});
