/** The thread on a mission's card: started once, with the pilots who fly, and archived when it is over. */
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { syncMission } from '#server/discord/posts/sync-mission.ts';
import { query, sql } from '#server/schema/query.ts';
import { postsWithState } from '#tests/harness/discord-posts.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { callOffMissions, orderOf, respond } from '#tests/harness/orders.ts';
import { vipers } from '#tests/harness/seats.ts';
import { nothingLeft } from './cards.ts';
import {
  eventually,
  givenDiscordGuild,
  givenLinkedPilot,
  readGuild,
  startDiscord,
  type DiscordWorld,
} from './given.ts';

let world: DiscordWorld;
let admin: Person;
let guild: Awaited<ReturnType<typeof givenDiscordGuild>>;
let manager: string;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true, cardPauseMs: 300 });
  admin = await givenAdmin(world.service);
  guild = await givenDiscordGuild(world, {
    channels: [{ name: 'missions' }],
    roles: [{ name: 'staff', permissions: Bits.ManageGuild }],
  });
  manager = world.emulator.addMember(guild.id, { username: 'quartermaster', roles: [guild.roleIds['staff'] ?? ''] });
  await setUp({ threads: true });
});
afterAll(() => world.stop());
afterEach(() => callOffMissions(world.service));

const em = () => world.service.app.orm.em.fork();
const channelId = (): string => guild.channelIds['missions'] ?? '';
const setUp = async (options: Record<string, boolean>) => {
  await world.emulator.command(manager, guild.id, 'setup missions', { channel: channelId(), ...options });
  await nothingLeft(world);
};
const tomorrow = { startLocal: hoursFromNow(40), endLocal: hoursFromNow(42) };

const threadsNamed = (name: string) => world.emulator.threads(channelId()).filter((thread) => thread.name === name);

/** The one thread with this name, once it is so. */
async function threadOf(name: string, wanted: { members?: string[]; isArchived?: boolean } = {}) {
  await vi.waitFor(
    () => {
      const [thread, ...others] = threadsNamed(name);
      expect(others).toEqual([]);
      expect(thread).toBeDefined();
      const members = (thread?.members ?? []).filter((id) => id !== world.emulator.botUserId).toSorted();
      expect({ members, isArchived: thread?.isArchived }).toEqual({
        members: (wanted.members ?? []).toSorted(),
        isArchived: wanted.isArchived ?? false,
      });
    },
    { timeout: 20_000, interval: 20 },
  );
  const [thread] = threadsNamed(name);
  if (!thread) throw new Error('There is no thread');
  return thread;
}

test('a card gets one thread, whose members are the pilots who fly, and which is archived when it is called off', async () => {
  const [first, second] = [await givenLinkedPilot(world, guild.id), await givenLinkedPilot(world, guild.id)];
  for (const { id } of [first, second]) await givenAlwaysFree(world.service, id, 2);
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Talk',
    aircraftSlots: vipers(2),
    ...tomorrow,
  });
  const thread = await threadOf('Op Talk');
  expect(world.emulator.messages(channelId()).map(({ id }) => id)).toContain(thread.id);
  const orderOfSecond = await orderOf(second);
  await respond(first, await orderOf(first), 'accepted');
  await respond(second, orderOfSecond, 'accepted');
  await threadOf('Op Talk', { members: [first.discordUserId, second.discordUserId] });
  await respond(second, orderOfSecond, 'declined');
  await threadOf('Op Talk', { members: [first.discordUserId] });
  await editMission(admin, mission.id, { name: 'Op Long Talk' });
  expect((await threadOf('Op Long Talk', { members: [first.discordUserId] })).id).toBe(thread.id);
  await cancelMission(em(), admin, mission.id, new Date());
  await threadOf('Op Long Talk', { members: [first.discordUserId], isArchived: true });
  await nothingLeft(world);
});

test('a start whose answer was lost is the same thread, and one that somebody deletes stays deleted', async () => {
  world.emulator.fail({ method: 'POST', path: /\/threads$/, kind: 'drop', when: 'after' });
  const { mission } = await givenMission(world.service, admin, { name: 'Op Lost Answer', ...tomorrow });
  const thread = await threadOf('Op Lost Answer');
  await nothingLeft(world);
  await editMission(admin, mission.id, { name: 'Op Found Answer' });
  expect((await threadOf('Op Found Answer')).id).toBe(thread.id);
  world.emulator.deleteChannel(guild.id, thread.id);
  await editMission(admin, mission.id, { name: 'Op Quiet' });
  await nothingLeft(world);
  expect(threadsNamed('Op Quiet')).toEqual([]);
});

test('one that Discord has archived wakes for a pilot, and sleeps on when the mission is called off', async () => {
  const pilot = await givenLinkedPilot(world, guild.id);
  await givenAlwaysFree(world.service, pilot.id, 2);
  // the pilots of the tests before may sit down, too
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Asleep',
    aircraftSlots: vipers(4),
    ...tomorrow,
  });
  const thread = await threadOf('Op Asleep');
  world.emulator.updateChannel(guild.id, thread.id, { archived: true });
  await respond(pilot, await orderOf(pilot), 'accepted');
  await threadOf('Op Asleep', { members: [pilot.discordUserId] });
  world.emulator.updateChannel(guild.id, thread.id, { archived: true });
  await cancelMission(em(), admin, mission.id, new Date());
  await nothingLeft(world);
  await threadOf('Op Asleep', { members: [pilot.discordUserId], isArchived: true });
  const rows = await query<{ state: string }>(
    em(),
    sql`select state from ${postsWithState} where kind = 'thread' and subject_id = ${mission.id}`,
  );
  expect(rows).toEqual([{ state: 'sent' }]);
});

test('it is archived in a server that is left out, and goes on when the server is chosen again', async () => {
  const pilot = await givenLinkedPilot(world, guild.id);
  await givenAlwaysFree(world.service, pilot.id, 2);
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Elsewhere',
    aircraftSlots: vipers(8),
    ...tomorrow,
  });
  const thread = await threadOf('Op Elsewhere');
  await editMission(admin, mission.id, { guildIds: [] });
  await threadOf('Op Elsewhere', { isArchived: true });
  await respond(pilot, await orderOf(pilot), 'accepted');
  await editMission(admin, mission.id, { guildIds: [guild.id] });
  expect((await threadOf('Op Elsewhere', { members: [pilot.discordUserId] })).id).toBe(thread.id);
});

test('it is archived a day after the end', async () => {
  const { mission } = await givenMission(world.service, admin, { name: 'Op Yesterday', ...tomorrow });
  await threadOf('Op Yesterday');
  const shown = () => threadsNamed('Op Yesterday').map(({ isArchived }) => isArchived);
  const after = (hours: number) => new Date(Date.now() + (42 + hours) * 3_600_000);
  const sync = (now: Date) =>
    syncMission(em(), { missionId: mission.id, isNew: false }, world.service.url, now).then(() => nothingLeft(world));
  await sync(after(23));
  expect(shown()).toEqual([false]);
  // the sender asks the clock, so the mission itself goes back
  await query(
    em(),
    sql`update mission set starts_at = now() - interval '27 hours', ends_at = now() - interval '25 hours' where id = ${mission.id}`,
  );
  await sync(new Date());
  expect(shown()).toEqual([true]);
  const asked = () => world.emulator.requests.filter(({ path }) => path.includes('thread-members')).length;
  const before = asked();
  await sync(new Date());
  expect([shown(), asked()]).toEqual([[true], before]);
});

test('a mission with secret sides has none: it is archived when they become secret, and wakes when they are open', async () => {
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Both Sides',
    aircraftSlots: [
      { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' },
      { aircraftId: 2, slotCount: 1, side: 1, notes: 'CAP' },
    ],
    ...tomorrow,
  });
  await nothingLeft(world);
  expect(threadsNamed('Op Both Sides')).toEqual([]);
  await editMission(admin, mission.id, { secretSides: false });
  await threadOf('Op Both Sides');
  await editMission(admin, mission.id, { secretSides: null });
  await threadOf('Op Both Sides', { isArchived: true });
  await editMission(admin, mission.id, { secretSides: false });
  await threadOf('Op Both Sides');
});

test('a server that does not ask for threads has none', async () => {
  await setUp({ threads: false });
  await givenMission(world.service, admin, { name: 'Op No Talk', ...tomorrow });
  await nothingLeft(world);
  expect(threadsNamed('Op No Talk')).toEqual([]);
  await setUp({ threads: true });
  await threadOf('Op No Talk');
});

test('without the permission there is none until it is granted, and nothing is tried', async () => {
  const can = (canCreateThreads: boolean) =>
    eventually(async () => expect(await readGuild(world, guild.id)).toMatchObject({ canCreateThreads }));
  world.emulator.updateMember(guild.id, world.emulator.botUserId, {
    timeoutUntil: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await can(false);
  const asked = () => world.emulator.requests.filter(({ path }) => path.endsWith('/threads')).length;
  const before = asked();
  await givenMission(world.service, admin, { name: 'Op Waiting', ...tomorrow });
  await nothingLeft(world);
  expect(asked()).toBe(before);
  world.emulator.updateMember(guild.id, world.emulator.botUserId, { timeoutUntil: null });
  await can(true);
  await threadOf('Op Waiting');
});
