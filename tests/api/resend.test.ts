/** Resending the registration announcement: which channel, by whom, once; what waits in the outbox is what admins read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/db/query.ts';
import { takeDigest } from '#tests/digest.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/given.ts';
import { startService, type Answer, type Service } from '#tests/service.ts';
import { openStream } from '#tests/stream.ts';

const NO_CHANNEL = 'No suitable channel found for posting registration announcement';
const REMOVED = 'This server has removed the bot. Please install it again first.';
const SENT = { success: true, errorMessage: null };

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
beforeEach(() => rows(sql`delete from guild`));

function rows<Row>(statement: Parameters<typeof query<Row>>[1]): Promise<Row[]> {
  return query<Row>(service.app.orm.em.fork(), statement);
}

type Rights = 'all' | 'send' | 'embed' | 'none';
/** Channels by their name, which is their id too, in the order Discord shows them. */
type Channels = Record<string, Rights>;

const PLAIN: Channels = { rules: 'none', ops: 'all', news: 'all' };

async function givenGuild(
  id: string,
  { channels = PLAIN, status = 'active', byDefault = null }: GivenGuild = {},
): Promise<void> {
  await rows(sql`insert into guild (id, name, status, default_splash_channel_id, installed_at, last_seen_at)
                 values (${id}, ${`Wing ${id}`}, ${status}, ${byDefault}, now(), now())`);
  for (const [position, [name, rights]] of Object.entries(channels).entries()) {
    await rows(sql`
      insert into guild_channel (id, guild_id, name, type, position, is_postable, can_send_messages, can_embed_links, updated_at)
      values (${`${id}-${name}`}, ${id}, ${name}, 'text', ${position}, ${rights === 'all'},
              ${rights === 'all' || rights === 'send'}, ${rights === 'all' || rights === 'embed'}, now())`);
  }
}
interface GivenGuild {
  channels?: Channels;
  status?: string;
  byDefault?: string | null;
}

const resend = (guildId: string, body: unknown = {}, person = admin): Promise<Answer> =>
  person.client.call('POST', `/discord/guilds/${guildId}/registration`, body);

interface Message {
  dedupe_key: string;
  channel_id: string;
  state: string;
  payload: unknown;
}
const messagesOf = (guildId: string): Promise<Message[]> =>
  rows<Message>(sql`select dedupe_key, channel_id, state, payload from outbox_message where guild_id = ${guildId}
                    order by created_at, id`);
const channelsOf = async (guildId: string) => (await messagesOf(guildId)).map(({ channel_id }) => channel_id);

describe('the channel', () => {
  test.each<[rule: string, given: GivenGuild, asked: string | null, found: string]>([
    ['the one that was asked for', {}, 'news', 'news'],
    ['else the default one', { byDefault: 'g-news' }, null, 'news'],
    ['else the first by position', {}, null, 'ops'],
    ['a default one that cannot be posted to gives way to the first', { byDefault: 'g-rules' }, null, 'ops'],
    ['a default one that is gone gives way to the first', { byDefault: '404' }, null, 'ops'],
    ['a server in an outage gets its post when it is back', { status: 'unavailable' }, null, 'ops'],
  ])('%s', async (_rule, given, asked, found) => {
    await givenGuild('g', given);
    const { status, body } = await resend('g', asked === null ? {} : { channelId: `g-${asked}` });
    expect([status, body]).toEqual([200, SENT]);
    expect(await messagesOf('g')).toEqual([
      {
        dedupe_key: `registration:g:g-${found}`,
        channel_id: `g-${found}`,
        state: 'queued',
        payload: { kind: 'registration', guildName: 'Wing g', registrationBaseUrl: service.url },
      },
    ]);
  });

  test.each<[rule: string, given: GivenGuild, asked: string | null, sentence: string]>([
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
    await givenGuild('g', given);
    const before = await takeDigest(service);
    const { status, body } = await resend('g', { channelId: asked === null ? null : `g-${asked}` });
    expect([status, body]).toEqual([200, { success: false, errorMessage: sentence }]);
    expect(await takeDigest(service)).toEqual(before);
  });
});

describe('refused, without a trace', () => {
  test.each([
    ['an unknown server', 'nowhere', {}, 404, 'Guild not found'],
    ['a channel nobody knows', 'g', { channelId: '404' }, 400, 'This channel does not exist in this server'],
    ["another server's channel", 'g', { channelId: 'h-ops' }, 400, 'This channel does not exist in this server'],
    [
      'what is no site',
      'g',
      { registrationBaseUrl: 'javascript:alert(1)' },
      400,
      'Please give the address of this site, such as https://marshal.example',
    ],
  ])('%s', async (_rule, guildId, body, status, message) => {
    await givenGuild('g');
    await givenGuild('h');
    const before = await takeDigest(service);
    expect(await resend(guildId, body)).toMatchObject({ status, body: { message } });
    expect(await takeDigest(service)).toEqual(before);
  });

  test('another site: the sentence names this one', async () => {
    await givenGuild('g');
    const before = await takeDigest(service);
    const { status, body } = await resend('g', { registrationBaseUrl: 'https://evil.example' });
    expect([status, body.message]).toEqual([
      400,
      `Registration links lead to ${service.url} only. Please open this page there.`,
    ]);
    expect(await takeDigest(service)).toEqual(before);
  });

  test('this very site is no other one, with its slash too', async () => {
    await givenGuild('g');
    const { status, body } = await resend('g', { registrationBaseUrl: `${service.url}/` });
    expect([status, body]).toEqual([200, SENT]);
  });
});

describe('once', () => {
  test('clicks at the same moment make one post, and one line for the admins', async () => {
    await givenGuild('g');
    const second = await givenAdmin(service);
    const answers = await Promise.all([resend('g'), resend('g', {}, second), resend('g'), resend('g', {}, second)]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, SENT]));
    expect(await channelsOf('g')).toEqual(['g-ops']);
    const { body } = await admin.client.call('GET', '/discord/guilds/g');
    expect(body.recentEvents).toMatchObject([
      { eventType: 'announcement_queued', eventData: 'ops', errorMessage: null },
    ]);
    const audit = await rows(sql`select action, subject_type, subject_id, detail from audit_entry
                                 where subject_id = 'g' and occurred_at >= (select created_at from outbox_message where guild_id = 'g')`);
    expect(audit).toEqual([
      {
        action: 'registration_resent',
        subject_type: 'guild',
        subject_id: 'g',
        detail: { guildName: 'Wing g', channel: 'ops' },
      },
    ]);
  });

  test('what is being sent is joined as well; what was sent a moment ago is not repeated for a minute', async () => {
    await givenGuild('g');
    await resend('g');
    await rows(sql`update outbox_message set state = 'sending' where guild_id = 'g'`);
    expect((await resend('g')).body).toEqual(SENT);
    await rows(sql`update outbox_message set state = 'sent' where guild_id = 'g'`);
    const soon = await resend('g');
    expect([soon.status, soon.body.message]).toEqual([
      429,
      'The registration was announced in this server a moment ago. Please wait a minute.',
    ]);
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(soon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await resend('g', { channelId: 'g-news' })).status).toBe(429);
    await rows(sql`update outbox_message set created_at = created_at - interval '61 seconds' where guild_id = 'g'`);
    expect((await resend('g')).body).toEqual(SENT);
    expect((await messagesOf('g')).map(({ state }) => state)).toEqual(['sent', 'queued']);
    const { body } = await admin.client.call('GET', '/discord/guilds/g');
    expect(body.recentEvents).toHaveLength(2);
  });

  test('another server does not wait', async () => {
    await givenGuild('g');
    await givenGuild('h');
    expect([(await resend('g')).body, (await resend('h')).body]).toEqual([SENT, SENT]);
  });
});

test('admins with the page open are told; pilots are not', async () => {
  await givenGuild('g');
  const pilot = await givenPerson(service);
  const [hears, hearsNot] = [
    await openStream(service, admin.client.cookie()),
    await openStream(service, pilot.client.cookie()),
  ];
  await Promise.all([hears.next('all'), hearsNot.next('all')]);
  // notices of earlier tests may still be on their way; each carries its transaction
  const [before] = await rows<{ version: number }>(sql`select pg_current_xact_id()::text::float8 as version`);
  await resend('g');
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

test('an icon of another host than Discord is none, a suspended account is linked and not registered', async () => {
  await givenGuild('g');
  const pilot = await givenPerson(service);
  await rows(sql`update guild set icon_url = 'https://evil.example/icons/1/a.png' where id = 'g'`);
  await rows(sql`insert into guild_member (guild_id, discord_user_id, discord_username, is_bot, is_moderator, updated_at)
                 values ('g', '9001', 'ember', false, false, now())`);
  await rows(sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                 values ('9001', ${pilot.id}, 'ember', now())`);
  const read = async () => (await admin.client.call('GET', '/discord/guilds/g')).body;
  const active = await read();
  expect(active).toMatchObject({ iconUrl: null, registeredMembers: 1, members: [{ isRegistered: true }] });
  await rows(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
  expect(await read()).toMatchObject({
    registeredMembers: 0,
    members: [{ isRegistered: false, fightClubUserId: pilot.id }],
  });
});
