/** Threads of the emulated Discord, by the words of Discord's documentation, used by the real client. */
import type { Client, PublicThreadChannel, TextChannel } from 'discord.js';
import { ChannelType, Events, PermissionFlagsBits as Bits, Routes } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectClient, nextEvent } from './emulator/client.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator, Snowflake } from './emulator/types.ts';

const READ = Bits.ViewChannel | Bits.SendMessages | Bits.ReadMessageHistory;
const MEANT = READ | Bits.CreatePublicThreads | Bits.SendMessagesInThreads;

let emulator: Emulator;
let client: Client<true>;
let guildId: Snowflake;
let channelIds: Record<string, Snowflake>;
let pilot: Snowflake;
beforeEach(async () => {
  emulator = await startEmulator({ wideLimits: ['requests', 'gateway'] });
  const guild = emulator.addGuild({
    name: 'Lantern Wing',
    channels: [{ name: 'ops' }, { name: 'news', type: 5 }, { name: 'voice', type: 2 }],
    everyone: MEANT,
    botPermissions: Bits.ViewChannel,
  });
  guildId = guild.id;
  channelIds = guild.channelIds;
  pilot = emulator.addMember(guildId, { username: 'vesper' });
  client = await connectClient(emulator);
});
afterEach(async () => {
  await client.destroy();
  await emulator.stop();
});

/** Discord's error code of a call; 0 for none. */
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 0,
    (error: unknown) => (error as { code: unknown }).code,
  );
const allow = (permissions: bigint) => emulator.updateRole(guildId, guildId, { permissions });
async function post(channel = 'ops') {
  const there = (await client.channels.fetch(channelIds[channel] ?? '')) as TextChannel;
  return there.send('Op Iron Hound');
}
const start = (messageId: Snowflake, body: object = { name: 'Op Iron Hound' }, channel = 'ops') =>
  client.rest.post(Routes.threads(channelIds[channel] ?? '', messageId), { body });
const add = (threadId: Snowflake, userId = pilot) => client.rest.put(Routes.threadMembers(threadId, userId));
const remove = (threadId: Snowflake, userId = pilot) => client.rest.delete(Routes.threadMembers(threadId, userId));
const edit = (threadId: Snowflake, body: object) => client.rest.patch(Routes.channel(threadId), { body });

test('a thread has the id of its message, starts once, and takes members until it is archived', async () => {
  const message = await post();
  const created = nextEvent(client, Events.ThreadCreate);
  await start(message.id, { name: ' Op Iron Hound ', auto_archive_duration: 1440 });
  const thread = (await client.channels.fetch(message.id)) as PublicThreadChannel;
  expect([thread.id, thread.type, thread.ownerId]).toEqual([message.id, ChannelType.PublicThread, emulator.botUserId]);
  expect((await created)[0].id).toBe(message.id);
  expect((await message.fetch(true)).hasThread).toBe(true);
  expect(await codeOf(start(message.id))).toBe(160004);

  const told = nextEvent(client, Events.ThreadMembersUpdate);
  await thread.members.add(pilot);
  expect([...(await told)[0].keys()]).toEqual([pilot]);
  expect(await codeOf(add(thread.id))).toBe(0);
  expect([...(await thread.members.fetch()).keys()]).toEqual([emulator.botUserId, pilot]);

  await thread.setArchived(true);
  const state = { id: message.id, name: 'Op Iron Hound', archiveMinutes: 1440, members: [emulator.botUserId, pilot] };
  expect(emulator.threads(channelIds['ops'] ?? '')).toEqual([{ ...state, isArchived: true }]);
  const stranger = emulator.addMember(guildId, { username: 'stranger' });
  expect(await codeOf(add(thread.id, stranger))).toBe(50083);
  expect(await codeOf(edit(thread.id, { name: 'Other' }))).toBe(50083);
  await edit(thread.id, { archived: false, name: 'Other' });
  emulator.removeMember(guildId, pilot);
  expect(emulator.threads(channelIds['ops'] ?? '')).toEqual([
    { ...state, name: 'Other', isArchived: false, members: [emulator.botUserId] },
  ]);
  expect(emulator.violations).toEqual([]);
});

test('an announcement channel gets a thread of its own type, and a voice channel none', async () => {
  const message = await post('news');
  expect(await start(message.id, { name: 'News' }, 'news')).toMatchObject({ id: message.id, type: 10 });
  const spoken = await post('voice');
  expect(await codeOf(start(spoken.id, { name: 'Voice' }, 'voice'))).toBe(50024);
  expect(await codeOf(start('1', { name: 'Nothing' }))).toBe(10008);
});

test('starting, adding and removing each need their permission', async () => {
  const message = await post();
  allow(MEANT & ~Bits.CreatePublicThreads);
  expect(await codeOf(start(message.id))).toBe(50013);
  allow(MEANT & ~Bits.SendMessagesInThreads);
  expect(await codeOf(start(message.id))).toBe(0);
  expect(await codeOf(add(message.id))).toBe(50013);
  allow(MEANT);
  expect(await codeOf(add(message.id, emulator.applicationId))).toBe(0);
  expect(await codeOf(add(message.id, '1'))).toBe(10007);
  expect(await codeOf(add(message.id))).toBe(0);
  expect(await codeOf(remove(message.id))).toBe(50013);
  allow(MEANT | Bits.ManageThreads);
  expect(await codeOf(remove(message.id))).toBe(0);
  expect(await codeOf(remove(message.id))).toBe(10007);
});

test('only its creator or a moderator edits a thread, and only a moderator locks it', async () => {
  const foreign = emulator.addChannel(guildId, { name: 'tonight', type: 11, parentId: channelIds['ops'] ?? null });
  expect(await codeOf(edit(foreign, { archived: true }))).toBe(50013);
  const message = await post();
  await start(message.id);
  expect(await codeOf(edit(message.id, { locked: true }))).toBe(50013);
  emulator.updateChannel(guildId, message.id, { archived: true, locked: true });
  expect(await codeOf(edit(message.id, { archived: false }))).toBe(50013);
  allow(MEANT | Bits.ManageThreads);
  expect(await codeOf(edit(message.id, { archived: false, locked: false }))).toBe(0);
  expect(await codeOf(edit(foreign, { archived: true }))).toBe(0);
});

test.each([
  ['no name', { name: '' }],
  ['a blank name', { name: '   ' }],
  ['a name of 101 characters', { name: 'x'.repeat(101) }],
  ['a time that Discord does not offer', { name: 'Op', auto_archive_duration: 61 }],
])('%s is refused', async (_what, body) => {
  const message = await post();
  expect(await codeOf(start(message.id, body))).toBe(50035);
  expect(await codeOf(start(message.id, { name: 'x'.repeat(100), auto_archive_duration: 10_080 }))).toBe(0);
});
