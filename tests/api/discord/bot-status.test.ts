/** Status of the bot and the latest announcement for admins: from the lease and the outbox, by the database's clock. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenPostRow } from '#tests/harness/discord-posts.ts';
import { beat, standDown } from '#server/discord/bot/lease.ts';
import type { BotState } from '#shared/schemas/bot.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenAnnouncement, givenGuild } from '#tests/harness/guilds.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const APPLICATION = '112233445566778899';
const INSTALL = `https://discord.com/oauth2/authorize?client_id=${APPLICATION}&permissions=17918603643904&scope=bot%20applications.commands`;
const UP: BotState = {
  isConnected: true,
  hasMembersIntent: true,
  botUserId: '99887766554433221',
  botName: 'Marshal',
  problem: null,
};
const DOWN: BotState = { ...UP, isConnected: false, problem: 'Discord refuses the token.' };

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService({ env: { DISCORD_TOKEN: 'not-a-token', DISCORD_CLIENT_ID: APPLICATION } });
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
beforeEach(() => rows(sql`delete from bot_lease`));

function rows<Row>(statement: Parameters<typeof query<Row>>[1]): Promise<Row[]> {
  return query<Row>(service.app.orm.em.fork(), statement);
}

const heartbeat = (state: BotState | null, instanceId = 'a') => beat(service.app.orm.em.fork(), { instanceId, state });
const readBot = async (person = admin) => (await person.client.call('GET', '/discord/bot')).body;
/** The row's own instants, read apart from the service. */
async function readLease(): Promise<Record<'beat' | 'connected' | 'disconnected', string | null>> {
  const iso = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
  const [row] = await rows<Record<'beat' | 'connected' | 'disconnected', string | null>>(
    sql`select ${iso("date_trunc('milliseconds', beat_at)")} as beat, ${iso("date_trunc('milliseconds', connected_at)")} as connected,
               ${iso("date_trunc('milliseconds', disconnected_at)")} as disconnected from bot_lease`,
  );
  if (!row) throw new Error('There is no lease.');
  return row;
}
/** Moves the lease into the past, as if it had not been renewed. */
const lapse = () =>
  rows(sql`update bot_lease set beat_at = beat_at - interval '1 minute', expires_at = expires_at - interval '1 minute',
                                connected_at = connected_at - interval '1 hour', disconnected_at = disconnected_at - interval '1 hour'`);

test('metrics tell whether it is connected', async () => {
  const connected = async () =>
    /^marshal_bot_connected (.*)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1];
  // the figures of the database are read again after five seconds
  const POLL = { timeout: 12_000, interval: 200 };
  await expect.poll(connected, POLL).toBe('0');
  await heartbeat(UP);
  await expect.poll(connected, POLL).toBe('1');
  await heartbeat(DOWN);
  await expect.poll(connected, POLL).toBe('0');
});

describe('the bot', () => {
  test('that has never connected is offline without a time', async () => {
    expect(await readBot()).toEqual({
      isConfigured: true,
      state: 'offline',
      since: null,
      hasMembersIntent: null,
      botName: null,
      problem: null,
      installUrl: INSTALL,
    });
  });

  test('that is connected is online since it connected, through every heartbeat', async () => {
    await heartbeat(UP);
    const { connected } = await readLease();
    await heartbeat(UP);
    expect(await readBot()).toEqual({
      isConfigured: true,
      state: 'online',
      since: connected,
      hasMembersIntent: true,
      botName: 'Marshal',
      problem: null,
      installUrl: INSTALL,
    });
  });

  test('that lost Discord says since when and why, and that members are hidden', async () => {
    await heartbeat({ ...UP, hasMembersIntent: false });
    await heartbeat({ ...DOWN, hasMembersIntent: null });
    const { disconnected } = await readLease();
    expect(await readBot()).toMatchObject({
      state: 'offline',
      since: disconnected,
      hasMembersIntent: false,
      problem: 'Discord refuses the token.',
    });
  });

  test('that died while online is offline since its last heartbeat', async () => {
    await heartbeat(UP);
    expect(await readBot()).toMatchObject({ state: 'online' });
    await lapse();
    const { beat: last, connected, disconnected } = await readLease();
    expect([connected, disconnected]).toEqual([expect.any(String), null]);
    expect(await readBot()).toMatchObject({ state: 'offline', since: last });
  });

  test('that died after it had lost Discord is offline since then', async () => {
    await heartbeat(DOWN);
    await lapse();
    const { disconnected } = await readLease();
    expect(await readBot()).toMatchObject({ state: 'offline', since: disconnected });
  });

  test('that gave up its lease is offline at once, and online when another process takes over', async () => {
    await heartbeat(UP);
    await standDown(service.app.orm.em.fork(), 'a');
    const { disconnected } = await readLease();
    expect(await readBot()).toMatchObject({ state: 'offline', since: disconnected });
    await heartbeat(UP, 'b');
    expect(await readBot()).toMatchObject({ state: 'online' });
  });

  test('is off without a token, also with data stored by an earlier configuration', async () => {
    await heartbeat(UP);
    const plain = await startService();
    try {
      const nobody = { since: null, hasMembersIntent: null, botName: null, problem: null };
      await query(
        plain.app.orm.em.fork(),
        sql`insert into bot_lease (name, holder, beat_at, expires_at, connected_at, bot_name)
            values ('bot', 'a', now(), now() + interval '1 minute', now(), 'Marshal')`,
      );
      expect(await readBot(await givenAdmin(plain))).toEqual({
        isConfigured: false,
        state: 'off',
        ...nobody,
        installUrl: null,
      });
    } finally {
      await plain.stop();
    }
  });
});

describe('the announcement', () => {
  const GUILD = '300200100300200100';
  const readAnnouncement = async () => (await admin.client.call('GET', `/discord/guilds/${GUILD}`)).body.announcement;

  test('is the latest of this server, even with other messages in the outbox', async () => {
    await givenGuild(service, GUILD, { name: 'Lantern Wing', channels: [{ name: 'ops' }, { name: 'news' }] });
    await givenGuild(service, '300200100300200199', { name: 'Other', channels: [{ name: 'ops' }] });
    expect(await readAnnouncement()).toBeNull();

    await givenAnnouncement(service, GUILD, { channelId: `${GUILD}-ops`, state: 'sent', minutesAgo: 5 });
    expect(await readAnnouncement()).toMatchObject({ state: 'sent', channelName: 'ops', errorMessage: null });

    const error = 'Missing Permissions';
    await givenAnnouncement(service, GUILD, {
      channelId: `${GUILD}-news`,
      state: 'failed',
      errorMessage: error,
      minutesAgo: 2,
    });
    await givenAnnouncement(service, '300200100300200199', { channelId: '300200100300200199-ops', state: 'queued' });
    const mention = { kind: 'mention', dedupeKey: 'mention:1', guildId: GUILD, channelId: `${GUILD}-ops` } as const;
    await rows(givenPostRow({ ...mention, state: 'sent' }));
    const answer = await readAnnouncement();
    expect(answer).toEqual({
      state: 'failed',
      channelId: `${GUILD}-news`,
      channelName: 'news',
      errorMessage: error,
      updatedAt: expect.any(String),
    });
    const age = Date.now() - Date.parse(answer.updatedAt);
    expect(age).toBeGreaterThanOrEqual(2 * 60_000 - 1000);
    expect(age).toBeLessThan(3 * 60_000);

    await rows(sql`delete from guild_channel where id = ${`${GUILD}-news`}`);
    expect(await readAnnouncement()).toMatchObject({ channelId: `${GUILD}-news`, channelName: null });
  });
});
