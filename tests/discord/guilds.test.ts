/** A bot that is installed, removed and installed again: the stored guilds match Discord's. */
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenPostRow, postsWithState } from '#tests/harness/discord-posts.ts';
import { purgeOldGuilds } from '#server/discord/guilds/guild-sync.ts';
import type { Snowflake } from './emulator/types.ts';
import {
  eventually,
  givenDiscordGuild,
  listChannels,
  listEvents,
  listMembers,
  readGuild,
  startDiscord,
  type DiscordWorld,
} from './given.ts';

const INVITED = 17_867_064_036_352n;

let world: DiscordWorld;
let early: Snowflake;
beforeAll(async () => {
  world = await startDiscord({
    before(emulator) {
      early = emulator.addGuild({ name: 'Early Birds', channels: [{ name: 'general' }] }).id;
    },
  });
});
afterAll(() => world.stop());

const typesOf = async (guildId: Snowflake) => (await listEvents(world, guildId)).map(({ type }) => type);
const postable = async (guildId: Snowflake) =>
  (await listChannels(world, guildId)).filter(({ isPostable }) => isPostable).map(({ name }) => name);

describe('a bot that is installed', () => {
  test('before it was started, is in that guild once online', async () => {
    expect(await readGuild(world, early)).toMatchObject({ name: 'Early Birds', status: 'active' });
    await eventually(async () => expect(await typesOf(early)).toEqual(['guild_installed', 'members_synced']));
  });

  test('while it is online, stores the guild with its channels from top to bottom, and its members', async () => {
    const { emulator } = world;
    const { id } = emulator.addGuild({
      name: 'Lantern Wing',
      isInstalled: false,
      channels: [
        { id: '700000000000000001', name: 'Squadron', type: 4, position: 0 },
        { name: 'voice', type: 2, position: 0, parentId: '700000000000000001' },
        { name: 'briefs', type: 5, position: 5, parentId: '700000000000000001', topic: 'Every tasking' },
        { name: 'rules', position: 3, overwrites: [] },
        { name: 'charts', type: 15, position: 1 },
      ],
      members: [{ username: 'vesper' }, { username: 'mara' }, { username: 'lamplighter', isBot: true }],
    });
    emulator.installBot(id);
    await eventually(async () => expect(await typesOf(id)).toEqual(['guild_installed', 'members_synced']));
    expect(await listChannels(world, id)).toMatchObject([
      { name: 'charts', type: 'forum', isPostable: false },
      { name: 'rules', type: 'text', isPostable: true },
      { name: 'briefs', type: 'announcement', isPostable: true, topic: 'Every tasking' },
      { name: 'voice', type: 'other', isPostable: false },
    ]);
    const rules = (await listChannels(world, id)).find(({ name }) => name === 'rules');
    expect(await readGuild(world, id)).toMatchObject({
      status: 'active',
      memberCount: 5,
      defaultSplashChannelId: rules?.id,
      canCreateEvents: true,
    });
    const names = (await listMembers(world, id)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['vesper', 'mara', 'lamplighter']));
  });

  test('is in the guild once, although Discord sends every event twice', async () => {
    const { emulator } = world;
    emulator.duplicateEvents(true);
    const { id } = await givenDiscordGuild(world, { name: 'Echo Wing' });
    emulator.addMember(id, { username: 'parrot' });
    emulator.addChannel(id, { name: 'echoes' });
    await eventually(async () => expect(await typesOf(id)).toContain('channel_created'));
    await eventually(async () => expect(await typesOf(id)).toContain('member_joined'));
    emulator.duplicateEvents(false);
    // the last event proves that all earlier ones have arrived
    emulator.renameGuild(id, 'Echo Wing II');
    await eventually(async () => expect(await typesOf(id)).toContain('guild_updated'));
    const types = await typesOf(id);
    expect(types.toSorted()).toEqual([
      'channel_created',
      'guild_installed',
      'guild_updated',
      'member_joined',
      'members_synced',
    ]);
    expect((await listEvents(world, id)).find(({ type }) => type === 'member_joined')?.data).toBe('parrot');
  });
});

describe('a bot that is removed', () => {
  test('no longer posts there, keeps the data, and keeps its first install date when it returns', async () => {
    const { emulator, service } = world;
    const { id, channelIds } = await givenDiscordGuild(world, { members: [{ username: 'gorse' }] });
    const before = await readGuild(world, id);
    const members = await listMembers(world, id);
    const em = service.app.orm.em.fork();
    const place = { guildId: id, channelId: channelIds.general ?? '' };
    await query(em, givenPostRow({ kind: 'registration', dedupeKey: `registration:${id}`, ...place, state: 'queued' }));

    emulator.kickBot(id);
    await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ status: 'disabled' }));
    expect(await readGuild(world, id)).toEqual({
      ...before,
      status: 'disabled',
      isDisabled: true,
      canCreateEvents: false,
      canCreateThreads: false,
    });
    expect(await listMembers(world, id)).toEqual(members);
    const [message] = await query<{ state: string }>(
      em,
      sql`select state from ${postsWithState} where guild_id = ${id}`,
    );
    expect(message?.state).toBe('dropped');

    emulator.installBot(id);
    await eventually(async () => expect(await readGuild(world, id)).toEqual(before));
    expect(await typesOf(id)).toEqual(
      expect.arrayContaining(['guild_installed', 'guild_removed', 'guild_reinstalled']),
    );
  });

  test('is forgotten thirty days later, and not before', async () => {
    const { emulator, service } = world;
    const { id } = await givenDiscordGuild(world, { name: 'Old Harbour' });
    emulator.kickBot(id);
    await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ status: 'disabled' }));
    const em = service.app.orm.em.fork();
    const age = (days: number) =>
      query(em, sql`update guild set disabled_at = now() - make_interval(days => ${days}) where id = ${id}`);
    await age(29);
    await purgeOldGuilds(em);
    expect(await readGuild(world, id)).toBeDefined();
    await age(31);
    await purgeOldGuilds(em);
    expect(await readGuild(world, id)).toBeUndefined();
    expect(await listMembers(world, id)).toEqual([]);
    expect(await readGuild(world, early)).toMatchObject({ status: 'active' });
  });
});

test('an outage changes the status and nothing else', async () => {
  const { emulator } = world;
  const { id } = await givenDiscordGuild(world, { members: [{ username: 'ostara' }] });
  const stored = async () => ({
    guild: await readGuild(world, id),
    channels: await listChannels(world, id),
    members: await listMembers(world, id),
  });
  const before = await stored();
  emulator.setOutage(id, true);
  await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ status: 'unavailable' }));
  expect(await stored()).toEqual({ ...before, guild: { ...before.guild, status: 'unavailable' } });
  emulator.setOutage(id, false);
  await eventually(async () => expect(await stored()).toEqual(before));
  const types = await typesOf(id);
  expect(types.filter((type) => type.endsWith('available'))).toEqual(['guild_unavailable', 'guild_available']);
});

describe('what the bot may do', () => {
  test('follows a role: without Embed Links no channel takes announcements, and admins are told which permission is missing', async () => {
    const { emulator } = world;
    const { id, roleIds } = await givenDiscordGuild(world, { everyone: Bits.ViewChannel });
    expect(await postable(id)).toEqual(['general', 'briefs']);
    const own = Object.entries(roleIds).find(([name]) => name !== '@everyone')?.[1] ?? '';
    emulator.updateRole(id, own, { permissions: INVITED & ~Bits.EmbedLinks });
    await eventually(async () => expect(await postable(id)).toEqual([]));
    expect(await listChannels(world, id)).toMatchObject([
      { canSendMessages: true, canEmbedLinks: false },
      { canSendMessages: true, canEmbedLinks: false },
    ]);
    expect(await listEvents(world, id)).toContainEqual({
      type: 'channel_permissions_changed',
      data: '2 channels',
      error: 'The bot can no longer post there: it lacks Embed Links.',
    });
    emulator.updateRole(id, own, { permissions: INVITED });
    await eventually(async () => expect(await postable(id)).toEqual(['general', 'briefs']));
  });

  test('follows channel overwrites, in that channel only', async () => {
    const { emulator } = world;
    const { id, channelIds } = await givenDiscordGuild(world);
    const deny = { id: emulator.botUserId, type: 1, deny: Bits.SendMessages } as const;
    emulator.updateChannel(id, channelIds.general ?? '', { overwrites: [deny] });
    await eventually(async () => expect(await postable(id)).toEqual(['briefs']));
    emulator.updateChannel(id, channelIds.general ?? '', { overwrites: [] });
    await eventually(async () => expect(await postable(id)).toEqual(['general', 'briefs']));
    // a private channel of which the bot is not a member
    emulator.updateChannel(id, channelIds.briefs ?? '', { overwrites: [{ id, type: 0, deny: Bits.ViewChannel }] });
    await eventually(async () =>
      expect((await listEvents(world, id)).at(-1)).toEqual({
        type: 'channel_permissions_changed',
        data: 'briefs',
        error: 'The bot can no longer post there: it lacks View Channel.',
      }),
    );
  });

  test('an administrator needs no other permission', async () => {
    const { id } = await givenDiscordGuild(world, { everyone: 0n, botPermissions: Bits.Administrator });
    expect(await postable(id)).toEqual(['general', 'briefs']);
  });

  test('is nothing while it is timed out, and complete again afterwards', async () => {
    const { emulator } = world;
    const { id } = await givenDiscordGuild(world);
    emulator.updateMember(id, emulator.botUserId, { timeoutUntil: new Date(Date.now() + 3_600_000).toISOString() });
    await eventually(async () => expect(await postable(id)).toEqual([]));
    expect(await readGuild(world, id)).toMatchObject({ canCreateEvents: false });
    emulator.updateMember(id, emulator.botUserId, { timeoutUntil: null });
    await eventually(async () => expect(await postable(id)).toEqual(['general', 'briefs']));
    // Discord is silent when a time-out runs out
    emulator.updateMember(id, emulator.botUserId, { timeoutUntil: new Date(Date.now() + 3_000).toISOString() });
    await eventually(async () =>
      expect(await listEvents(world, id)).toContainEqual({
        type: 'channel_permissions_changed',
        data: '4 channels',
        error: 'The bot can no longer post there: it lacks Send Messages.',
      }),
    );
    await eventually(async () => expect(await postable(id)).toEqual(['general', 'briefs']));
  });
});

test('the default channel stays while it exists, and another replaces it when it is deleted', async () => {
  const { emulator } = world;
  const { id, channelIds } = await givenDiscordGuild(world);
  const { general = '', briefs = '' } = channelIds;
  expect(await readGuild(world, id)).toMatchObject({ defaultSplashChannelId: general });
  emulator.updateChannel(id, general, { name: 'hangar' });
  emulator.updateChannel(id, briefs, { position: -1 });
  await eventually(async () =>
    expect((await listChannels(world, id)).map(({ name }) => name)).toEqual(['briefs', 'hangar']),
  );
  expect(await readGuild(world, id)).toMatchObject({ defaultSplashChannelId: general });
  emulator.deleteChannel(id, general);
  await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ defaultSplashChannelId: briefs }));
  expect(await listEvents(world, id)).toEqual(
    expect.arrayContaining([
      { type: 'channel_deleted', data: 'hangar', error: null },
      { type: 'default_channel_lost', data: 'hangar, now briefs', error: null },
    ]),
  );
  emulator.deleteChannel(id, briefs);
  await eventually(async () => expect(await readGuild(world, id)).toMatchObject({ defaultSplashChannelId: null }));
  expect((await listEvents(world, id)).at(-1)).toMatchObject({
    type: 'default_channel_lost',
    error: 'There is no channel left where the bot can post.',
  });
});

test('a thread is listed below its channel, and one of an unknown channel delays nothing', async () => {
  const { emulator } = world;
  const { id, channelIds } = await givenDiscordGuild(world);
  const { general = '', briefs = '' } = channelIds;
  const names = async () => (await listChannels(world, id)).map(({ name }) => name);
  emulator.addChannel(id, { name: 'debrief', type: 11, parentId: general });
  emulator.addChannel(id, { name: 'orphan', type: 11, parentId: '700000000000000099' });
  await eventually(async () => expect(await names()).toEqual(['general', 'debrief', 'briefs']));
  // Discord says nothing of the threads of a channel that is deleted
  emulator.deleteChannel(id, general);
  await eventually(async () => expect(await names()).toEqual(['briefs']));
  expect(await readGuild(world, id)).toMatchObject({ defaultSplashChannelId: briefs });
});
