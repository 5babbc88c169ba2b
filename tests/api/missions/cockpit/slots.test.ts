/** Slots for game servers: who reads them, what they say, when a seat is open, and the hook with a real answer. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { LIVE_PATH } from '#shared/live.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { writeMission } from '#tests/harness/mission-file.ts';
import { requestOf, send, upload } from '#tests/harness/mission-files.ts';
import { callOffMissions, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const MINUTE_MS = 60_000;
const LUA = new URL('../../../unit/server/missions/cockpit/game-server.lua', import.meta.url).pathname;
const HOOK = new URL('../../../../client/public/marshal-slots.lua', import.meta.url).pathname;
const HAS_LUA = spawnSync('lua5.1', ['-e', 'require "cjson"']).status === 0;

let service: Service;
let admin: Person;
let token: string;

const make = ({ id, client }: Person, scopes: readonly string[]) =>
  client.call('POST', `/users/${id}/tokens`, {
    name: 'Game server',
    scopes,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  token = (await make(admin, ['server'])).body.token;
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  await callOffMissions(service);
  // a name of one test is nobody's in the next
  await query(service.app.orm.em.fork(), sql`delete from game_identity`);
  expect(await findBreaches(service)).toEqual([]);
});

/** A read as the game server makes it. */
async function read(path: string, { by = token, tag }: { by?: string; tag?: string | null } = {}) {
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${by}`, ...(tag ? { 'if-none-match': tag } : {}) },
  });
  const text = response.headers.get('content-type')?.includes('json') ? await response.text() : '';
  if (text === '') await response.body?.cancel();
  return {
    status: response.status,
    tag: response.headers.get('etag'),
    text,
    body: text === '' ? null : JSON.parse(text),
  };
}

const FILE = writeMission({
  groups: [
    { name: 'Viper flight', type: 'F-16C_50', callsign: 'Viper', units: [{}, {}] },
    { name: 'Hinds', side: 'red', kind: 'helicopter', type: 'Mi-24P', callsign: null, units: [{}] },
  ],
});

/** A mission of three hours from a file: Vesper has accepted, Raven has not answered yet, Brief waits, the Hind is open. */
async function givenEvening(hours: number) {
  const file = await upload(service, admin, FILE);
  const times = { startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 3) };
  const [vesper, raven, brief] = await Promise.all(
    ['Vesper', 'Raven', 'Brief'].map((displayName) => givenPerson(service, { displayName })),
  );
  if (!vesper || !raven || !brief) throw new Error('there are three');
  const request = { ...requestOf(file), ...times, secretSides: true };
  const { status, body } = await admin.client.call('POST', '/admin/missions', request);
  expect(status).toBe(201);
  const id = String(body.mission.id);
  const { body: board } = await admin.client.call('GET', `/admin/missions/${id}`);
  const flights: { id: string; side: number; callsign: string }[] = board.packages.flatMap(
    (one: { flights: object[] }) => one.flights,
  );
  const flightId = flights.find(({ side }) => side === 0)?.id;
  for (const [index, { id: userId }] of [vesper, raven].entries()) {
    const path = `/admin/missions/${id}/seats/${flightId}/${index}`;
    expect((await admin.client.call('PUT', path, { userId, anyway: true })).status).toBe(200);
  }
  await respond(vesper, await orderOf(vesper), 'accepted');
  await query(
    service.app.orm.em.fork(),
    sql`insert into game_identity (id, user_id, name, name_key, proved_by, created_at)
        values (gen_random_uuid(), ${vesper.id}, 'Dave_77', 'dave_77', 'admin', now())`,
  );
  return { id, vesper, raven, brief, red: flights.find(({ side }) => side === 1)?.callsign ?? '' };
}

/** Moves the start of a mission to this many minutes from now. */
async function shift(id: string, minutes: number): Promise<void> {
  const from = new Date(Date.now() + minutes * MINUTE_MS);
  const to = new Date(from.getTime() + 180 * MINUTE_MS);
  const em = service.app.orm.em.fork();
  await query(em, sql`update mission set starts_at = ${from}, ends_at = ${to} where id = ${id}`);
  await query(em, sql`update seat set starts_at = ${from}, ends_at = ${to} where mission_id = ${id}`);
}

test('both sides with their units and pilots, once more only when something has changed', async () => {
  const { id, vesper, brief, red } = await givenEvening(3);
  await givenAlwaysFree(service, brief.id, 2);
  expect((await brief.client.call('PUT', `/pilot/missions/${id}/standby`, {})).body).toMatchObject({ rsvp: 'standby' });
  const { status, tag, body } = await read(`/api/v1/missions/${id}/slots`);
  const { startUtc } = body;
  const keptUntilUtc = new Date(Date.parse(startUtc) + 15 * MINUTE_MS).toISOString();
  const unit = { unitId: expect.any(Number), name: expect.any(String), group: 'Viper flight', station: 1 };
  const viper = { side: 0, aircraft: 'F-16C Viper', unit, keptUntilUtc, isOpen: false };
  expect([status, body]).toEqual([
    200,
    {
      asOfUtc: expect.any(String),
      missionId: id,
      name: 'Iron Anvil',
      fileKey: id.slice(-12),
      startUtc,
      endUtc: new Date(Date.parse(startUtc) + 180 * MINUTE_MS).toISOString(),
      slots: [
        { ...viper, label: 'Viper 1-1', pilot: { callSign: 'Vesper', names: ['Vesper', 'Dave_77'] } },
        { ...viper, label: 'Viper 1-2', pilot: { callSign: 'Raven', names: ['Raven'] } },
        {
          label: `${red}-1`,
          side: 1,
          aircraft: 'Mi-24P Hind',
          unit: { ...unit, group: 'Hinds' },
          pilot: null,
          keptUntilUtc: null,
          isOpen: true,
        },
      ],
      standby: [{ callSign: 'Brief', names: ['Brief'] }],
    },
  ]);
  const { asOfUtc: _asOf, ...slots } = body;
  const all = await read('/api/v1/slots');
  expect(all.body).toEqual({ asOfUtc: expect.any(String), missions: [slots] });

  const again = (known: string | null, path = `/api/v1/missions/${id}/slots`) => read(path, { tag: known });
  expect(await again(tag)).toMatchObject({ status: 304, tag, text: '' });
  expect(await again(all.tag, '/api/v1/slots')).toMatchObject({ status: 304, tag: all.tag });
  await vesper.client.call('PUT', `/users/${vesper.id}`, { displayName: 'Vesper II', timeZone: 'UTC' });
  expect(await again(tag)).toMatchObject({
    status: 200,
    body: { slots: [{ pilot: { callSign: 'Vesper II' } }, {}, {}] },
  });
  expect((await again(all.tag, '/api/v1/slots')).status).toBe(200);
});

test('a seat is open 15 minutes after the start, and a mission is found from six hours before it to its end', async () => {
  const { id } = await givenEvening(3);
  const openAt = async (minutes: number) => {
    await shift(id, minutes);
    const { status, body } = await read(`/api/v1/missions/${id}/slots`);
    const { body: all } = await read('/api/v1/slots');
    expect(all.missions).toHaveLength(status === 200 ? 1 : 0);
    return status === 200 ? body.slots.map(({ isOpen }: { isOpen: boolean }) => isOpen) : [body.code, body.message];
  };
  const NOT_NOW = [
    'MISSION_NOT_FOUND',
    'This mission has no slots now. They can be read from 6 hours before its start until its end, once it is published.',
  ];
  expect(await openAt(361)).toEqual(NOT_NOW);
  expect(await openAt(359)).toEqual([false, false, true]);
  expect(await openAt(-14)).toEqual([false, false, true]);
  expect(await openAt(-16)).toEqual([true, true, true]);
  expect(await openAt(-179)).toEqual([true, true, true]);
  expect(await openAt(-181)).toEqual(NOT_NOW);
  await shift(id, 60);
  await admin.client.call('POST', `/admin/missions/${id}/cancel`);
  const { mission } = await givenMission(service, admin, {
    publish: false,
    startLocal: hoursFromNow(2),
    endLocal: hoursFromNow(4),
  });
  for (const other of [id, mission.id, '0192c0de-0000-7000-8000-000000000000']) {
    expect(await read(`/api/v1/missions/${other}/slots`)).toMatchObject({ status: 404, body: { message: NOT_NOW[1] } });
  }
});

test('only admins make a token of a game server, without other scopes, and it reads nothing but slots', async () => {
  const pilot = await givenPerson(service);
  expect(await make(pilot, ['server'])).toMatchObject({ status: 403, body: { code: 'ADMINS_ONLY' } });
  expect(await make(admin, ['read', 'server'])).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'scopes', message: expect.stringContaining('can have no other scope') }] },
  });
  const { id, vesper } = await givenEvening(3);
  const [order] = await query<{ id: string }>(
    service.app.orm.em.fork(),
    sql`select id from frag_order where pilot_id = ${vesper.id}`,
  );
  // calls without a procedure; the others are in the matrix of tokens
  const paths = [
    LIVE_PATH,
    `/api/v1/pilot/inbox/${order?.id}/kneeboard.png`,
    `/api/v1/pilot/inbox/${order?.id}/calendar.ics`,
    `/api/v1/admin/missions/${id}/mission.miz`,
    `/api/v1/admin/missions/${id}/line-up.csv`,
    `/api/v1/admin/missions/${id}/line-up.txt`,
    '/api/v1/auth/data.json',
  ];
  for (const path of paths) expect((await read(path)).status, path).toBe(403);
  // an admin's session reads them, too
  expect((await admin.client.call('GET', '/slots')).status).toBe(200);
});

test.skipIf(!HAS_LUA)('the hook reads the answer, and knows the downloaded file by its name', async () => {
  const { id } = await givenEvening(3);
  const answer = await read('/api/v1/slots');
  const { headers } = await send(service, admin, `/admin/missions/${id}/mission.miz`);
  const file = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  const [viper] = answer.body.missions[0].slots;
  const attempt = (name: string) =>
    JSON.stringify({
      answer: answer.text,
      now: Math.floor(Date.now() / 1000),
      file: `C:\\Missions\\${file}`,
      groups: { [viper.unit.unitId]: 'Viper flight' },
      players: [{ name: 'Server' }, { name, side: 0, slot: '' }],
      playerID: 2,
      side: 2,
      slot: String(viper.unit.unitId),
    });
  const folder = mkdtempSync(join(tmpdir(), 'marshal-hook-'));
  const input = ['Stranger', '[VF-1] Vesper', 'Raven'].map((name) => `${attempt(name)}\n`).join('');
  const { stdout } = spawnSync('lua5.1', [LUA, HOOK, `${folder}/`], { input, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const zulu = `${viper.keptUntilUtc.slice(11, 13)}${viper.keptUntilUtc.slice(14, 16)}Z`;
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).chat[0]),
  ).toEqual([
    expect.stringContaining(`Viper 1-1 is Vesper's until ${zulu}. It is open to everybody then.`),
    null,
    expect.stringContaining(`Viper 1-1 is Vesper's until ${zulu}. Your seat is Viper 1-2.`),
  ]);
});
