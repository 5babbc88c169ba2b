/** The value of an option in Discord's menu of open seats. */
import { SEAT_FIXES, type SeatFix } from './vocabulary.ts';

interface SeatChoice {
  flightId: string;
  seatIndex: number;
  /** what the menu says will change */
  fixes: SeatFix[];
}

/** @returns `0199…:2`, and `0199…:2:03` with the places of the changes in their list */
export function writeSeatChoice({ flightId, seatIndex, fixes }: SeatChoice): string {
  const places = fixes.map((fix) => SEAT_FIXES.indexOf(fix)).join('');
  return `${flightId}:${seatIndex}${places === '' ? '' : `:${places}`}`;
}

/** @returns null for a value that is not Marshal's */
export function parseSeatChoice(value: string): SeatChoice | null {
  const {
    flightId,
    seat,
    places = '',
  } = /^(?<flightId>[\w-]{1,50}):(?<seat>\d{1,2})(?::(?<places>\d{1,9}))?$/.exec(value)?.groups ?? {};
  if (flightId === undefined) return null;
  return { flightId, seatIndex: Number(seat), fixes: SEAT_FIXES.filter((_fix, at) => places.includes(String(at))) };
}
