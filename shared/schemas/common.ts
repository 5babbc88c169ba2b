/** Shared input schemas: text, ids, emails, passwords, call signs, time zones, dates and times. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { CALL_SIGN_LENGTH, EMAIL_MAX_LENGTH, PASSWORD_LENGTH, YEARS } from '#shared/limits.ts';

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
    .refine((value) => countCharacters(value) <= max, tooLong);
}

/** Optional free text: missing, null and blank all become null. */
export function optionalText(max: number, { multiline = false } = {}) {
  return safeText(max, { multiline })
    .nullish()
    .transform((value) => (value === undefined || value === null || value === '' ? null : value));
}

export const idInput = z.guid({ error: copy.invalidId }).toLowerCase();

/** A local part and a domain of at least two labels, in letters of any script. Does not prove that the address exists. */
const EMAIL = /^[^\s@"<>()[\],;:\\]{1,64}@(?:[^\s@."<>()[\],;:\\/]+\.)+[^\s@."<>()[\],;:\\/]{2,}$/u;

export const emailInput = safeText(EMAIL_MAX_LENGTH, { tooLong: copy.invalidEmail, missing: copy.invalidEmail }).pipe(
  z.email({ error: copy.invalidEmail, pattern: EMAIL }),
);

/** A new password. Sign-in accepts any length, because an older rule may have allowed shorter ones. */
export const newPasswordInput = z
  .string({ error: copy.passwordRequired })
  .refine((value) => countCharacters(value) >= PASSWORD_LENGTH.min, copy.passwordTooShort)
  .refine((value) => countCharacters(value) <= PASSWORD_LENGTH.max, copy.passwordTooLong)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), copy.unreadableText);

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
  .refine((value) => !VISIBLE.test(value) || !STACKED_MARKS.test(value.replaceAll(UNSEEN, '')), copy.callSignStacked);

/** True for a zone name that this runtime knows. Offsets such as +05:00 are refused: POSIX zones reverse their sign. */
export function isKnownTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone) || zone.length > 64) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

export const timeZoneInput = z.string({ error: copy.selectTimeZone }).refine(isKnownTimeZone, copy.selectTimeZone);

/** True for an existing day from 2000 to 2100; 2026-02-29 does not exist. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const year = Number(match[1]);
  if (year < YEARS.min || year > YEARS.max) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

const WALL_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const WALL_END = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

export const dateInput = z.string({ error: copy.invalidDate }).refine(isCalendarDate, copy.invalidDate);
export const wallTimeInput = z.string({ error: copy.invalidTime }).regex(WALL_TIME, copy.invalidTime);
/** The end of a time on a date: `24:00`, as answers write the midnight that ends it, means the same as `00:00`. */
export const wallEndInput = z.string({ error: copy.invalidTime }).regex(WALL_END, copy.invalidTime);
/** @param missing sentence for an empty field */
export const dateTimeInput = (missing: string) =>
  z
    .string({ error: missing })
    .min(1, missing)
    .refine((text) => {
      const [date = '', time = '', ...rest] = text.split('T');
      return text === '' || (rest.length === 0 && isCalendarDate(date) && WALL_TIME.test(time));
    }, copy.invalidDateTime);

/** An ISO 8601 instant with any offset, whose UTC date is from 2000 to 2100. */
export const instantInput = () =>
  z.iso.datetime({ error: copy.invalidInstant, offset: true, abort: true }).refine((text) => {
    const ms = Date.parse(text);
    return !Number.isNaN(ms) && isCalendarDate(new Date(ms).toISOString().slice(0, 10));
  }, copy.invalidInstant);

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
export const originInput = safeText(300, { tooLong: copy.originInvalid, missing: copy.originInvalid }).refine(
  (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === '/',
  copy.originInvalid,
);

export const success = z.object({ success: z.literal(true) }).meta({ id: 'Success' });
export const isoInstant = z.iso.datetime();
