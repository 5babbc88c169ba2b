/** Roster of a mission as CSV rows. */
import { localTime } from '#client/lib/time.ts';
import { localDate } from '#shared/clock.ts';
import { sideName } from '#shared/labels.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { holdersBySeat, orderWords, seatKey } from './order-groups.ts';

/** Local time in a zone: `2026-11-20 19:05`. */
function wallTime(instant: string, timeZone: string): string {
  return `${localDate(instant, timeZone)} ${localTime(instant, timeZone)}`;
}

/** One row per seat, including open seats, in board order. */
export function rosterRows(
  mission: MissionDto,
  orders: readonly MissionOrderDto[],
  timeZone: string,
  now: Date,
): Record<string, string | number>[] {
  const byOrder = (a: { sortOrder: number }, b: { sortOrder: number }): number => a.sortOrder - b.sortOrder;
  const holders = holdersBySeat(orders, now);
  return mission.packages.toSorted(byOrder).flatMap((pack) =>
    pack.flights.toSorted(byOrder).flatMap((flight) =>
      Array.from({ length: flight.sizeCap }, (_seat, seatIndex) => {
        const order = holders.get(seatKey(flight.id, seatIndex));
        return {
          Mission: mission.name,
          Theater: mission.theater,
          Status: mission.status,
          'Start (Zulu)': mission.startUtc,
          [`Start (${timeZone})`]: wallTime(mission.startUtc, timeZone),
          [`End (${timeZone})`]: wallTime(mission.endUtc, timeZone),
          Package: pack.callsign,
          Flight: flight.callsign,
          Aircraft: flight.aircraftName,
          Role: flight.role,
          Side: sideName(flight.side),
          'Launch (Zulu)': flight.launchUtc ?? '',
          'TOT (Zulu)': flight.totUtc ?? '',
          Radio: flight.radioFreq ?? '',
          Seat: seatIndex + 1,
          Pilot: order?.userDisplayName ?? '',
          State: order === undefined ? 'open' : order.rsvp === 'pending' ? 'pending' : orderWords(order, now),
          Order: order?.label ?? '',
          Attendance: order?.attendance?.replace('_', '-') ?? '',
        };
      }),
    ),
  );
}

/** `op-iron-hound-2026-11-20.csv` */
export function rosterFileName(mission: MissionDto, timeZone: string): string {
  const name = mission.name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${name === '' ? 'mission' : name}-${localDate(mission.startUtc, timeZone)}.csv`;
}
