/** The board's seven local dates and the selected one. */
import { dayWords } from '#shared/clock.ts';
import { addDays } from '#client/lib/wall-time.ts';

export const BOARD_DAYS = 7;

/** @param today `YYYY-MM-DD` */
export function boardDays(today: string): string[] {
  return Array.from({ length: BOARD_DAYS }, (_day, index) => addDays(today, index));
}

/** The date from the address if it is one of the seven, else today. */
export function pickDay(named: string | undefined, today: string): string {
  return boardDays(today).find((day) => day === named) ?? today;
}

/** `Sat 21` for a calendar date. */
export function shortDay(date: string): string {
  return `${dayWords(date).weekday} ${Number(date.slice(-2))}`;
}
