/** Recordings by Tacview for tests, written here from the format's documentation and not by the product. */
import { attendanceReport, type AttendanceReport } from '#shared/schemas/attendance.ts';
import { query, sql } from '#server/schema/query.ts';
import { HOUR_MS } from './cast.ts';
import { givenMission, givenPerson, hoursFromNow, type Person } from './given.ts';
import { flightsOf, loadMission } from './mission-edits.ts';
import { send } from './mission-files.ts';
import { orderOf, respond } from './orders.ts';
import type { Service } from './service.ts';

export interface Sortie {
  /** as the game shows it */
  pilot: string;
  /** DCS World calls the red side Allies */
  color?: 'Blue' | 'Red';
  aircraft?: string;
  group?: string;
  type?: string;
  /** minutes after the start of the recording */
  from: number;
  to: number;
  tookOff?: number;
  landed?: number;
}

const COALITION = { Blue: 'Enemies', Red: 'Allies' } as const;
const escape = (text: string) => text.replaceAll(',', '\\,');

export interface RecordingFacts {
  /** when it was begun; null: the file does not say */
  recordedAt: Date | null;
  sorties: readonly Sortie[];
  /** of the simulated mission */
  referenceTime?: string;
  /** seconds on the clock of the simulator at the start */
  firstFrame?: number;
  /** minutes; by default the last sortie's end */
  length?: number;
}

/** The text of a recording with a frame every 10 seconds. */
export function writeRecording({
  recordedAt,
  sorties,
  referenceTime = '2016-06-21T06:30:00Z',
  firstFrame = 0.07,
  length = Math.max(...sorties.map(({ to }) => to)),
}: RecordingFacts): string {
  const lines = [
    'FileType=text/acmi/tacview',
    'FileVersion=2.2',
    `0,ReferenceTime=${referenceTime}`,
    ...(recordedAt === null ? [] : [`0,RecordingTime=${recordedAt.toISOString()}`]),
    '0,Title=Iron Anvil,DataSource=DCS 2.9.5.55918',
    '0,Comments=Welcome\\, all. Look below\\',
    '#1234 is the number of the field\\',
    '-101 is not a departure',
    '40000001,T=3.79|3.48|2000,Type=Navaid+Static+Bullseye,Color=Blue,Coalition=Enemies',
  ];
  for (let second = 0; second <= length * 60; second += 10) {
    lines.push(`#${(firstFrame + second).toFixed(2)}`);
    sorties.forEach((sortie, index) => {
      const id = (0x101 + index).toString(16);
      const isAt = (minute: number | undefined) => minute !== undefined && minute * 60 === second;
      const { pilot, color = 'Blue', aircraft = 'F-16C_50', type = 'Air+FixedWing', group = 'Enfield-1' } = sortie;
      if (isAt(sortie.from)) {
        lines.push(
          `${id},T=1.5|2.5|300|0|0|90,Type=${type},Name=${aircraft},Pilot=${escape(pilot)},Group=${group},Color=${color},Coalition=${COALITION[color]},Country=us`,
        );
      } else if (isAt(sortie.to)) lines.push(`-${id}`);
      else if (sortie.from * 60 < second && second < sortie.to * 60) lines.push(`${id},T=1.6|2.6||||91`);
      if (isAt(sortie.tookOff)) lines.push(`0,Event=TakenOff|${id}|Al Dhafra`);
      if (isAt(sortie.landed)) lines.push(`0,Event=Landed|${id}|Al Dhafra`);
    });
  }
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

/** Send a recording of a mission. */
export const sendRecording = (service: Service, admin: Person, missionId: string, file: string | Buffer) =>
  send(service, admin, `/admin/missions/${missionId}/recordings`, { body: Buffer.from(file) });

export async function addRecording(...given: Parameters<typeof sendRecording>): Promise<AttendanceReport> {
  const { status, answer } = await sendRecording(...given);
  if (status !== 200) throw new Error(`the recording was refused with ${status}: ${JSON.stringify(answer)}`);
  return attendanceReport.parse(answer);
}

export interface Flown {
  id: string;
  /** it lasted three hours, and ended two hours ago */
  startsAt: Date;
  pilots: { person: Person; orderId: string }[];
}

/** A mission that is over, of blue F-16C with launch half an hour after the start, whose seats these pilots have held. */
export async function givenFlown(service: Service, admin: Person, callSigns: readonly string[]): Promise<Flown> {
  const { mission } = await givenMission(service, admin, {
    startLocal: hoursFromNow(60),
    endLocal: hoursFromNow(63),
    aircraftSlots: [{ aircraftId: 2, slotCount: callSigns.length, side: 0, notes: 'CAP' }],
  });
  const seats = flightsOf(await loadMission(admin, mission.id)).flatMap(({ id, sizeCap }) =>
    Array.from({ length: Number(sizeCap) }, (_seat, index) => `${id}/${index}`),
  );
  const pilots: Flown['pilots'] = [];
  for (const [index, displayName] of callSigns.entries()) {
    const person = await givenPerson(service, { displayName });
    const path = `/admin/missions/${mission.id}/seats/${seats[index]}`;
    await admin.client.call('PUT', path, { userId: person.id });
    const order = await orderOf(person);
    await respond(person, order, 'accepted');
    pilots.push({ person, orderId: order.id });
  }
  const startsAt = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 5 * HOUR_MS);
  const endsAt = new Date(startsAt.getTime() + 3 * HOUR_MS);
  const em = service.app.orm.em.fork();
  await query(em, sql`update mission set starts_at = ${startsAt}, ends_at = ${endsAt} where id = ${mission.id}`);
  await query(em, sql`update seat set starts_at = ${startsAt}, ends_at = ${endsAt} where mission_id = ${mission.id}`);
  await query(
    em,
    sql`update flight set launch_at = ${new Date(startsAt.getTime() + HOUR_MS / 2)} where mission_id = ${mission.id}`,
  );
  return { id: mission.id, startsAt, pilots };
}
