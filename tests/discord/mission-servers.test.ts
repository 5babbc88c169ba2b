/** A mission that is limited to some servers: its cards and scheduled events. */
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { actionsOf, nothingLeft } from './cards.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { textOf } from './read.ts';

let world: DiscordWorld;
let admin: Person;
let first: Awaited<ReturnType<typeof givenDiscordGuild>>;
let second: typeof first;

async function givenSetUpGuild(name: string) {
  const guild = await givenDiscordGuild(world, {
    name,
    channels: [{ name: 'missions' }],
    roles: [{ name: 'staff', permissions: PermissionFlagsBits.ManageGuild }],
  });
  const manager = world.emulator.addMember(guild.id, {
    username: `manager.${name.length}`,
    roles: [guild.roleIds['staff'] ?? ''],
  });
  await world.emulator.command(manager, guild.id, 'setup missions', { channel: guild.channelIds['missions'] ?? '' });
  return guild;
}

beforeAll(async () => {
  world = await startDiscord({ withJobs: true, cardPauseMs: 300 });
  admin = await givenAdmin(world.service);
  first = await givenSetUpGuild('Lantern Wing');
  second = await givenSetUpGuild('Quiet Harbour');
  await nothingLeft(world);
});
afterAll(() => world.stop());

const tomorrow = { startLocal: hoursFromNow(40), endLocal: hoursFromNow(42) };

/** The cards of a mission in a server, by their text or buttons, and the states of its events. */
const shownIn = (guild: typeof first, name: string): { cards: string[]; events: string[] } => ({
  cards: world.emulator
    .messages(guild.channelIds['missions'] ?? '')
    .filter((message) => message.embeds.length > 0 && textOf(message).includes(name))
    .map((message) => (actionsOf(message).length > 0 ? 'card' : textOf(message).replace(name, '').trim())),
  events: world.emulator
    .scheduledEvents(guild.id)
    .filter((event) => event.name === name)
    .map(({ status }) => (status === 1 ? 'scheduled' : 'cancelled')),
});

async function until(name: string, wanted: ReturnType<typeof shownIn>[]): Promise<void> {
  await vi.waitFor(() => expect([first, second].map((guild) => shownIn(guild, name))).toEqual(wanted), {
    timeout: 20_000,
    interval: 20,
  });
  await nothingLeft(world);
  expect([first, second].map((guild) => shownIn(guild, name))).toEqual(wanted);
}

const SHOWN = { cards: ['card'], events: ['scheduled'] };
const NOTHING = { cards: [], events: [] };
const LEFT_OUT = { cards: ['This mission is no longer shown in this server.'], events: ['cancelled'] };

test('a mission for one server has its card and event there alone, and elsewhere once it is for all', async () => {
  const name = 'Op Lantern Only';
  const { mission } = await givenMission(world.service, admin, { name, guildIds: [first.id], ...tomorrow });
  await until(name, [SHOWN, NOTHING]);
  await editMission(admin, mission.id, { guildIds: null });
  await until(name, [SHOWN, SHOWN]);
});

test('a server that is left out says so and ends its event, and shows the mission again when it is chosen again', async () => {
  const name = 'Op Both Then One';
  const { mission } = await givenMission(world.service, admin, { name, ...tomorrow });
  await until(name, [SHOWN, SHOWN]);
  await editMission(admin, mission.id, { guildIds: [second.id] });
  await until(name, [LEFT_OUT, SHOWN]);
  await editMission(admin, mission.id, { guildIds: [first.id, second.id] });
  await until(name, [{ cards: ['card'], events: ['cancelled', 'scheduled'] }, SHOWN]);
  await editMission(admin, mission.id, { guildIds: [] });
  await until(name, [{ ...LEFT_OUT, events: ['cancelled', 'cancelled'] }, LEFT_OUT]);
});

test('/mission announce adds the server that it is used in', async () => {
  const name = 'Op Announced';
  const { mission } = await givenMission(world.service, admin, { name, guildIds: [second.id], ...tomorrow });
  await until(name, [NOTHING, SHOWN]);
  const leader = await givenLinkedPilot(world, first.id, { isAdmin: true, roles: [first.roleIds['staff'] ?? ''] });
  await world.emulator.command(leader.discordUserId, first.id, 'mission announce', { mission: mission.id });
  await until(name, [SHOWN, SHOWN]);
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  expect(body.guildIds).toEqual([first.id, second.id].toSorted());
});
