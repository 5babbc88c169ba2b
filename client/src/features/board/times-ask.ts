/** The length of the recommended times on the board, and the seats that they should fill. */
import { RECOMMENDATIONS, RECOMMENDED_MINUTES } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { formatSeatRequests, parseSeatRequests, type SeatRequest } from '#shared/seat-request.ts';
import type { BoardSearch } from './board-search.ts';

export interface TimesAsk {
  minutes: number;
  seats: readonly SeatRequest[];
}

/**
 * The length and the seats from the address; values that the board does not offer are left out.
 * @param aircraft the offered aircraft; undefined while they load
 */
export function readTimesAsk(
  { minutes, seats }: Pick<BoardSearch, 'minutes' | 'seats'>,
  aircraft: readonly AircraftDto[] | undefined,
): TimesAsk {
  const isOffered = RECOMMENDED_MINUTES.choices.some((choice) => choice === minutes);
  return {
    minutes: minutes !== undefined && isOffered ? minutes : RECOMMENDED_MINUTES.onBoard,
    seats: parseSeatRequests(seats).filter(({ aircraftId }) => aircraft?.some(({ id }) => id === aircraftId) ?? false),
  };
}

/** The API's input. */
export function timesInput(date: string, timeZone: string, { minutes, seats }: TimesAsk) {
  const named = formatSeatRequests(seats);
  return {
    date,
    tz: timeZone,
    minDuration: minutes,
    limit: RECOMMENDATIONS.initial,
    ...(named !== undefined && { seats: named }),
  };
}

/** `3 h`, `1 h 30 min` */
export function describeMinutes(minutes: number): string {
  const rest = minutes % 60;
  return [...(minutes < 60 ? [] : [`${Math.floor(minutes / 60)} h`]), ...(rest === 0 ? [] : [`${rest} min`])].join(' ');
}
