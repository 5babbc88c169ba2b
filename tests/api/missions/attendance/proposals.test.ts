/** Attendance proposed from a recording: what is proposed, what an admin decides, and what never becomes a mark. */
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { copy } from '#shared/copy.ts';
import type { AttendanceReport } from '#shared/schemas/attendance.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { writeZip } from '#tests/harness/mission-file.ts';
import { refusalOf } from '#tests/harness/mission-files.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { addRecording, givenFlown, sendRecording, writeRecording, type Flown } from '#tests/harness/recordings.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await findBreaches(service)).toEqual([]);
  await retirePilots(service);
  // names of one test are nobody's in the next
  await query(service.app.orm.em.fork(), sql`delete from game_identity`);
  await query(service.app.orm.em.fork(), sql`update app_user set display_name = null where display_name <> 'Ops'`);
});

const report = async ({ id }: Flown): Promise<AttendanceReport> =>
  (await admin.client.call('GET', `/admin/missions/${id}/attendance`)).body;
const decide = ({ id }: Flown, decision: string, orderIds?: string[]) =>
  admin.client.call('POST', `/admin/missions/${id}/attendance/decisions`, { decision, orderIds });
const mark = ({ id }: Flown, orderId: string, attendance: string | null) =>
  admin.client.call('PUT', `/admin/missions/${id}/attendance`, { attendance: [{ orderId, attendance }] });
const setName = ({ id }: Flown, name: string, userId: string | null) =>
  admin.client.call('PUT', `/admin/missions/${id}/game-names`, { name, userId });
const verdicts = ({ orders }: AttendanceReport) =>
  Object.fromEntries(orders.map(({ userDisplayName, verdict }) => [userDisplayName, verdict]));
const marks = async (flown: Flown) =>
  Object.fromEntries(
    (await report(flown)).orders.map(({ userDisplayName, attendance }) => [userDisplayName, attendance]),
  );
const at = ({ startsAt }: Flown, minutes: number) => new Date(startsAt.getTime() + minutes * 60_000);
const iso = (flown: Flown, minutes: number) => at(flown, minutes).toISOString();

test('a recording proposes who flew, marks nobody, and one call confirms all', async () => {
  const flown = await givenFlown(service, admin, ['Vesper', 'Raven', 'Goose', 'Brief']);
  const recording = writeRecording({
    recordedAt: at(flown, -60),
    sorties: [
      // the counted time begins with the mission, which is minute 60 of the recording
      { pilot: '[JG54] VESPER', from: 50, to: 110, tookOff: 70, landed: 100 },
      { pilot: 'Vesper | 1-2', from: 120, to: 130 },
      { pilot: 'raven', aircraft: 'A-10C_2', from: 70, to: 130 },
      { pilot: 'Brief', from: 70, to: 85 },
      { pilot: 'Stranger, the', from: 70, to: 100 },
      { pilot: 'Enfield-1-3', from: 0, to: 240 },
      { pilot: 'Goose', type: 'Ground+Vehicle', from: 0, to: 240 },
    ],
  });
  const seen = await addRecording(service, admin, flown.id, recording);
  expect(verdicts(seen)).toEqual({ Vesper: 'flew', Raven: 'other_seat', Goose: null, Brief: null });
  expect(seen.orders.map(({ state, attendance }) => [state, attendance])).toEqual([
    ['open', null],
    ['open', null],
    [null, null],
    [null, null],
  ]);
  expect(seen.orders[0]?.evidence).toEqual({
    minutes: 60,
    otherMinutes: 0,
    firstSeenAt: iso(flown, 0),
    lastSeenAt: iso(flown, 70),
    tookOffAt: iso(flown, 10),
    landedAt: iso(flown, 40),
    aircraft: ['F-16C_50'],
    names: ['Vesper | 1-2', '[JG54] VESPER'],
    sources: ['tacview'],
  });
  expect(seen.orders[1]?.evidence).toMatchObject({ minutes: 0, otherMinutes: 60, aircraft: ['A-10C_2'] });
  expect(seen.orders[3]?.evidence).toMatchObject({ minutes: 15 });
  expect(seen.names.map(({ name, pilot, minutes }) => [name, pilot?.userDisplayName ?? null, minutes])).toEqual([
    ['[JG54] VESPER', 'Vesper', 60],
    ['raven', 'Raven', 60],
    ['Stranger, the', null, 30],
    ['Brief', 'Brief', 15],
    ['Vesper | 1-2', 'Vesper', 10],
  ]);
  expect(await report(flown)).toEqual(seen);
  // the same file again, as the archive that Tacview writes
  const content = deflateRawSync(recording);
  const entry = { method: 8, crc: crc32(recording), unpacked: Buffer.byteLength(recording) };
  const zipped = writeZip([{ name: 'op.txt.acmi', content, declared: entry }]);
  expect(await addRecording(service, admin, flown.id, zipped)).toEqual(seen);

  expect((await decide(flown, 'confirmed')).body.orderIds).toEqual(
    flown.pilots.slice(0, 2).map(({ orderId }) => orderId),
  );
  expect(await marks(flown)).toEqual({ Vesper: 'attended', Raven: 'attended', Goose: null, Brief: null });
  expect((await decide(flown, 'confirmed')).body.orderIds).toEqual([]);
  const { body: log } = await admin.client.call('GET', `/admin/audit?subjectId=${flown.id}`);
  expect(log.entries.map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
    'attendance_recorded',
    'attendance_proposed',
    'attendance_proposed',
  ]);
});

test('marks that admins made by hand stay, and so does a dismissal', async () => {
  const flown = await givenFlown(service, admin, ['Alpha', 'Bravo', 'Charlie']);
  const [alpha = '', bravo = '', charlie = ''] = flown.pilots.map(({ orderId }) => orderId);
  await mark(flown, alpha, 'excused');
  const sorties = ['Alpha', 'Bravo', 'Charlie'].map((pilot) => ({ pilot, from: 0, to: 100 }));
  const recording = writeRecording({ recordedAt: flown.startsAt, sorties });
  await addRecording(service, admin, flown.id, recording);
  expect((await decide(flown, 'dismissed', [bravo])).body.orderIds).toEqual([bravo]);
  await addRecording(service, admin, flown.id, recording);
  expect((await decide(flown, 'confirmed')).body.orderIds).toEqual([charlie]);
  expect(await marks(flown)).toEqual({ Alpha: 'excused', Bravo: null, Charlie: 'attended' });
  // a mark that is taken back opens the proposal again, and a dismissed one can be confirmed by name
  await mark(flown, charlie, null);
  expect((await decide(flown, 'confirmed', [bravo, charlie])).body.orderIds).toEqual([bravo, charlie]);
});

test('a name that two pilots could have is nobody’s, until an admin says whose it is, for later missions too', async () => {
  const flown = await givenFlown(service, admin, ['Vesper', '[VF-1] Vesper', 'Raven']);
  const [, second, raven] = flown.pilots.map(({ person }) => person);
  const recording = writeRecording({
    recordedAt: flown.startsAt,
    sorties: [
      { pilot: 'vesper', from: 0, to: 60 },
      { pilot: 'xX_rvn_Xx', from: 0, to: 60 },
    ],
  });
  const seen = await addRecording(service, admin, flown.id, recording);
  expect(Object.values(verdicts(seen))).toEqual([null, null, null]);
  expect(seen.names.map(({ name, pilot, couldBe }) => [name, pilot, couldBe.length])).toEqual([
    ['vesper', null, 2],
    ['xX_rvn_Xx', null, 0],
  ]);
  await setName(flown, 'vesper', String(second?.id));
  const { body } = await setName(flown, 'XX_RVN_XX', String(raven?.id));
  expect(verdicts(body)).toEqual({ Vesper: null, '[VF-1] Vesper': 'flew', Raven: 'flew' });
  expect(body.names).toMatchObject([{ isProved: true }, { isProved: true, pilot: { userDisplayName: 'Raven' } }]);

  const { body: own } = await (raven ?? admin).client.call('GET', '/auth/data.json');
  expect(own.missions).toMatchObject({
    namesInGame: [{ name: 'XX_RVN_XX', provedBy: 'admin' }],
    seenInGame: [{ name: 'xX_rvn_Xx', aircraft: 'F-16C_50', source: 'tacview' }],
    attendanceProposed: [{ verdict: 'flew', state: 'open', evidence: { minutes: 60 } }],
  });
  // nobody's again
  expect(verdicts((await setName(flown, 'xx_rvn_xx', null)).body)).toMatchObject({ Raven: null });
  expect((await setName(flown, 'Nobody', null)).body).toMatchObject({ code: 'GAME_NAME_NOT_FOUND' });
});

test('a recording of another time is refused with both times, and one without a time or with nonsense too', async () => {
  const flown = await givenFlown(service, admin, ['Vesper']);
  const sorties = [{ pilot: 'Vesper', from: 0, to: 60 }];
  const refused = async (file: string | Buffer) => {
    const reply = await sendRecording(service, admin, flown.id, file);
    return [reply.status, refusalOf(reply)];
  };
  const words = (from: number, to: number) =>
    [from, to].map((minutes) => `${iso(flown, minutes).slice(0, 16).replace('T', ' ')}Z`).join(' to ');
  expect(await refused(writeRecording({ recordedAt: at(flown, 24 * 60), sorties }))).toEqual([
    409,
    {
      code: 'RECORDING_OF_OTHER_TIME',
      message: `This recording runs from ${words(24 * 60, 25 * 60)}, and the mission from ${words(0, 180)}. Please choose the recording that was made during the mission.`,
    },
  ]);
  const unreadable = (message: string) => [400, { code: 'RECORDING_UNREADABLE', message }];
  expect(await refused('Dear diary')).toEqual(unreadable(copy.recordingNotAcmi));
  expect(await refused('')).toEqual(unreadable(copy.recordingNotAcmi));
  const noTime = writeRecording({ recordedAt: null, sorties }).replace(/0,ReferenceTime.*\r\n/, '');
  expect(await refused(noTime)).toEqual(unreadable(copy.recordingNoTime));
  // a simulator whose clock is the real one, and that says nothing else
  const real = writeRecording({ recordedAt: null, referenceTime: iso(flown, 10), sorties });
  expect(verdicts(await addRecording(service, admin, flown.id, real))).toEqual({ Vesper: 'flew' });
});

test('only admins send recordings, and only of missions that are over', async () => {
  const pilot = await givenPerson(service);
  const flown = await givenFlown(service, admin, ['Vesper']);
  const recording = writeRecording({ recordedAt: flown.startsAt, sorties: [{ pilot: 'Vesper', from: 0, to: 60 }] });
  expect((await sendRecording(service, pilot, flown.id, recording)).status).toBe(403);
  const em = service.app.orm.em.fork();
  const end = new Date(Date.now() + 3_600_000);
  await query(em, sql`update mission set ends_at = ${end} where id = ${flown.id}`);
  await query(em, sql`update seat set ends_at = ${end} where mission_id = ${flown.id}`);
  expect(refusalOf(await sendRecording(service, admin, flown.id, recording)).code).toBe('MISSION_NOT_OVER');
});
