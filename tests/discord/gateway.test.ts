/** Gateway connections that break in every known way: no missed events, no duplicates, no reconnect storm. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snowflake } from './emulator/types.ts';
import {
  botOnline,
  eventually,
  givenDiscordGuild,
  listEvents,
  listMembers,
  readGuild,
  readLease,
  startDiscord,
  type DiscordWorld,
} from './given.ts';
import { startWire, type Wire } from './wire.ts';

let world: DiscordWorld;
let wire: Wire;
beforeAll(async () => {
  world = await startDiscord({ withBot: false });
  wire = await startWire(world.service.url);
  // all members are fetched once: later changes must arrive as events
  world.startBot({ serverUrl: wire.url, timings: { membersPauseMs: 3_600_000 } });
  await botOnline(world);
});
afterAll(async () => {
  await world.stop();
  await wire.stop();
});

const typesOf = async (guildId: Snowflake) => (await listEvents(world, guildId)).map(({ type }) => type);
const countOf = (procedure: string) => wire.calls.filter((call) => call === procedure).length;
const isConnected = () => world.emulator.until('the bot is connected', () => world.emulator.connections() === 1);

test('a member list that is too large is sent in smaller parts, and a refused one leaves the others alone', async () => {
  const { emulator } = world;
  const crew = Array.from({ length: 9 }, (_, n) => ({ username: `crew.${n}` }));
  wire.setRefusal((call, body) => (call === 'sync.syncMembers' && body.split('crew.').length > 5 ? 413 : null));
  const large = await givenDiscordGuild(world, { name: 'Large Wing', members: crew });
  await eventually(async () => expect(await listMembers(world, large.id)).toHaveLength(11));
  expect(await typesOf(large.id)).not.toContain('member_joined');

  wire.setRefusal((_call, body) => (body.includes('unwelcome') ? 400 : null));
  const synced = countOf('sync.syncMembers');
  const refused = emulator.addGuild({ name: 'Refused Wing', members: [{ username: 'unwelcome' }] });
  await eventually(() => Promise.resolve(expect(countOf('sync.syncMembers')).toBe(synced + 1)));
  // the others go on at once, and none of their lists is fetched again
  const other = await givenDiscordGuild(world, { name: 'Other Wing' });
  expect(await listMembers(world, refused.id)).toEqual([]);
  expect(countOf('sync.syncMembers')).toBe(synced + 2);
  emulator.renameGuild(other.id, 'Other Wing II');
  await eventually(async () => expect(await readGuild(world, other.id)).toMatchObject({ name: 'Other Wing II' }));
  expect(countOf('sync.syncMembers')).toBe(synced + 2);
  wire.setRefusal(() => null);
});

describe('a connection that breaks', () => {
  test.each([
    ['is cut', () => world.emulator.cutGateway()],
    ['is closed for no reason (4000)', () => world.emulator.closeGateway(4000)],
    ['is asked to reconnect (op 7)', () => world.emulator.askReconnect()],
    ['is told to resume (op 9, true)', () => world.emulator.invalidateSession(true)],
  ])('%s: what happened meanwhile is replayed', async (_how, breakIt) => {
    const { emulator } = world;
    const { id } = await givenDiscordGuild(world);
    const member = emulator.addMember(id, { username: 'windsock' });
    await eventually(async () => expect((await listMembers(world, id)).map(({ name }) => name)).toContain('windsock'));
    const told = countOf('sync.reconcile');
    emulator.refuseConnections(true);
    breakIt();
    emulator.removeMember(id, member);
    emulator.refuseConnections(false);
    await eventually(async () =>
      expect((await listMembers(world, id)).find(({ name }) => name === 'windsock')?.hasLeft).toBe(true),
    );
    await isConnected();
    // it was the same session: no READY, and no event repeated
    expect(countOf('sync.reconcile')).toBe(told);
    expect((await typesOf(id)).filter((type) => type === 'member_left')).toHaveLength(1);
  });

  test.each([
    ['is over (op 9, false)', () => world.emulator.invalidateSession(false)],
    ['has timed out (4009)', () => world.emulator.closeGateway(4009)],
  ])('whose session %s: the second READY tells what was missed, and nothing twice', async (_how, breakIt) => {
    const { emulator } = world;
    const lost = await givenDiscordGuild(world, { name: 'Lost Wing' });
    const kept = await givenDiscordGuild(world, { name: 'Kept Wing' });
    const found = await givenDiscordGuild(world, { name: 'Found Wing', isInstalled: false });
    const down = await givenDiscordGuild(world, { name: 'Down Wing' });
    emulator.refuseConnections(true);
    breakIt();
    emulator.forgetGuild(lost.id);
    emulator.installBot(found.id);
    emulator.setOutage(down.id, true);
    emulator.renameGuild(kept.id, 'Kept Wing II');
    emulator.refuseConnections(false);
    await eventually(async () => {
      expect(await readGuild(world, lost.id)).toMatchObject({ status: 'disabled', isDisabled: true });
      expect(await readGuild(world, found.id)).toMatchObject({ status: 'active' });
      expect(await readGuild(world, down.id)).toMatchObject({ status: 'unavailable' });
      expect(await readGuild(world, kept.id)).toMatchObject({ status: 'active', name: 'Kept Wing II' });
    });
    expect(await typesOf(kept.id)).toEqual(['guild_installed', 'members_synced', 'guild_updated']);
    expect((await typesOf(lost.id)).at(-1)).toBe('guild_removed');
    emulator.setOutage(down.id, false);
    await eventually(async () => expect(await readGuild(world, down.id)).toMatchObject({ status: 'active' }));
    await botOnline(world);
  });
});

test('fifty roster changes are batched into few calls and one event for admins', async () => {
  const { emulator } = world;
  const { id } = await givenDiscordGuild(world);
  const before = countOf('sync.saveMembers');
  const joined = Array.from({ length: 50 }, (_, n) => emulator.addMember(id, { username: `cadet.${n}` }));
  await eventually(async () => expect((await listMembers(world, id)).length).toBeGreaterThanOrEqual(50));
  await eventually(async () =>
    expect(await listEvents(world, id)).toContainEqual({ type: 'member_joined', data: '50 members', error: null }),
  );
  // one on a quick machine; late events come with the next
  expect(countOf('sync.saveMembers') - before).toBeLessThanOrEqual(3);
  expect(await readGuild(world, id)).toMatchObject({ memberCount: 52 });
  // one after the other within ten minutes is one run too
  emulator.addMember(id, { username: 'latecomer' });
  await eventually(async () =>
    expect(await listEvents(world, id)).toContainEqual({ type: 'member_joined', data: '51 members', error: null }),
  );
  for (const member of joined) emulator.removeMember(id, member);
  await eventually(async () =>
    expect(await listEvents(world, id)).toContainEqual({ type: 'member_left', data: '50 members', error: null }),
  );
  expect((await typesOf(id)).filter((type) => type.startsWith('member_'))).toEqual(['member_joined', 'member_left']);
  expect(await readGuild(world, id)).toMatchObject({ memberCount: 3 });
});

test('a connection that does not resume is replaced by a new one', async () => {
  const other = await startDiscord({ timings: { stuckMs: 300 } });
  try {
    const { emulator } = other;
    const logins = () => emulator.requests.filter(({ path }) => path === '/gateway/bot').length;
    const before = logins();
    emulator.refuseConnections(true);
    emulator.cutGateway();
    await emulator.until('another client tries', () => logins() > before + 1);
    emulator.refuseConnections(false);
    const { id } = await givenDiscordGuild(other, { name: 'Second Wind' });
    await botOnline(other);
    expect(await readGuild(other, id)).toMatchObject({ status: 'active' });
    expect(emulator.connections()).toBe(1);
  } finally {
    await other.stop();
  }
});

describe('a server that cannot be reached', () => {
  test('loses neither the connection nor events meanwhile', async () => {
    const { emulator } = world;
    const { id } = await givenDiscordGuild(world, { name: 'Far Wing' });
    const gone = await givenDiscordGuild(world, { name: 'Gone Wing' });
    wire.setCut(true);
    emulator.renameGuild(id, 'Far Wing II');
    emulator.addChannel(id, { name: 'signals' });
    emulator.kickBot(gone.id);
    const fresh = emulator.addGuild({ name: 'Fresh Wing', channels: [{ name: 'general' }] });
    wire.setCut(false);
    await eventually(async () => {
      expect(await readGuild(world, id)).toMatchObject({ name: 'Far Wing II' });
      expect(await readGuild(world, gone.id)).toMatchObject({ status: 'disabled' });
      expect(await readGuild(world, fresh.id)).toMatchObject({ status: 'active' });
      expect(await typesOf(id)).toContain('channel_created');
    });
    expect(emulator.connections()).toBe(1);
    await botOnline(world);
  });
});

describe('what Discord refuses', () => {
  test("the members intent: the bot runs without it, says so, and uses Discord's member count", async () => {
    const other = await startDiscord({
      withBot: false,
      timings: { refreshMs: 300 },
    });
    try {
      const { emulator } = other;
      emulator.refuseMembersIntent(true);
      const { id } = emulator.addGuild({
        name: 'Shy Wing',
        channels: [{ name: 'general' }],
        members: [{ username: 'vesper' }, { username: 'mara' }],
      });
      other.startBot();
      await botOnline(other);
      expect(await readLease(other)).toMatchObject({ hasMembersIntent: false, problem: null });
      expect(await readGuild(other, id)).toMatchObject({ status: 'active', memberCount: 4 });
      await eventually(async () =>
        expect(await listEvents(other, id)).toEqual([
          { type: 'guild_installed', data: 'Shy Wing', error: null },
          {
            type: 'intent_denied',
            data: null,
            error: expect.stringContaining('Switch on "Server Members Intent"') as string,
          },
        ]),
      );
      emulator.addMember(id, { username: 'kessel' });
      await eventually(async () => expect(await readGuild(other, id)).toMatchObject({ memberCount: 5 }));
      expect(await listMembers(other, id)).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test('the token: admins read the remedy, and the bot retries slowly', async () => {
    const other = await startDiscord({ withBot: false });
    try {
      const bot = other.startBot({ token: 'not-the-token', timings: { refusedMs: 400 } });
      const refusals = () => other.emulator.requests.filter(({ path }) => path === '/gateway/bot');
      await other.emulator.until('three tries', () => refusals().length >= 3);
      expect(refusals().map(({ status }) => status)).toEqual(refusals().map(() => 401));
      const [first, , third] = refusals();
      expect((third?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(800);
      expect(await readLease(other)).toMatchObject({
        isLive: true,
        isConnected: false,
        problem: expect.stringContaining('Discord refuses the token.') as string,
      });
      expect(bot.isActing()).toBe(true);
    } finally {
      await other.stop();
    }
  });

  test('the intent, withdrawn while the bot is connected: it reconnects without it', async () => {
    const { emulator } = world;
    emulator.refuseMembersIntent(true);
    emulator.closeGateway(4014);
    await eventually(async () =>
      expect(await readLease(world)).toMatchObject({ isConnected: true, hasMembersIntent: false }),
    );
    await isConnected();
  });
});
