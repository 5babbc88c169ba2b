/** Seats that a mission would need, as text for a query: `2x4,5x2` for four seats in aircraft 2 and two in aircraft 5. */
import { AIRCRAFT_SLOT_COUNT } from './limits.ts';

/** Seats in one type of aircraft. */
export interface SeatRequest {
  aircraftId: number;
  seats: number;
}

export const SEAT_REQUESTS_MAX = 8;

const ONE = '[1-9][0-9]{0,3}x(?:[1-9]|[1-5][0-9]|6[0-4])';
/** Ids of up to four digits, 1 to 64 seats each. */
export const SEAT_REQUEST_PATTERN = new RegExp(`^${ONE}(?:,${ONE}){0,${SEAT_REQUESTS_MAX - 1}}$`);

/** An aircraft that is named twice becomes one entry. @returns [] for text of another form */
export function parseSeatRequests(text: string | undefined): SeatRequest[] {
  if (text === undefined || !SEAT_REQUEST_PATTERN.test(text)) return [];
  const seatsOf = new Map<number, number>();
  for (const one of text.split(',')) {
    const [aircraftId = 0, seats = 0] = one.split('x').map(Number);
    seatsOf.set(aircraftId, Math.min((seatsOf.get(aircraftId) ?? 0) + seats, AIRCRAFT_SLOT_COUNT.max));
  }
  return [...seatsOf].map(([aircraftId, seats]) => ({ aircraftId, seats }));
}

/** @returns undefined for no seats, so that a query leaves it out */
export function formatSeatRequests(requests: readonly SeatRequest[]): string | undefined {
  return requests.map(({ aircraftId, seats }) => `${aircraftId}x${seats}`).join(',') || undefined;
}
