/** The emulated Discord with discord.js as the client: it behaves as Discord does. */
import { REST } from '@discordjs/rest';
import { PermissionFlagsBits as Bits, Routes } from 'discord-api-types/v10';
import { DiscordAPIError, Events, type Client, type TextChannel } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectClient } from './emulator/client.ts';
import { timeOf } from './emulator/ids.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator, OverwriteSpec } from './emulator/types.ts';

let emulator: Emulator;
let client: Client<true>;
let rest: REST;
let guild: ReturnType<Emulator['addGuild']>;
const PILOTS = Array.from({ length: 2497 }, (_, index) => ({ username: `pilot-${index}` }));

beforeAll(async () => {
  emulator = await startEmulator({ wideLimits: ['requests'] });
  guild = emulator.addGuild({
    name: 'Coalition Wing',
    roles: [{ name: 'Staff', permissions: Bits.ManageGuild }],
    channels: [
      { name: 'general', topic: 'All of it' },
      { name: 'voice', type: 2 },
      { name: 'news', type: 5 },
    ],
    members: PILOTS,
  });
  client = await connectClient(emulator);
  rest = new REST({ api: emulator.apiUrl, retries: 1, timeout: 500 }).setToken(emulator.token);
});

afterEach(() => {
  emulator.clearFaults();
});

afterAll(async () => {
  await client.destroy();
  expect(emulator.violations).toEqual([]);
  await emulator.stop();
});

const general = () => guild.channelIds['general'] ?? '';
const post = (channelId: string, body: object) =>
  rest.post(Routes.channelMessages(channelId), { body }) as Promise<{ id: string }>;
/** Discord's code when it refuses; 0 when it does not. */
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 0,
    (error: unknown) =>
      error instanceof DiscordAPIError || (error as DiscordAPIError).rawError ? (error as DiscordAPIError).code : error,
  );
const memberId = async (username: string) => {
  const found = await client.guilds.cache.get(guild.id)?.members.fetch({ query: username, limit: 1 });
  return found?.first()?.id ?? '';
};

describe('reading', () => {
  test('the client sees the guild as it is', async () => {
    const seen = client.guilds.cache.get(guild.id);
    expect(seen).toMatchObject({ name: 'Coalition Wing', memberCount: 2499, available: true });
    expect(seen?.channels.cache.map(({ name, type }) => [name, type])).toEqual([
      ['general', 0],
      ['voice', 2],
      ['news', 5],
    ]);
    expect(seen?.roles.cache.map(({ name }) => name).toSorted()).toEqual(['@everyone', 'Staff', 'marshal']);
    expect(client.application.id).toBe(emulator.applicationId);
  });

  test('2,499 members come in three chunks', async () => {
    const chunks: number[] = [];
    client.on(Events.GuildMembersChunk, (members) => chunks.push(members.size));
    const members = await client.guilds.cache.get(guild.id)?.members.fetch();
    expect(members?.size).toBe(2499);
    expect(chunks).toEqual([1000, 1000, 499]);
  });

  test('the application has its flags and the bot its guilds', async () => {
    expect(await rest.get(Routes.currentApplication())).toMatchObject({ id: emulator.applicationId, flags: 1 << 15 });
    expect(await rest.get(Routes.userGuilds())).toMatchObject([{ id: guild.id, permissions: expect.any(String) }]);
    expect(await rest.get(Routes.user())).toMatchObject({ id: emulator.botUserId, bot: true });
  });

  test('a wrong token is refused', async () => {
    const stranger = new REST({ api: emulator.apiUrl }).setToken('not.the.token');
    await expect(stranger.get(Routes.user())).rejects.toMatchObject({ status: 401 });
  });
});

describe('messages', () => {
  test('ids contain the time, sort by it, and page', async () => {
    const channelId = emulator.addChannel(guild.id, { name: 'pages' });
    const before = Date.now();
    const ids: string[] = [];
    for (const content of ['1', '2', '3', '4', '5']) ids.push((await post(channelId, { content })).id);
    expect(timeOf(ids[0] ?? '')).toBeGreaterThanOrEqual(before);
    expect(timeOf(ids[4] ?? '')).toBeLessThanOrEqual(Date.now());
    const page = async (query: Record<string, string>) => {
      const messages = await rest.get(Routes.channelMessages(channelId), { query: new URLSearchParams(query) });
      return (messages as { content: string }[]).map(({ content }) => content).join('');
    };
    expect(await page({})).toBe('54321');
    expect(await page({ limit: '2' })).toBe('54');
    expect(await page({ before: ids[2] ?? '' })).toBe('21');
    expect(await page({ after: ids[1] ?? '', limit: '2' })).toBe('43');
    expect(await page({ around: ids[2] ?? '', limit: '3' })).toBe('432');
  });

  test('the same nonce is the same message, until it is forgotten', async () => {
    const body = { content: 'once', nonce: '4711', enforce_nonce: true };
    const channelId = emulator.addChannel(guild.id, { name: 'nonces' });
    const [first, second] = [await post(channelId, body), await post(channelId, { ...body, content: 'twice' })];
    expect(second.id).toBe(first.id);
    await post(channelId, { content: 'not enforced', nonce: '4711' });
    emulator.forgetNonces();
    await post(channelId, body);
    expect(emulator.messages(channelId).map(({ content }) => content)).toEqual(['once', 'not enforced', 'once']);
  });

  test.each([
    ['nothing said', undefined, 1, true],
    ['parse nothing', { parse: [] }, 0, false],
    ['people only', { parse: ['users'] }, 1, false],
    ['everyone only', { parse: ['everyone'] }, 0, true],
    ['somebody else', { users: ['1'] }, 0, false],
  ])('who is pinged: %s', async (_rule, allowed, people, everyone) => {
    const pilot = await memberId('pilot-7');
    const { id } = await post(general(), { content: `@everyone <@${pilot}>`, allowed_mentions: allowed });
    const message = emulator.messages(general()).find((one) => one.id === id);
    expect(message?.mentions).toHaveLength(people);
    expect(message?.mentionsEveryone).toBe(everyone);
  });

  test('the bot edits and deletes its own messages only', async () => {
    const { id } = await post(general(), { content: 'before' });
    await rest.patch(Routes.channelMessage(general(), id), { body: { content: 'after' } });
    expect(emulator.messages(general()).find((one) => one.id === id)).toMatchObject({
      content: 'after',
      editedAt: expect.any(String),
    });
    await rest.delete(Routes.channelMessage(general(), id));
    expect(await codeOf(rest.get(Routes.channelMessage(general(), id)))).toBe(10008);
    expect(await codeOf(post(general(), { content: '  ' }))).toBe(50006);
  });
});

describe('permissions', () => {
  const deny = (id: string, denied: bigint, type: 0 | 1 = 0): OverwriteSpec => ({ id, type, deny: denied });

  test.each<
    [
      rule: string,
      overwrites: (ids: { everyone: string; bot: string }) => OverwriteSpec[],
      code: number,
      embedCode: number,
    ]
  >([
    ['nothing is denied', () => [], 0, 0],
    ['everyone may not see', ({ everyone }) => [deny(everyone, Bits.ViewChannel)], 50001, 50001],
    ['everyone may not send', ({ everyone }) => [deny(everyone, Bits.SendMessages)], 50013, 50013],
    ['everyone may not embed', ({ everyone }) => [deny(everyone, Bits.EmbedLinks)], 0, 50013],
    [
      'the bot itself may, whatever everyone may',
      ({ everyone, bot }) => [deny(everyone, Bits.SendMessages), { id: bot, type: 1, allow: Bits.SendMessages }],
      0,
      0,
    ],
    ['the bot itself may not', ({ bot }) => [deny(bot, Bits.SendMessages, 1)], 50013, 50013],
  ])('%s', async (_rule, overwrites, code, embedCode) => {
    const ids = { everyone: guild.id, bot: emulator.botUserId };
    const channelId = emulator.addChannel(guild.id, { name: 'guarded', overwrites: overwrites(ids) });
    expect(await codeOf(post(channelId, { content: 'hello' }))).toBe(code);
    expect(await codeOf(post(channelId, { embeds: [{ title: 'hello' }] }))).toBe(embedCode);
    // discord.js computes the same from gateway events
    const channel = (await client.channels.fetch(channelId).catch(() => null)) as TextChannel | null;
    const computed = channel?.permissionsFor(client.user);
    const needed = Bits.ViewChannel | Bits.SendMessages;
    expect(computed?.has(needed) ?? false).toBe(code === 0);
    expect(computed?.has(needed | Bits.EmbedLinks) ?? false).toBe(embedCode === 0);
  });

  test('a time-out, a role and an administrator change what the bot may', async () => {
    const inOther = emulator.addGuild({
      name: 'Other',
      everyone: 0n,
      botPermissions: Bits.ViewChannel,
      channels: [{ name: 'a' }],
    });
    const channelId = inOther.channelIds['a'] ?? '';
    const role =
      client.guilds.cache.get(inOther.id)?.roles.botRoleFor(client.user)?.id ?? inOther.roleIds['marshal'] ?? '';
    expect(await codeOf(post(channelId, { content: 'x' }))).toBe(50013);
    emulator.updateRole(inOther.id, role, { permissions: Bits.Administrator });
    expect(await codeOf(post(channelId, { embeds: [{ title: 'x' }] }))).toBe(0);
    emulator.updateRole(inOther.id, role, { permissions: Bits.ViewChannel | Bits.SendMessages });
    expect(await codeOf(post(channelId, { content: 'x' }))).toBe(0);
    expect(await rest.get(Routes.channelMessages(channelId))).toEqual([]);
    const [{ id } = { id: '' }] = emulator.messages(channelId);
    expect(await codeOf(rest.get(Routes.channelMessage(channelId, id)))).toBe(50001);
    expect(await codeOf(rest.patch(Routes.channelMessage(channelId, id), { body: { content: 'y' } }))).toBe(0);
    const timeoutUntil = new Date(Date.now() + 60_000).toISOString();
    emulator.updateMember(inOther.id, emulator.botUserId, { timeoutUntil });
    expect(await codeOf(post(channelId, { content: 'x' }))).toBe(50013);
    emulator.kickBot(inOther.id);
    expect(await codeOf(post(channelId, { content: 'x' }))).toBe(50001);
    emulator.deleteChannel(inOther.id, channelId);
    expect(await codeOf(post(channelId, { content: 'x' }))).toBe(10003);
  });

  test('a thread has its parent’s permissions and its own permission for sending', async () => {
    const overwrites = [deny(guild.id, Bits.SendMessages)];
    const parentId = emulator.addChannel(guild.id, { name: 'parent', overwrites });
    const threadId = emulator.addChannel(guild.id, { name: 'thread', type: 11, parentId });
    expect(await codeOf(post(threadId, { content: 'x' }))).toBe(0);
    emulator.updateChannel(guild.id, parentId, { overwrites: [deny(guild.id, Bits.SendMessagesInThreads)] });
    expect(await codeOf(post(threadId, { content: 'x' }))).toBe(50013);
    expect(await codeOf(post(parentId, { content: 'x' }))).toBe(0);
  });

  test('direct messages can be closed, without a common guild, or open', async () => {
    const pilot = await memberId('pilot-9');
    const { id } = (await rest.post(Routes.userChannels(), { body: { recipient_id: pilot } })) as { id: string };
    expect(await codeOf(post(id, { content: 'x' }))).toBe(0);
    emulator.setClosedDms(pilot, true);
    expect(await codeOf(post(id, { content: 'x' }))).toBe(50007);
    emulator.setClosedDms(pilot, false);
    emulator.removeMember(guild.id, pilot);
    expect(await codeOf(post(id, { content: 'x' }))).toBe(50278);
    expect(emulator.directMessages(pilot)).toHaveLength(1);
  });
});

describe('faults', () => {
  test.each([
    ['a 500 before the work', { kind: 'status', status: 500 }, 1],
    ['a 502 after the work', { kind: 'status', status: 502, when: 'after' }, 2],
    ['a rate limit', { kind: 'rate limit', retryAfterSeconds: 0.05 }, 1],
  ] as const)('%s: the client tries again by itself', async (_rule, fault, posts) => {
    const channelId = emulator.addChannel(guild.id, { name: 'faults' });
    emulator.fail({ ...fault, method: 'POST', path: /messages$/ });
    await post(channelId, { content: 'x' });
    expect(emulator.messages(channelId)).toHaveLength(posts);
    expect(emulator.requests.filter(({ path }) => path.includes(channelId))).toHaveLength(2);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('a connection cut %s the work', async (when, posted) => {
    const channelId = emulator.addChannel(guild.id, { name: 'cut' });
    emulator.fail({ kind: 'drop', when, path: /messages$/, times: 5 });
    await expect(post(channelId, { content: 'x' })).rejects.toThrow(
      /terminated|closed|hang|fetch|ECONNRESET|other side/i,
    );
    expect(emulator.messages(channelId)).toHaveLength(posted);
  });

  test('an answer that never comes, and a custom refusal', async () => {
    emulator.fail({ kind: 'hang', path: /messages$/, times: 2 });
    await expect(post(general(), { content: 'x' })).rejects.toThrow(/abort/i);
    emulator.fail({ kind: 'status', status: 403, code: 50013, message: 'Missing Permissions', path: /messages$/ });
    expect(await codeOf(post(general(), { content: 'x' }))).toBe(50013);
  });
});

describe('scheduled events', () => {
  const hour = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
  const event = () => ({
    name: 'Strike',
    privacy_level: 2,
    entity_type: 3,
    entity_metadata: { location: 'Caucasus' },
    scheduled_start_time: hour(1),
    scheduled_end_time: hour(3),
  });
  const create = (body: object) =>
    rest.post(Routes.guildScheduledEvents(guild.id), { body }) as Promise<{ id: string }>;

  test('are created, started, ended, and never changed again', async () => {
    const { id } = await create(event());
    const change = (body: object) => codeOf(rest.patch(Routes.guildScheduledEvent(guild.id, id), { body }));
    expect(await change({ name: 'Strike II', status: 3 })).toBe(50035);
    expect(await change({ name: 'Strike II' })).toBe(0);
    expect(await change({ status: 2 })).toBe(0);
    expect(await change({ status: 3 })).toBe(0);
    expect(await change({ name: 'Strike III' })).toBe(180000);
    expect(emulator.scheduledEvents(guild.id)).toMatchObject([{ name: 'Strike II', status: 3, location: 'Caucasus' }]);
    await rest.delete(Routes.guildScheduledEvent(guild.id, id));
    expect(await codeOf(rest.get(Routes.guildScheduledEvent(guild.id, id)))).toBe(10070);
  });

  test('are refused in the past, without an end, or without the permission', async () => {
    expect(await codeOf(create({ ...event(), scheduled_start_time: hour(-1) }))).toBe(50035);
    expect(await codeOf(create({ ...event(), scheduled_end_time: undefined }))).toBe(50035);
    expect(await codeOf(create({ ...event(), scheduled_end_time: hour(0.5) }))).toBe(50035);
    const other = emulator.addGuild({ name: 'No events', botPermissions: Bits.ViewChannel });
    expect(await codeOf(rest.post(Routes.guildScheduledEvents(other.id), { body: event() }))).toBe(50013);
  });
});
