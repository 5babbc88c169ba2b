/** Resending the registration announcement: channel, permission, deduplication, and sentences for admins. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { startDiscord, type DiscordWorld } from '#tests/discord/given.ts';
import {
  announcementEvents,
  expectAnnouncement,
  givenServer,
  postsOf,
  type GivenServer,
  type Server,
} from '#tests/discord/posts.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';
import { openStream } from '#tests/harness/stream.ts';

const NO_CHANNEL = 'No suitable channel found for posting registration announcement';
const REMOVED = 'The bot is no longer in this server. Please install it again first.';
const SENT = { success: true, errorMessage: null };

/** Discord, and the sender of posts. */
let world: DiscordWorld;
let admin: Person;
/** A Marshal without Discord and without background work. */
let idle: Service;
let idleAdmin: Person;
beforeAll(async () => {
  [world, idle] = await Promise.all([startDiscord({ withBot: false, withJobs: true }), startService()]);
  admin = await givenAdmin(world.service);
  idleAdmin = await givenAdmin(idle);
});
afterAll(async () => {
  await world.stop();
  await idle.stop();
});
beforeEach(() => rows(idle, sql`delete from guild`));

function rows<Row>({ app }: Service, statement: Parameters<typeof query<Row>>[1]): Promise<Row[]> {
  return query<Row>(app.orm.em.fork(), statement);
}

const resend = (guildId: string, body: unknown = {}, person = admin): Promise<Answer> =>
  person.client.call('POST', `/discord/guilds/${guildId}/registration`, body);
const post = (server: Server, body: unknown = {}, person = admin): Promise<Answer> => resend(server.id, body, person);
const statesOf = async ({ id }: Server) => (await postsOf(world, id)).map(({ state }) => state);
/** The posts that a server holds, by the names of their channels. */
const postedIn = ({ channels }: Server): string[] =>
  Object.entries(channels).flatMap(([name, id]) => world.emulator.messages(id).map(() => name));
const passMinute = ({ id }: Server) =>
  rows(
    world.service,
    sql`update discord_post set created_at = created_at - interval '61 seconds' where guild_id = ${id}`,
  );

describe('the channel', () => {
  test.each<[rule: string, given: GivenServer, asked: string | null, found: string]>([
    ['the one that was asked for', {}, 'news', 'news'],
    ['else the default one', { byDefault: 'news' }, null, 'news'],
    ['else the first by position', {}, null, 'ops'],
    ['a default one that cannot be posted to gives way to the first', { byDefault: 'rules' }, null, 'ops'],
    ['a default one that is gone gives way to the first', { byDefault: '404' }, null, 'ops'],
  ])('%s', async (_rule, given, asked, found) => {
    const server = await givenServer(world, given);
    const { status, body } = await post(server, asked === null ? {} : { channelId: server.channels[asked] });
    expect([status, body]).toEqual([200, SENT]);
    expect(postedIn(server)).toEqual([found]);
    const [message] = world.emulator.messages(server.channels[found] ?? '');
    const [row] = await postsOf(world, server.id);
    expect(row).toMatchObject({
      state: 'sent',
      messageId: message?.id,
      channelId: server.channels[found],
      error: null,
    });
    expectAnnouncement(message, row?.id ?? '');
  });

  test('a server in an outage gets its post when it is back, and the call does not wait for it', async () => {
    const server = await givenServer(world, { status: 'unavailable' });
    const begun = performance.now();
    expect((await post(server)).body).toEqual(SENT);
    expect(performance.now() - begun).toBeLessThan(4_000);
    // an attempt may just have begun, and finds the server out of reach
    await expect.poll(() => statesOf(server)).toEqual(['queued']);
    expect(postedIn(server)).toEqual([]);
  });

  test.each<[rule: string, given: GivenServer, asked: string | null, sentence: string]>([
    ['no channel at all', { channels: {} }, null, NO_CHANNEL],
    ['none that can be posted to', { channels: { rules: 'none', talk: 'send' } }, null, NO_CHANNEL],
    [
      'embeds are not allowed in it',
      { channels: { talk: 'send' } },
      'talk',
      'The bot cannot post in #talk. It lacks the permission Embed Links.',
    ],
    [
      'nothing is allowed in it',
      {},
      'rules',
      'The bot cannot post in #rules. It lacks the permissions Send Messages and Embed Links.',
    ],
    ['the bot was removed', { status: 'disabled' }, null, REMOVED],
    ['the bot was removed, whatever the channel', { status: 'disabled' }, 'ops', REMOVED],
  ])('%s: a sentence, and nothing is queued', async (_rule, given, asked, sentence) => {
    const server = await givenServer(world, given);
    const { status, body } = await post(server, { channelId: asked === null ? null : server.channels[asked] });
    expect([status, body]).toEqual([200, { success: false, errorMessage: sentence }]);
    expect(await postsOf(world, server.id)).toEqual([]);
    expect(await announcementEvents(world, server.id)).toEqual([]);
  });
});

describe('refused without side effects', () => {
  const OPS = { name: 'ops', can: ['send', 'embed'] } as const;
  const ask = (guildId: string, body: unknown) => resend(guildId, body, idleAdmin);

  test.each([
    ['an unknown server', 'nowhere', {}, 404, 'Guild not found'],
    ['a channel nobody knows', 'g', { channelId: '404' }, 400, 'This channel does not exist in this server'],
    ["another server's channel", 'g', { channelId: 'h-ops' }, 400, 'This channel does not exist in this server'],
    [
      'what is no site',
      'g',
      { registrationBaseUrl: 'javascript:alert(1)' },
      400,
      'Please enter the address of this site, such as https://marshal.example',
    ],
  ])('%s', async (_rule, guildId, body, status, message) => {
    await givenGuild(idle, 'g', { name: 'Wing g', channels: [OPS] });
    await givenGuild(idle, 'h', { name: 'Wing h', channels: [OPS] });
    const before = await takeDigest(idle);
    expect(await ask(guildId, body)).toMatchObject({ status, body: { message } });
    expect(await takeDigest(idle)).toEqual(before);
  });

  test('for another site, with a sentence that names this one', async () => {
    await givenGuild(idle, 'g', { name: 'Wing g', channels: [OPS] });
    const before = await takeDigest(idle);
    const { status, body } = await ask('g', { registrationBaseUrl: 'https://evil.example' });
    expect([status, body.message]).toEqual([
      400,
      `Registration links lead to ${idle.url} only. Please open this page there.`,
    ]);
    expect(await takeDigest(idle)).toEqual(before);
  });

  test('without a token for Discord, and the admin is told', async () => {
    await givenGuild(idle, 'g', { name: 'Wing g', channels: [OPS] });
    const before = await takeDigest(idle);
    const { status, body } = await ask('g', {});
    expect([status, body]).toEqual([
      200,
      {
        success: false,
        errorMessage: 'Discord is not configured: DISCORD_TOKEN is not set, so nothing can be posted.',
      },
    ]);
    expect(await takeDigest(idle)).toEqual(before);
  });

  test('but not for this site with a trailing slash', async () => {
    const { status, body } = await post(await givenServer(world), { registrationBaseUrl: `${world.service.url}/` });
    expect([status, body]).toEqual([200, SENT]);
  });
});

describe('once', () => {
  test('simultaneous clicks make one post and one entry for the admins', async () => {
    const server = await givenServer(world);
    const second = await givenAdmin(world.service);
    // Discord takes its time, so that they all meet the row that waits
    world.emulator.fail({ method: 'POST', path: /\/messages$/, kind: 'status', status: 503 });
    const answers = await Promise.all([post(server), post(server, {}, second), post(server), post(server, {}, second)]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, SENT]));
    expect([postedIn(server), await statesOf(server)]).toEqual([['ops'], ['sent']]);
    const { body } = await admin.client.call('GET', `/discord/guilds/${server.id}`);
    expect(body.recentEvents).toMatchObject([
      { eventType: 'announcement_sent', eventData: 'ops', errorMessage: null },
      { eventType: 'announcement_queued', eventData: 'ops', errorMessage: null },
    ]);
    const audit = await rows(
      world.service,
      sql`select action, subject_type, detail from audit_entry where subject_id = ${server.id}`,
    );
    expect(audit).toEqual([
      {
        action: 'registration_resent',
        subject_type: 'guild',
        detail: { guildName: expect.stringMatching(/^Wing \d+$/), channel: 'ops' },
      },
    ]);
  });

  test('an announcement is not repeated for a minute, in any channel of the server', async () => {
    const server = await givenServer(world);
    expect((await post(server)).body).toEqual(SENT);
    const soon = await post(server);
    expect([soon.status, soon.body.message]).toEqual([
      429,
      'The registration was announced in this server a moment ago. Please wait a minute.',
    ]);
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(soon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await post(server, { channelId: server.channels.news })).status).toBe(429);
    await passMinute(server);
    expect((await post(server)).body).toEqual(SENT);
    expect([postedIn(server), await statesOf(server)]).toEqual([
      ['ops', 'ops'],
      ['sent', 'sent'],
    ]);
  });

  test('another server does not wait', async () => {
    const servers = [await givenServer(world), await givenServer(world)];
    expect((await Promise.all(servers.map((server) => post(server)))).map(({ body }) => body)).toEqual([SENT, SENT]);
    expect(servers.flatMap(postedIn)).toEqual(['ops', 'ops']);
  });
});

test('admins with the page open are told; pilots are not', async () => {
  const { service } = world;
  const server = await givenServer(world);
  const pilot = await givenPerson(service);
  const [hears, hearsNot] = [
    await openStream(service, admin.client.cookie()),
    await openStream(service, pilot.client.cookie()),
  ];
  await Promise.all([hears.next('all'), hearsNot.next('all')]);
  // notices of earlier tests may still be on their way; each carries its transaction
  const [before] = await rows<{ version: number }>(service, sql`select pg_current_xact_id()::text::float8 as version`);
  await post(server);
  let { version: heard } = await hears.next('guilds');
  const isEarlier = (at: number): boolean => at <= (before?.version ?? 0);
  while (isEarlier(heard)) ({ version: heard } = await hears.next('guilds'));
  // the pilot's own change comes after it: had the other been sent here, it would have come first
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  const { version } = await hearsNot.next('status');
  expect((await hearsNot.before(version)).filter((event) => !isEarlier(event.version))).toEqual([]);
  hears.close();
  hearsNot.close();
});

test('an icon from a host other than Discord is dropped, and a suspended account is linked but not registered', async () => {
  await givenGuild(idle, 'g', { name: 'Wing' });
  const pilot = await givenPerson(idle);
  await rows(idle, sql`update guild set icon_url = 'https://evil.example/icons/1/a.png' where id = 'g'`);
  await rows(
    idle,
    sql`insert into guild_member (guild_id, discord_user_id, discord_username, is_bot, is_moderator, updated_at)
                 values ('g', '9001', 'ember', false, false, now())`,
  );
  await rows(
    idle,
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                 values ('9001', ${pilot.id}, 'ember', now())`,
  );
  const read = async () => (await idleAdmin.client.call('GET', '/discord/guilds/g')).body;
  const active = await read();
  expect(active).toMatchObject({ iconUrl: null, registeredMembers: 1, members: [{ isRegistered: true }] });
  await rows(idle, sql`update app_user set roles = '{}' where id = ${pilot.id}`);
  expect(await read()).toMatchObject({
    registeredMembers: 0,
    members: [{ isRegistered: false, fightClubUserId: pilot.id }],
  });
});
