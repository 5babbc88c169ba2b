/** Values of a pilot's choices in Discord: an option in the menu of open seats, and the subject of the standby button. */
import { SEAT_FIXES, type SeatFix } from './vocabulary.ts';

interface SeatChoice {
  flightId: string;
  seatIndex: number;
  /** what the menu says will change */
  fixes: SeatFix[];
}

/** The positions of the changes in `SEAT_FIXES`. */
const placesOf = (fixes: readonly SeatFix[]): string => fixes.map((fix) => SEAT_FIXES.indexOf(fix)).join('');
const fixesAt = (places: string): SeatFix[] => SEAT_FIXES.filter((_fix, at) => places.includes(String(at)));

/** @returns `0199…:2`, and `0199…:2:03` with the places of the changes in their list */
export function writeSeatChoice({ flightId, seatIndex, fixes }: SeatChoice): string {
  const places = placesOf(fixes);
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
  return { flightId, seatIndex: Number(seat), fixes: fixesAt(places) };
}

interface StandbyChoice {
  missionId: string;
  /** what the message says will change */
  fixes: SeatFix[];
}

/** @returns `0199…`, and `0199…_03` with the places of the changes in their list */
export function writeStandbyChoice({ missionId, fixes }: StandbyChoice): string {
  const places = placesOf(fixes);
  return places === '' ? missionId : `${missionId}_${places}`;
}

/** The server refuses a mission that does not exist. */
export function parseStandbyChoice(subject: string): StandbyChoice {
  const [missionId = '', places = ''] = subject.split('_');
  return { missionId, fixes: fixesAt(places) };
}
