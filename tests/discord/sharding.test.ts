/**
 * A bot with three shards: members, cards, buttons and commands on each of them, and one that is stuck or starts again while
 * the others go on.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { givenAdmin, givenMission, hoursFromNow } from '#tests/harness/given.ts';
import { vipers } from '#tests/harness/seats.ts';
import type { Emulator, Snowflake } from './emulator/types.ts';
import {
  botOnline,
  eventually,
  givenDiscordGuild,
  givenLinkedPilot,
  listMembers,
  readGuild,
  readLease,
  startDiscord,
  untilOnRoster,
  type DiscordWorld,
} from './given.ts';
import { privateText } from './read.ts';

const SHARDS = [0, 1, 2] as const;
type ShardId = (typeof SHARDS)[number];

let world: DiscordWorld;
let guilds: Record<ShardId, ReturnType<Emulator['addGuild']>>;
let pilots: Record<ShardId, Awaited<ReturnType<typeof givenLinkedPilot>>>;
let ids = 0;

/** An id that this shard of three gets, by Discord's formula: `(guild_id >> 22) % num_shards`. */
function idOn(shardId: ShardId): Snowflake {
  ids += 1;
  return String((900_000_000_000n * 3n + BigInt(ids * 3 + shardId)) << 22n);
}

async function onEach<Value>(make: (shardId: ShardId) => Promise<Value>): Promise<Record<ShardId, Value>> {
  return { 0: await make(0), 1: await make(1), 2: await make(2) };
}

beforeAll(async () => {
  world = await startDiscord({
    withJobs: true,
    wideLimits: ['gateway', 'requests'],
    timings: { stuckMs: 6_000, awayMs: 500 },
    before: (emulator) => emulator.setSharding({ recommended: 3, maxConcurrency: 3, heartbeatMs: 500 }),
  });
  guilds = await onEach((shardId) => givenDiscordGuild(world, { id: idOn(shardId), name: `Wing ${shardId}` }));
  pilots = await onEach((shardId) => givenLinkedPilot(world, guilds[shardId].id));
  for (const shardId of SHARDS) await untilOnRoster(world, pilots[shardId].discordUserId);
});
afterAll(() => world.stop());

/** The sessions of some shards; a restart of one changes its id. */
const sessionsOf = (...shardIds: ShardId[]) =>
  world.emulator
    .sessions()
    .filter(({ shardId }) => shardIds.includes(shardId as ShardId))
    .toSorted((a, b) => a.shardId - b.shardId)
    .map(({ id, shardId, shardCount }) => `${shardId} of ${shardCount}: ${id}`);

async function helpIn(place: Snowflake | null, discordUserId: Snowflake): Promise<string> {
  return privateText(await world.emulator.command(discordUserId, place, 'help'), discordUserId);
}

const allAreUp = () =>
  world.emulator.until('each shard has one session', () => {
    const up = world.emulator.sessions().map(({ shardId }) => shardId);
    return up.toSorted((a, b) => a - b).join(' ') === SHARDS.join(' ');
  });

test('each shard has its own connection, and its servers and members are stored', async () => {
  await allAreUp();
  expect(world.emulator.sessions().map(({ shardCount }) => shardCount)).toEqual([3, 3, 3]);
  for (const shardId of SHARDS) {
    const { id } = guilds[shardId];
    const joined = world.emulator.addMember(id, { username: `windsock.${shardId}` });
    await untilOnRoster(world, joined);
    world.emulator.removeMember(id, joined);
    await eventually(async () =>
      expect((await listMembers(world, id)).find((member) => member.id === joined)?.hasLeft).toBe(true),
    );
  }
  // the application's commands are registered by one shard
  const registered = world.emulator.requests.filter(
    ({ method, path }) => method === 'PUT' && path.endsWith('/commands'),
  );
  expect(registered).toHaveLength(1);
  expect(await readLease(world)).toMatchObject({ isConnected: true, hasMembersIntent: true, problem: null });
});

test('commands are answered on every shard, and in direct messages', async () => {
  for (const shardId of SHARDS) {
    expect(await helpIn(guilds[shardId].id, pilots[shardId].discordUserId)).toContain('/missions');
  }
  expect(await helpIn(null, pilots[2].discordUserId)).toContain('/missions');
});

test('a mission has its card on every shard, and its buttons work there', async () => {
  const admin = await givenAdmin(world.service);
  for (const shardId of SHARDS) {
    const { id, channelIds } = guilds[shardId];
    const role = world.emulator.addRole(id, { name: 'staff', permissions: 1n << 5n });
    world.emulator.updateMember(id, pilots[shardId].discordUserId, { roles: [role] });
    const values = { channel: channelIds['general'] ?? '' };
    const said = await world.emulator.command(pilots[shardId].discordUserId, id, 'setup missions', values);
    expect(said.reply?.content).toContain(`<#${channelIds['general']}>`);
  }
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Three Shards',
    aircraftSlots: vipers(4),
    startLocal: hoursFromNow(40),
    endLocal: hoursFromNow(42),
  });
  for (const shardId of SHARDS) {
    const cards = () =>
      world.emulator
        .messages(guilds[shardId].channelIds['general'] ?? '')
        .filter(({ components }) => JSON.stringify(components).includes(mission.id));
    await world.emulator.until(`shard ${shardId} has the card`, () => cards().length === 1);
    const { discordUserId } = pilots[shardId];
    const outcome = await world.emulator.press(discordUserId, cards()[0]?.id ?? '', 'My order');
    expect(privateText(outcome, discordUserId)).not.toBe('');
  }
});

test('one shard starts again, and the sessions of the others stay', async () => {
  await allAreUp();
  const [others, own] = [sessionsOf(0, 2), sessionsOf(1)];
  world.emulator.endShard(1);
  world.emulator.renameGuild(guilds[1].id, 'Wing 1 again');
  await eventually(async () => expect(await readGuild(world, guilds[1].id)).toMatchObject({ name: 'Wing 1 again' }));
  await allAreUp();
  expect(sessionsOf(1)).not.toEqual(own);
  expect(sessionsOf(0, 2)).toEqual(others);
});

test('one shard is stuck: the others go on, admins read it, and it recovers by itself', async () => {
  await allAreUp();
  const { emulator } = world;
  const others = sessionsOf(0, 2);
  const starts = () => emulator.requests.filter(({ path }) => path === '/gateway/bot').length;
  const before = starts();
  // no heartbeat is acknowledged, and nothing is answered when it connects again
  emulator.silenceShard(1, true);
  emulator.renameGuild(guilds[1].id, 'Wing 1 unheard');
  await eventually(async () =>
    expect(await readLease(world)).toMatchObject({
      isConnected: true,
      problem: expect.stringMatching(/^1 of 3 connections to Discord is down/) as string,
    }),
  );
  // its client is replaced, twice
  await vi.waitFor(() => expect(starts()).toBeGreaterThanOrEqual(before + 2), { timeout: 40_000, interval: 50 });
  for (const shardId of [0, 2] as const) {
    expect(await helpIn(guilds[shardId].id, pilots[shardId].discordUserId)).toContain('/missions');
    emulator.renameGuild(guilds[shardId].id, `Wing ${shardId} meanwhile`);
    await eventually(async () =>
      expect(await readGuild(world, guilds[shardId].id)).toMatchObject({ name: `Wing ${shardId} meanwhile` }),
    );
  }
  expect(sessionsOf(0, 2)).toEqual(others);
  expect(await readGuild(world, guilds[1].id)).toMatchObject({ status: 'active', name: 'Wing 1 again' });

  emulator.silenceShard(1, false);
  await eventually(async () => expect(await readGuild(world, guilds[1].id)).toMatchObject({ name: 'Wing 1 unheard' }));
  await eventually(async () => expect(await readLease(world)).toMatchObject({ isConnected: true, problem: null }));
  expect(await helpIn(guilds[1].id, pilots[1].discordUserId)).toContain('/missions');
  expect(sessionsOf(0, 2)).toEqual(others);
});

test('a shard that never became ready holds up no other', async () => {
  const other = await startDiscord({
    withBot: false,
    timings: { awayMs: 500 },
    before(emulator) {
      emulator.setSharding({ recommended: 2, maxConcurrency: 2 });
      emulator.silenceShard(1, true);
    },
  });
  try {
    const id = String((900_000_000_000n * 2n) << 22n);
    other.emulator.addGuild({ id, name: 'Early Wing', channels: [{ name: 'general' }] });
    const pilot = other.emulator.addMember(id, { username: 'amber' });
    other.startBot();
    await botOnline(other);
    const outcome = await other.emulator.command(pilot, id, 'help');
    expect(privateText(outcome, pilot)).toContain('/missions');
  } finally {
    await other.stop();
  }
});

test('"Sharding required" (4011) makes the bot ask how many shards it needs', async () => {
  const other = await startDiscord({
    withBot: false,
    before: (emulator) => emulator.setSharding({ recommended: 1, maxConcurrency: 2, most: 2 }),
  });
  try {
    const { emulator } = other;
    for (let n = 0; n < 3; n += 1)
      emulator.addGuild({ id: String((900_000_000_000n + BigInt(n)) << 22n), name: `Wing ${n}` });
    other.startBot();
    const asked = () => emulator.requests.filter(({ path }) => path === '/gateway/bot').length;
    await emulator.until('it has been refused and asks again', () => asked() > 2);
    expect(emulator.connections()).toBe(0);
    emulator.setSharding({ recommended: 2 });
    // a shard identifies at most once in five seconds, and the next attempt may still be one with a single shard
    await vi.waitFor(() => expect(emulator.connections()).toBe(2), { timeout: 40_000, interval: 50 });
    await botOnline(other);
    await eventually(async () => {
      for (let n = 0; n < 3; n += 1) {
        const id = String((900_000_000_000n + BigInt(n)) << 22n);
        expect(await readGuild(other, id)).toMatchObject({ status: 'active' });
      }
    });
    expect(await readLease(other)).toMatchObject({ problem: null });
  } finally {
    await other.stop();
  }
});
