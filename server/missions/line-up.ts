/** The line-up of a mission for other tools: one row per seat, as CSV and as text. */
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { publicName } from '#server/schema/predicates.ts';
import { AppError } from '#server/platform/errors.ts';
import { findMissionFile } from '#server/missions/mission-file/mission-files.ts';
import { toIso } from '#server/time/time.ts';
import { formatZulu } from '#shared/clock.ts';
import { NAMELESS, sideName } from '#shared/labels.ts';
import { eachField } from '#shared/mission-fields.ts';
import type { FileGroup } from '#shared/schemas/mission-file.ts';
import type { MissionRole, Rsvp, Side } from '#shared/vocabulary.ts';

/** A seat with its flight, its pilot and its unit in the mission file. */
export interface LineUpSeat {
  flightId: string;
  side: Side;
  packageCallsign: string;
  callsign: string;
  aircraftName: string;
  aircraftCode: string;
  role: MissionRole;
  radioFreq: string | null;
  launchMs: number | null;
  totMs: number | null;
  seatIndex: number;
  /** null for an open seat, and for one whose pilot has not accepted */
  pilot: string | null;
  rsvp: Rsvp | null;
  /** the pilot who holds the seat, accepted or not yet answered; null for an open seat */
  holderId: string | null;
  groupId: number | null;
  unitId: number | null;
  station: number | null;
}

export interface LineUp {
  name: string;
  theater: string;
  startMs: number;
  endMs: number;
  seats: LineUpSeat[];
  /** groups of the mission's file; none without one */
  groups: readonly FileGroup[];
}

/** Flights in the order of the plan, each with its seats. */
async function listSeats(em: Em, missionId: string): Promise<LineUpSeat[]> {
  const flights = await db(em)
    .selectFrom('flight as f')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref }) => [
      'f.id as flightId',
      'f.side',
      'p.callsign as packageCallsign',
      'f.callsign',
      'a.name as aircraftName',
      'a.code as aircraftCode',
      'f.role',
      'f.radio_freq as radioFreq',
      ms(ref('f.launch_at')).as('launchMs'),
      ms(ref('f.tot_at')).as('totMs'),
      'f.size_cap as size',
    ])
    .where('f.mission_id', '=', missionId)
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .execute();
  const held = await db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('app_user as u', 'u.id', 's.pilot_id')
    .select([
      's.flight_id as flightId',
      's.seat_index as seatIndex',
      's.pilot_id as holderId',
      'o.rsvp',
      publicName('u', NAMELESS).as('pilot'),
    ])
    .where('s.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .execute();
  const units = await db(em)
    .selectFrom('mission_file_seat')
    .select(['flight_id as flightId', 'seat_index as seatIndex', 'group_id as groupId', 'unit_id as unitId', 'station'])
    .where('mission_id', '=', missionId)
    .execute();
  return flights.flatMap(({ size, ...flight }) =>
    Array.from({ length: size }, (_, seatIndex): LineUpSeat => {
      const isHere = (one: { flightId: string; seatIndex: number }): boolean =>
        one.flightId === flight.flightId && one.seatIndex === seatIndex;
      const seat = held.find(isHere);
      const unit = units.find(isHere);
      return {
        ...flight,
        seatIndex,
        pilot: seat?.rsvp === 'accepted' ? seat.pilot : null,
        rsvp: seat?.rsvp ?? null,
        holderId: seat?.holderId ?? null,
        groupId: unit?.groupId ?? null,
        unitId: unit?.unitId ?? null,
        station: unit?.station ?? null,
      };
    }),
  );
}

/** @throws AppError 404 for an unknown mission */
export async function readLineUp(em: Em, missionId: string): Promise<LineUp> {
  const mission = await db(em)
    .selectFrom('mission')
    .select(({ ref }) => ['name', 'theater', ms(ref('starts_at')).as('startMs'), ms(ref('ends_at')).as('endMs')])
    .where('id', '=', missionId)
    .executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const file = await findMissionFile(em, missionId);
  return { ...mission, seats: await listSeats(em, missionId), groups: file?.found.groups ?? [] };
}

function unitOf({ groupId, unitId }: LineUpSeat, groups: readonly FileGroup[]) {
  const group = groups.find((one) => one.groupId === groupId);
  return { group: group?.name ?? '', unit: group?.units.find((one) => one.unitId === unitId)?.name ?? '' };
}

const timeOf = (instant: number | null): string => (instant === null ? '' : toIso(instant));

/** The columns of the CSV, each with its value; the header line has their names. */
const COLUMNS: Record<string, (seat: LineUpSeat, lineUp: LineUp) => string> = {
  side: ({ side }) => sideName(side),
  package: ({ packageCallsign }) => packageCallsign,
  flight: ({ callsign }) => callsign,
  aircraft: ({ aircraftName }) => aircraftName,
  type: ({ aircraftCode }) => aircraftCode,
  role: ({ role }) => role,
  frequency: ({ radioFreq }) => radioFreq ?? '',
  launch: ({ launchMs }) => timeOf(launchMs),
  tot: ({ totMs }) => timeOf(totMs),
  seat: ({ seatIndex }) => String(seatIndex + 1),
  pilot: ({ pilot }) => pilot ?? '',
  answer: ({ rsvp }) => rsvp ?? '',
  group: (seat, { groups }) => unitOf(seat, groups).group,
  unit: (seat, { groups }) => unitOf(seat, groups).unit,
};

export const LINE_UP_COLUMNS = Object.keys(COLUMNS);

/** A row for each seat. */
export const lineUpRows = (lineUp: LineUp): Record<string, string>[] =>
  lineUp.seats.map((seat) => eachField(LINE_UP_COLUMNS, (name) => COLUMNS[name]?.(seat, lineUp) ?? ''));

/** The same as text, a block for each flight. */
export function lineUpText(lineUp: LineUp): string {
  const { name, theater, startMs, endMs, seats } = lineUp;
  const zulu = (instant: number | null): string => (instant === null ? '-' : formatZulu(toIso(instant)));
  const blocks = [...Map.groupBy(seats, ({ flightId }) => flightId).values()].map((flight) => {
    const [first] = flight;
    if (!first) return '';
    const { callsign, aircraftName, role, side, packageCallsign, radioFreq, launchMs, totMs } = first;
    const head = `${callsign} | ${flight.length} x ${aircraftName} | ${role} | ${sideName(side)} | Package ${packageCallsign}`;
    const plan = `  Freq ${radioFreq ?? '-'} | Launch ${zulu(launchMs)} | TOT ${zulu(totMs)}`;
    const crew = flight.map((seat) => `  ${seat.seatIndex + 1} ${seat.pilot ?? '-'}`);
    return [head, plan, ...crew].join('\n');
  });
  return `${[`${name} | ${theater} | ${toIso(startMs)} - ${toIso(endMs)}`, ...blocks].join('\n\n')}\n`;
}
