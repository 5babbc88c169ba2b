/** The value of an option in Discord's menu of open seats. */

interface SeatChoice {
  flightId: string;
  seatIndex: number;
}

/** @returns `0199…:2` */
export const writeSeatChoice = ({ flightId, seatIndex }: SeatChoice): string => `${flightId}:${seatIndex}`;

/** @returns null for a value that is not Marshal's */
export function parseSeatChoice(value: string): SeatChoice | null {
  const { flightId, seat } = /^(?<flightId>[\w-]{1,50}):(?<seat>\d{1,2})$/.exec(value)?.groups ?? {};
  return flightId === undefined ? null : { flightId, seatIndex: Number(seat) };
}
