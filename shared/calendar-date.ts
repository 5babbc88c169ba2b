/** The check of calendar dates, which pages make without the schemas. */
import { YEARS } from './limits.ts';

/** True for an existing day from 2000 to 2100; 2026-02-29 does not exist. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const year = Number(match[1]);
  if (year < YEARS.min || year > YEARS.max) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
