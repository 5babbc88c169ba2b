/** What a Discord server shows of missions, as admins set it: who may, what is refused, what is stored. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const WING = '889900112233445601';
const OTHER = '889900112233445602';
const PILOTS = `${WING}90`;
const can = ['send', 'embed'] as const;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await query(service.app.orm.em.fork(), sql`delete from guild`);
  await givenGuild(service, WING, {
    name: 'Lantern Wing',
    roles: ['Pilots'],
    channels: [
      { name: 'missions', can },
      { name: 'closed', can: ['send'] },
      { name: 'adults', can, isNsfw: true },
    ],
  });
  await givenGuild(service, OTHER, { name: 'Quiet Field', roles: ['Others'], channels: [{ name: 'ops', can }] });
});

const OFF = { channelId: null, roleId: null, hasEvents: true };
const set = (body: object, { client }: Person = admin, guildId = WING) =>
  client.call('PUT', `/discord/guilds/${guildId}/missions`, { ...OFF, ...body });
const stored = async () => (await admin.client.call('GET', `/discord/guilds/${WING}`)).body;

test('the channel, the role and the events are saved, shown, and in the audit log', async () => {
  expect((await stored()).missions).toMatchObject(OFF);
  expect((await stored()).roles).toEqual([{ id: PILOTS, name: 'Pilots' }]);
  const wanted = { channelId: `${WING}-missions`, roleId: PILOTS, hasEvents: false };
  const { status, body } = await set(wanted);
  expect([status, body.missions]).toEqual([
    200,
    { ...wanted, canCreateEvents: false, hasThreads: false, canCreateThreads: false },
  ]);
  expect((await stored()).missions).toMatchObject(wanted);
  const entries = (await admin.client.call('GET', '/admin/audit')).body.entries;
  expect(JSON.stringify(entries)).toContain('Chose #missions for mission posts');
  expect((await set(OFF)).body.missions).toMatchObject(OFF);
});

test.each<[refused: string, status: number, sentence: string, body: object]>([
  ['another server', 400, 'This channel does not exist in this server', { channelId: `${OTHER}-ops` }],
  [
    'a channel without permission',
    409,
    'The bot cannot post in this channel. Please let it view the channel, send messages and embed links there.',
    { channelId: `${WING}-closed` },
  ],
  [
    'an age-restricted channel',
    409,
    'This channel is age-restricted, so not every member can open it. Please choose another one.',
    { channelId: `${WING}-adults` },
  ],
  ['a role of another server', 400, 'This role does not exist in this server', { roleId: `${OTHER}90` }],
])('%s is refused, and nothing changes', async (_refused, status, sentence, body) => {
  const answer = await set(body);
  expect([answer.status, answer.body.message]).toEqual([status, sentence]);
  expect((await stored()).missions).toMatchObject(OFF);
});

test('only admins may, and an unknown server is 404', async () => {
  const pilot = await givenPerson(service);
  expect((await set(OFF, pilot)).status).toBe(403);
  expect((await set(OFF, admin, '1')).status).toBe(404);
});
