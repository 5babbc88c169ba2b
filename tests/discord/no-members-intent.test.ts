/** Without the members intent nobody tells Marshal who is in a server: Discord's answers do. */
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { postsWithState } from '#tests/harness/discord-posts.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { callOffMissions, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { vipers } from '#tests/harness/seats.ts';
import { cardOf, nothingLeft } from './cards.ts';
import type { Snowflake } from './emulator/types.ts';
import { eventually, givenLinkedPilot, listEvents, readGuild, startDiscord, type DiscordWorld } from './given.ts';

let world: DiscordWorld;
let admin: Person;
/** the server that stands first, and the one that the pilots are in */
let other: Snowflake;
let otherLobby: Snowflake;
let home: Snowflake;
let lobby: Snowflake;
let missions: Snowflake;
beforeAll(async () => {
  world = await startDiscord({
    withJobs: true,
    cardPauseMs: 300,
    before: (emulator) => emulator.refuseMembersIntent(true),
  });
  admin = await givenAdmin(world.service);
  const first = world.emulator.addGuild({ name: 'Other Wing', channels: [{ name: 'lobby' }] });
  other = first.id;
  otherLobby = first.channelIds['lobby'] ?? '';
  const active = (id: Snowflake) =>
    eventually(async () => expect(await readGuild(world, id)).toMatchObject({ status: 'active' }));
  await active(other);
  const made = world.emulator.addGuild({
    name: 'Home Wing',
    channels: [{ name: 'lobby' }, { name: 'missions' }],
    roles: [{ name: 'staff', permissions: Bits.ManageGuild }],
  });
  home = made.id;
  lobby = made.channelIds['lobby'] ?? '';
  missions = made.channelIds['missions'] ?? '';
  await active(home);
  const manager = world.emulator.addMember(home, { username: 'boss', roles: [made.roleIds['staff'] ?? ''] });
  await world.emulator.command(manager, home, 'setup missions', { channel: missions, threads: true });
  await nothingLeft(world);
});
afterAll(() => world.stop());
afterEach(async () => {
  await callOffMissions(world.service);
  await retirePilots(world.service);
});

const tomorrow = { startLocal: hoursFromNow(40), endLocal: hoursFromNow(42) };
const asksAbout = ({ discordUserId }: { discordUserId: Snowflake }, path: string) =>
  world.emulator.requests.filter((asked) => asked.path.endsWith(`/${path}/${discordUserId}`)).length;

test('no members are stored', async () => {
  expect(await query(world.service.app.orm.em.fork(), sql`select 1 from guild_member`)).toEqual([]);
});

test('pilots with a seat are in the thread; who is not in the server is tried once', async () => {
  const [here, elsewhere] = [await givenLinkedPilot(world, home), await givenLinkedPilot(world, other)];
  for (const { id } of [here, elsewhere]) await givenAlwaysFree(world.service, id, 2);
  const { mission } = await givenMission(world.service, admin, {
    name: 'Op Talk',
    aircraftSlots: vipers(2),
    ...tomorrow,
  });
  for (const pilot of [here, elsewhere]) await respond(pilot, await orderOf(pilot), 'accepted');
  const members = () => world.emulator.threads(missions).find(({ name }) => name.startsWith('Op T'))?.members ?? [];
  await vi.waitFor(() => expect(members()).toContain(here.discordUserId), { timeout: 20_000, interval: 20 });
  await nothingLeft(world);
  expect(members()).not.toContain(elsewhere.discordUserId);
  for (const notes of ['Push at 1900Z.', 'Push at 1915Z.']) {
    await editMission(admin, mission.id, { notes });
    await nothingLeft(world);
  }
  expect(asksAbout(elsewhere, 'thread-members')).toBe(1);
});

test('a pilot with closed direct messages is mentioned in the server that they are in, and nowhere else', async () => {
  const pilot = await givenLinkedPilot(world, home);
  world.emulator.setClosedDms(pilot.discordUserId, true);
  await givenAlwaysFree(world.service, pilot.id);
  await givenMission(world.service, admin, tomorrow);
  const mentioning = () =>
    [otherLobby, lobby, missions]
      .flatMap((id) => [...world.emulator.messages(id)])
      .filter(({ mentions }) => mentions.includes(pilot.discordUserId));
  await vi.waitFor(() => expect(mentioning()).toHaveLength(1), { timeout: 20_000, interval: 20 });
  await nothingLeft(world);
  expect(mentioning().map(({ channelId }) => channelId)).toEqual([lobby]);
  const dmFailed = { type: 'dm_failed', data: pilot.discordUsername, error: 'Direct messages are closed' };
  expect(await listEvents(world, home)).toContainEqual(dmFailed);
});

test('a pilot with closed direct messages who is in no server is mentioned nowhere', async () => {
  const pilot = await givenLinkedPilot(world, home);
  world.emulator.removeMember(home, pilot.discordUserId);
  await givenAlwaysFree(world.service, pilot.id);
  await givenMission(world.service, admin, tomorrow);
  await vi.waitFor(() => expect(asksAbout(pilot, 'members')).toBe(2), { timeout: 20_000, interval: 20 });
  await nothingLeft(world);
  const [mention] = await query<{ state: string }>(
    world.service.app.orm.em.fork(),
    sql`select state from ${postsWithState} where kind = 'mention' and discord_user_id = ${pilot.discordUserId}`,
  );
  expect(mention).toEqual({ state: 'dropped' });
});

test('an answer in a server is recorded there', async () => {
  const pilot = await givenLinkedPilot(world, home);
  await givenAlwaysFree(world.service, pilot.id);
  await givenMission(world.service, admin, tomorrow);
  await cardOf(world, pilot);
  const order = await orderOf(pilot);
  await world.emulator.command(pilot.discordUserId, home, 'rsvp', { order: order.id, response: 'accepted' });
  await eventually(async () =>
    expect((await listEvents(world, home)).filter(({ type }) => type === 'rsvp_from_discord')).toHaveLength(1),
  );
});
