/** An admin's message to all pilots who want community news: once each, by Discord and by notification. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { setStatus } from '#server/availability/status.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenDevice, startPushService, type PushService } from '#tests/harness/push-service.ts';
import { nothingLeft } from './cards.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { textOf } from './read.ts';

let push: PushService;
let world: DiscordWorld;
let admin: Person;
let guildId: string;
beforeAll(async () => {
  push = await startPushService();
  world = await startDiscord({ withJobs: true, env: { PUSH_EXTRA_ORIGINS: push.origin } });
  admin = await givenAdmin(world.service);
  ({ id: guildId } = await givenDiscordGuild(world));
});
afterAll(async () => {
  await world.stop();
  await push.stop();
});

const em = () => world.service.app.orm.em.fork();
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(em(), statement);
beforeEach(() => rows(sql`delete from community_message`));

const wants = (pilot: Person) => rows(sql`update app_user set wants_global_events = true where id = ${pilot.id}`);
const send = (text: string, key?: string) =>
  admin.client.call('POST', '/admin/community-messages', { text }, key === undefined ? {} : { 'idempotency-key': key });
const read = async () => (await admin.client.call('GET', '/admin/community-messages')).body;
const messages = ({ discordUserId }: { discordUserId: string }) =>
  world.emulator.directMessages(discordUserId).map(textOf);

async function givenDeviceOf(pilot: Person) {
  const device = givenDevice(push);
  expect((await pilot.client.call('POST', '/pilot/push/subscriptions', device.subscription)).status).toBe(201);
  return device;
}

/** Everything has been handed to Discord and to the push service. */
async function allSent() {
  await expect
    .poll(
      () =>
        rows(sql`select task_identifier, last_error from graphile_worker.jobs where task_identifier like '%message%'`),
      {
        timeout: 20_000,
      },
    )
    .toEqual([]);
  await nothingLeft(world);
}

test('a message reaches those who want it, once, however often the request and its job run', async () => {
  const linked = await givenLinkedPilot(world, guildId);
  const both = await givenLinkedPilot(world, guildId);
  const silent = await givenLinkedPilot(world, guildId);
  const away = await givenLinkedPilot(world, guildId);
  const onSite = await givenPerson(world.service);
  for (const pilot of [linked, both, away, onSite]) await wants(pilot);
  const [device, deviceOfBoth] = [await givenDeviceOf(onSite), await givenDeviceOf(both)];
  await setStatus(em(), { id: away.id, state: 'dnd' }, new Date());
  expect(await read()).toMatchObject({ recipients: 3, byDiscord: 2, byPush: 2, left: 3, messages: [] });

  const text = 'Fly-in on **Saturday** @everyone';
  const [first, again] = [await send(text, 'once'), await send(text, 'once')];
  expect([first.status, again.status]).toEqual([201, 201]);
  await allSent();
  const { messages: sent, left } = await read();
  expect([sent.length, left]).toEqual([1, 2]);
  expect(sent[0]).toMatchObject({ text, recipients: 3 });
  await rows(
    sql`select graphile_worker.add_job('send_community_message', json_build_object('messageId', ${sent[0].id}::text))`,
  );
  await allSent();

  for (const pilot of [linked, both]) {
    const found = world.emulator.directMessages(pilot.discordUserId);
    expect(found.map(textOf)).toEqual([expect.stringContaining('Fly-in on **Saturday**')]);
    expect(found[0]).toMatchObject({ mentions: [], mentionsEveryone: false });
  }
  expect([messages(silent), messages(away)]).toEqual([[], []]);
  for (const one of [device, deviceOfBoth]) {
    const body = 'Fly-in on Saturday @everyone';
    expect(one.messages()).toEqual([expect.objectContaining({ title: 'Community news', body, url: '/home' })]);
  }
});

test("the community's name is in the title, and the audit log has the message", async () => {
  const linked = await givenLinkedPilot(world, guildId);
  await wants(linked);
  const settings = { name: 'Lantern Wing', registration: 'open' };
  expect((await admin.client.call('PUT', '/admin/community', settings)).status).toBe(200);
  await send('Second line\nand third');
  await allSent();
  expect(messages(linked)[0]).toContain('News from Lantern Wing');
  const { body } = await admin.client.call('GET', '/admin/audit?action=community_messaged');
  expect(JSON.stringify(body)).toContain('Second line');
});

test('three within a day are all, also at the same moment, and an empty or long one is refused with a sentence', async () => {
  await wants(await givenLinkedPilot(world, guildId));
  const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => send(`Message ${index}`)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: 'LIMIT_REACHED', message: expect.stringContaining('3 messages') });
  await allSent();
  expect((await send('  ')).body.message).toBe('Please write a message');
  expect((await send('x'.repeat(1_001))).body.message).toBe('A message has at most 1000 characters');
  await rows(sql`update community_message set created_at = created_at - interval '1 day'`);
  expect((await send('The next day')).status).toBe(201);
  await allSent();
});
