/** A mission file from the upload to the download: found seats, the mission made of them, its pilots in the file. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { removeForgottenFiles } from '#server/missions/mission-file/mission-files.ts';
import { query, sql } from '#server/schema/query.ts';
import { copy } from '#shared/copy.ts';
import { OWNED_MAX } from '#shared/limits.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { writeMission } from '#tests/harness/mission-file.ts';
import { refusalOf, requestOf, send, upload } from '#tests/harness/mission-files.ts';
import { callOffMissions, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findFaults } from '#tests/security/growth.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  await callOffMissions(service);
  expect(await findBreaches(service)).toEqual([]);
});

/** @param uploader counts only the files of this admin */
const count = async (table: string, uploader?: string): Promise<number> => {
  const of = uploader === undefined ? sql`true` : sql`uploaded_by_id = ${uploader}`;
  const [row] = await query<{ count: number }>(
    service.app.orm.em.fork(),
    sql`select count(*)::int as count from ${sql.ref(table)} where ${of}`,
  );
  return row?.count ?? Number.NaN;
};

const GROUPS = [
  { name: 'Viper flight', type: 'F-16C_50', callsign: 'Viper', units: [{}, { skill: 'High' as const }, {}] },
  { name: 'Tomcats', type: 'F-14A-135-GR', callsign: 'Colt', frequency: 264, units: [{}] },
  { name: 'Hinds', side: 'red' as const, kind: 'helicopter' as const, type: 'Mi-24P', callsign: null, units: [{}] },
  { name: 'Mustangs', type: 'P-51D-30-NA', callsign: 'Dodge', frequency: 124, units: [{}] },
];

/** A mission of the groups that Marshal has aircraft for, with a pilot for each seat who has accepted. */
async function givenFlown(groups: Parameters<typeof writeMission>[0] = { groups: GROUPS.slice(0, 3) }) {
  const file = await upload(service, admin, writeMission(groups));
  const pilots = await Promise.all(file.groups.flatMap(({ units }) => units).map(() => givenPilot(service)));
  const { status, body } = await admin.client.call('POST', '/admin/missions', requestOf(file));
  expect([status, body.issued]).toEqual([201, { orders: pilots.length, openSeats: 0 }]);
  for (const pilot of pilots) await respond(pilot, await orderOf(pilot), 'accepted');
  return { id: String(body.mission.id), file, pilots };
}

test('an upload says what it found', async () => {
  const bytes = writeMission({ groups: GROUPS });
  const file = await upload(service, admin, bytes, 'Жар птица.miz');
  expect(file).toMatchObject({
    name: 'Жар птица.miz',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    title: 'Iron Anvil',
    theater: 'Syria',
    groups: [
      { name: 'Viper flight', aircraftId: 2, aircraftName: 'F-16C Viper', crewStations: 1, callsign: 'Viper 1' },
      { name: 'Tomcats', aircraftId: 4, aircraftName: 'F-14B Tomcat', crewStations: 2 },
      { name: 'Mustangs', aircraftId: null, aircraftName: 'P-51D-30 Mustang', crewStations: 1 },
      { name: 'Hinds', aircraftId: 22, side: 1 },
    ],
  });
});

test('an admin finds the uploads among the own data', async () => {
  const { body } = await admin.client.call('GET', '/auth/data.json');
  expect(body.missions.missionFiles).toMatchObject([{ name: 'Жар птица.miz', version: null }]);
});

test('a type that Marshal lacks is mapped once an admin has added it', async () => {
  const type = { code: 'P-51D-30-NA', name: 'P-51D-30 Mustang', seats: 1, roles: ['CAP'] };
  const { status, body } = await admin.client.call('POST', '/admin/aircraft', type);
  expect(status).toBe(201);
  const file = await upload(service, admin, writeMission({ groups: GROUPS }));
  expect(file.groups.find(({ name }) => name === 'Mustangs')?.aircraftId).toBe(body.id);
  await admin.client.call('DELETE', `/admin/aircraft/${body.id}`);
});

test('a type that is switched off is said', async () => {
  const offer = (active: boolean) => admin.client.call('PUT', '/admin/aircraft/offered', { ids: [22], active });
  expect((await offer(false)).status).toBe(200);
  const { groups, problems } = await upload(service, admin, writeMission({ groups: GROUPS }));
  expect(groups.find(({ name }) => name === 'Hinds')?.aircraftId).toBeNull();
  expect(problems).toEqual(['Mi-24P Hind is switched off. Switch it on to plan its groups.']);
  await offer(true);
});

test('a mission has the callsigns and frequencies of its file, and keeps the file', async () => {
  const { id, file } = await givenFlown();
  const { body: mission } = await admin.client.call('GET', `/admin/missions/${id}`);
  const flights = mission.packages.flatMap((one: { flights: object[] }) => one.flights);
  expect(flights).toMatchObject([
    { callsign: 'Viper 1', radioFreq: '251.000 AM', sizeCap: 2 },
    { callsign: 'Colt 2', radioFreq: '264.000 AM', sizeCap: 1 },
    // the frequency is taken, and numbers are no callsigns
    { callsign: 'Enfield 1', sizeCap: 1 },
  ]);
  expect((await admin.client.call('GET', `/admin/missions/${id}/files`)).body).toMatchObject([
    { id: file.id, name: 'op.miz', version: 1, sha256: file.sha256, uploadedByName: admin.displayName },
  ]);
  const { body: log } = await admin.client.call('GET', `/admin/audit?subjectId=${id}&action=mission_file_kept`);
  expect(log.entries).toMatchObject([{ action: 'mission_file_kept' }]);
});

test(
  'the file comes back with the pilots, their kneeboards and the frequencies of the plan',
  { timeout: 120_000 },
  async () => {
    const { id, file, pilots } = await givenFlown();
    const { status, content, headers } = await send(service, admin, `/admin/missions/${id}/mission.miz`);
    const keyed = `op.marshal-${id.slice(-12)}.miz`;
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${keyed}"; filename*=UTF-8''${keyed}`,
    ]);
    const again = await upload(service, admin, content);
    const seatsOf = ({ groups }: typeof file) =>
      groups.map(({ groupId, type, side, units }) => [groupId, type, side, units.map(({ unitId }) => unitId)]);
    expect(seatsOf(again)).toEqual(seatsOf(file));
    const names = again.groups.flatMap(({ units }) => units.map(({ name }) => name));
    expect(names.toSorted()).toEqual(pilots.map(({ displayName }) => String(displayName)).toSorted());
    const { body: mission } = await admin.client.call('GET', `/admin/missions/${id}`);
    const planned = mission.packages.flatMap((one: { flights: { radioFreq: string }[] }) => one.flights);
    expect(again.groups.map(({ frequency }) => frequency)).toEqual(
      planned.map((flight: { radioFreq: string }) => flight.radioFreq),
    );
    // names of entries are not compressed
    for (const page of [
      'KNEEBOARD/F-16C_50/IMAGES/marshal-01-roster.png',
      'KNEEBOARD/F-16C_50/IMAGES/marshal-02-Viper-1.png',
      'KNEEBOARD/Mi-24P/IMAGES/marshal-01-roster.png',
    ]) {
      expect(content.includes(page)).toBe(true);
    }
  },
);

test('the line-up is there as CSV and as text', async () => {
  const { id, pilots } = await givenFlown();
  const csv = await send(service, admin, `/admin/missions/${id}/line-up.csv`);
  const [header, ...lines] = csv.content.toString().trimEnd().split('\r\n');
  expect(header).toBe('side,package,flight,aircraft,type,role,frequency,launch,tot,seat,pilot,answer,group,unit');
  expect(lines).toHaveLength(pilots.length);
  expect(lines[0]).toMatch(
    /^Blue,ALPHA,Viper 1,F-16C Viper,F-16C_50,CAP,251\.000 AM,.*,1,.*,accepted,Viper flight,Viper flight-1$/,
  );
  const { content } = await send(service, admin, `/admin/missions/${id}/line-up.txt`);
  for (const { displayName } of pilots) expect(content.toString()).toContain(displayName ?? 'nobody');
});

test('the other side reads nothing of a type that both sides fly', { timeout: 120_000 }, async () => {
  const { id } = await givenFlown({
    groups: [{ units: [{}] }, { side: 'red', callsign: 'Uzi', units: [{}] }, { type: 'A-10C_2', units: [{}] }],
  });
  const { content } = await send(service, admin, `/admin/missions/${id}/mission.miz`);
  expect([content.includes('KNEEBOARD/F-16C_50/'), content.includes('KNEEBOARD/A-10C_2/')]).toEqual([false, true]);
});

test('the same file sent again is the same upload; there is a limit, and they go after a day', async () => {
  const other = await givenAdmin(service);
  const bytes = writeMission({ sortie: 'once' });
  const [first, second] = [await upload(service, other, bytes), await upload(service, other, bytes)];
  expect(second.id).toBe(first.id);
  const faults = await findFaults({
    max: OWNED_MAX.missionFiles,
    calls: OWNED_MAX.missionFiles + 3,
    attempt: async (index) => {
      const body = writeMission({ sortie: `Op ${index}` });
      const reply = await send(service, other, '/admin/mission-files?name=a.miz', { body });
      return { status: reply.status, message: reply.status === 200 ? null : refusalOf(reply).message };
    },
    owned: () => count('mission_file', other.id),
    sentence: `An admin can have at most ${OWNED_MAX.missionFiles} mission files that no mission has. They are removed after a day.`,
  });
  expect(faults).toEqual([]);
  const { id, file } = await givenFlown();
  await removeForgottenFiles(service.app.orm.em.fork(), new Date(Date.now() + 25 * 3_600_000));
  expect(await send(service, admin, `/admin/missions/${id}/mission.miz`)).toMatchObject({ status: 200 });
  expect((await admin.client.call('GET', `/admin/missions/${id}/files`)).body).toMatchObject([{ id: file.id }]);
  const create = await other.client.call('POST', '/admin/missions', requestOf(first));
  expect([create.status, create.body.code]).toEqual([404, 'MISSION_FILE_NOT_FOUND']);
});

test('what is refused leaves nothing behind', async () => {
  const before = await Promise.all(
    ['mission_file', 'mission_file_content', 'mission_file_chunk'].map((table) => count(table)),
  );
  const pilot = await givenPerson(service);
  const path = '/admin/mission-files?name=a.miz';
  const good = writeMission();
  const answers = [
    await send(service, admin, path, { body: Buffer.from('x') }),
    await send(service, admin, path, { body: good, type: 'application/json' }),
    await send(service, admin, path, { body: good, origin: 'https://elsewhere.example' }),
    await send(service, admin, '/admin/mission-files', { body: good }),
    await send(service, pilot, path, { body: good }),
    await send(service, admin, path, { body: Buffer.alloc(50 * 1024 * 1024 + 1) }),
  ];
  expect(answers.map((answer) => [answer.status, refusalOf(answer)])).toEqual([
    [400, { code: 'MISSION_FILE_UNREADABLE', message: copy.missionFileNotZip }],
    [415, { code: 'NOT_JSON', message: copy.missionFileBody }],
    [403, { code: 'CROSS_ORIGIN', message: copy.crossOrigin }],
    [400, { code: 'VALIDATION', message: copy.missionFileNameRequired }],
    [403, { code: 'ADMINS_ONLY', message: copy.adminsOnly }],
    [413, { code: 'BODY_TOO_LARGE', message: copy.missionFileTooLarge }],
  ]);
  expect(
    await Promise.all(['mission_file', 'mission_file_content', 'mission_file_chunk'].map((table) => count(table))),
  ).toEqual(before);
});
