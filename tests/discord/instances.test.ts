/** Several bots, one of which holds the lease: takeovers without long gaps, and refused calls of former holders. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createServerCalls } from '#bot/server.ts';
import { query, sql } from '#server/schema/query.ts';
import { beat, requireActing, standDown } from '#server/discord/bot/lease.ts';
import { copy } from '#shared/copy.ts';
import {
  botOnline,
  eventually,
  givenDiscordGuild,
  listEvents,
  readGuild,
  readLease,
  startDiscord,
  type DiscordWorld,
} from './given.ts';
import { startWire } from './wire.ts';

let world: DiscordWorld;
beforeAll(async () => {
  world = await startDiscord({ withBot: false });
});
afterAll(() => world.stop());

const em = () => world.service.app.orm.em.fork();
/** The holder has not renewed its lease for as long as it lasts: the clock of the database says so. */
const lapse = () => query(em(), sql`update bot_lease set expires_at = now() - interval '1 second'`);
const beats = (instanceId: string) => beat(em(), { instanceId, state: null });

describe('the lease', () => {
  beforeEach(() => query(em(), sql`delete from bot_lease`));

  test('goes to one of many processes that ask at once, and stays with it', async () => {
    for (let round = 0; round < 10; round += 1) {
      await query(em(), round % 2 === 0 ? sql`delete from bot_lease` : sql`update bot_lease set expires_at = now()`);
      const names = Array.from({ length: 8 }, (_, n) => `round-${round}-${n}`);
      const answers = await Promise.all(names.map(beats));
      expect(answers.filter(Boolean)).toHaveLength(1);
      const holder = names[answers.indexOf(true)];
      const again = await Promise.all(names.map(beats));
      expect(names.filter((_, n) => again[n])).toEqual([holder]);
    }
  });

  test('goes to the next when it expires, and the old holder may no longer act', async () => {
    expect(await beats('first')).toBe(true);
    expect(await beats('second')).toBe(false);
    await expect(requireActing(em(), 'second')).rejects.toThrow(copy.botStandsBy);
    await lapse();
    await expect(requireActing(em(), 'first')).rejects.toThrow(copy.botStandsBy);
    expect(await beats('second')).toBe(true);
    expect(await beats('first')).toBe(false);
    await requireActing(em(), 'second');
    await expect(requireActing(em(), 'first')).rejects.toThrow(copy.botStandsBy);
  });

  test('goes to the next at once when its holder releases it, and nobody else can release it', async () => {
    expect(await beats('first')).toBe(true);
    await standDown(em(), 'second');
    expect(await beats('second')).toBe(false);
    await standDown(em(), 'first');
    expect(await beats('second')).toBe(true);
  });

  test('records when the bot connected or left, and clears the problems of its predecessor', async () => {
    const state = {
      isConnected: true,
      hasMembersIntent: true,
      botUserId: '12345678',
      botName: 'Marshal',
      problem: null,
    };
    const times = async () => {
      const [row] = await query<{ on: string | null; off: string | null }>(
        em(),
        sql`select connected_at::text as on, disconnected_at::text as off from bot_lease`,
      );
      return row;
    };
    await beat(em(), { instanceId: 'first', state });
    const connected = await times();
    expect(connected).toEqual({ on: expect.any(String) as string, off: null });
    await beat(em(), { instanceId: 'first', state });
    expect(await times()).toEqual(connected);
    await beat(em(), {
      instanceId: 'first',
      state: { ...state, isConnected: false, problem: 'Discord cannot be reached.' },
    });
    const gone = await times();
    expect(gone).toEqual({ on: null, off: expect.any(String) as string });
    await lapse();
    await beats('second');
    expect(await times()).toEqual(gone);
    expect(await readLease(world)).toMatchObject({ holder: 'second', problem: null, botName: 'Marshal' });
    await beat(em(), { instanceId: 'second', state });
    expect(await times()).toEqual({ on: expect.any(String) as string, off: null });
  });
});

describe('two bots', () => {
  beforeEach(() => query(em(), sql`delete from bot_lease`));

  test('one acts, and the other takes over when it is stopped', async () => {
    const { emulator } = world;
    const first = world.startBot({ instanceId: 'first' });
    await botOnline(world, 'first');
    const second = world.startBot({ instanceId: 'second' });
    const { id } = await givenDiscordGuild(world);
    expect([first.isActing(), second.isActing(), emulator.connections()]).toEqual([true, false, 1]);

    await first.stop();
    await botOnline(world, 'second');
    expect([second.isActing(), emulator.connections()]).toEqual([true, 1]);
    emulator.renameGuild(id, 'Under new management');
    await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ name: 'Under new management' }));
    // it reported everything again, and nothing had changed
    expect((await listEvents(world, id)).map(({ type }) => type)).toEqual([
      'guild_installed',
      'members_synced',
      'guild_updated',
    ]);
    await second.stop();
    expect(emulator.connections()).toBe(0);
    expect(await readLease(world)).toMatchObject({ isLive: false, isConnected: false });
  });

  test('the other takes over from a silent one, which disconnects once it learns of that', async () => {
    const { emulator } = world;
    const wire = await startWire(world.service.url);
    const first = world.startBot({ instanceId: 'first', serverUrl: wire.url });
    await botOnline(world, 'first');
    const { id } = await givenDiscordGuild(world);
    const second = world.startBot({ instanceId: 'second' });
    wire.setCut(true);
    await lapse();
    await botOnline(world, 'second');
    expect([first.isActing(), second.isActing(), emulator.connections()]).toEqual([true, true, 2]);
    // both answer this, and the one that is first is the answer
    const person = emulator.addMember(id, { username: 'bystander' });
    const asked = emulator.requests.length;
    const refusals = () =>
      emulator.requests.slice(asked).filter(({ path, status }) => path.endsWith('/callback') && status === 400);
    const { reply } = await emulator.command(person, id, 'help');
    expect(reply?.ephemeralFor).toBe(person);
    await emulator.until('the other is refused (40060)', () => refusals().length > 0);
    expect(refusals()).toHaveLength(1);
    // both receive this event, and the calls of one are accepted
    emulator.addChannel(id, { name: 'signals' });
    await eventually(async () => expect((await listEvents(world, id)).at(-1)).toMatchObject({ data: 'signals' }));
    wire.setCut(false);
    await emulator.until('the first has left', () => emulator.connections() === 1);
    await eventually(() => Promise.resolve(expect(first.isActing()).toBe(false)));
    expect((await listEvents(world, id)).filter(({ type }) => type === 'channel_created')).toHaveLength(1);
    await Promise.all([first.stop(), second.stop()]);
    await wire.stop();
  });

  test('one whose lease expired without a successor continues, and calls refused meanwhile are repeated', async () => {
    const { emulator } = world;
    // a beat in time would have the lease again before anything is refused
    const only = world.startBot({ instanceId: 'only', timings: { beatMs: 3_600_000 } });
    await botOnline(world, 'only');
    const { id } = await givenDiscordGuild(world);
    let left = false;
    void emulator
      .until('the bot has left', () => emulator.connections() === 0)
      .then(
        () => (left = true),
        () => undefined,
      );
    await lapse();
    emulator.renameGuild(id, 'Long Watch');
    await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ name: 'Long Watch' }));
    expect([left, only.isActing(), await readLease(world)]).toMatchObject([false, true, { isLive: true }]);
    await only.stop();
  });

  test('a call of a bot without the lease is refused, and writes nothing', async () => {
    const acting = world.startBot({ instanceId: 'acting' });
    await botOnline(world, 'acting');
    const { id } = await givenDiscordGuild(world, { name: 'Steady Wing' });
    const { sync } = createServerCalls(world.service.url, world.service.app.botToken);
    const guild = {
      id,
      name: 'Stolen',
      iconUrl: null,
      memberCount: 1,
      canCreateEvents: false,
      locale: 'en-US',
      systemChannelId: null,
      channels: [],
    };
    const member = {
      discordUserId: '9876543',
      discordUsername: 'ghost',
      isBot: false,
      isModerator: true,
      joinedAt: null,
    };
    const WHOLE = { after: null, through: null, isNewList: false };
    const instanceId = 'yesterday';
    const [stored, events] = [await readGuild(world, id), await listEvents(world, id)];
    const stale = [
      () => sync.reconcile.mutate({ instanceId, shardId: 0, shardCount: 1, guildIds: [], unavailableIds: [] }),
      () => sync.saveGuilds.mutate({ instanceId, guilds: [guild] }),
      () => sync.saveGuild.mutate({ instanceId, guild, cause: 'updated' }),
      () => sync.guildGone.mutate({ instanceId, guildId: id, cause: 'removed' }),
      () => sync.syncMembers.mutate({ instanceId, guildId: id, ...WHOLE, total: 1, members: [member] }),
      () =>
        sync.saveMembers.mutate({
          instanceId,
          guildId: id,
          changed: [member],
          joinedIds: [],
          leftIds: [],
          memberCount: 1,
        }),
      () =>
        sync.recordEvent.mutate({
          instanceId,
          guildId: id,
          eventType: 'command_failed',
          eventData: null,
          errorMessage: null,
        }),
    ];
    for (const call of stale) await expect(call()).rejects.toThrow(copy.botStandsBy);
    expect(await readGuild(world, id)).toEqual(stored);
    expect(await listEvents(world, id)).toEqual(events);
    await acting.stop();
  });
});
