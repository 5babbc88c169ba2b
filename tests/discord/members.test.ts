/** Members and moderators of a Discord server, kept in step with Discord. */
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerCalls, type ServerCalls } from '#bot/server.ts';
import { query, sql } from '#server/schema/query.ts';
import { CHUNK_MAX, type BotMember } from '#shared/schemas/bot.ts';
import { openStream } from '#tests/harness/stream.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import type { Snowflake } from './emulator/types.ts';
import {
  eventually,
  givenDiscordGuild,
  givenLinkedPilot,
  listEvents,
  listMembers,
  readGuild,
  startDiscord,
  type DiscordWorld,
} from './given.ts';

const INSTANCE = 'members-test';

let world: DiscordWorld;
beforeAll(async () => {
  world = await startDiscord();
});
afterAll(() => world.stop());

const moderatorsOf = async (guildId: Snowflake) =>
  (await listMembers(world, guildId)).filter(({ isModerator }) => isModerator).map(({ name }) => name);
const eventsOf = async (guildId: Snowflake, type: string) =>
  (await listEvents(world, guildId)).filter((event) => event.type === type);

describe('moderators', () => {
  test('are the owner and members who may manage the server or time members out, and follow roles', async () => {
    const { emulator } = world;
    const { id, roleIds } = await givenDiscordGuild(world, {
      ownerId: '600000000000000001',
      roles: [
        { id: '600000000000000011', name: 'Command', permissions: Bits.ManageGuild },
        { id: '600000000000000012', name: 'Police', permissions: Bits.ModerateMembers },
        { id: '600000000000000013', name: 'Root', permissions: Bits.Administrator },
        { id: '600000000000000014', name: 'Kitchen', permissions: Bits.ManageMessages },
      ],
      members: [
        { id: '600000000000000001', username: 'a.owner' },
        { id: '600000000000000002', username: 'b.command', roles: ['600000000000000011'] },
        { username: 'c.police', roles: ['600000000000000012'] },
        { username: 'd.root', roles: ['600000000000000013'] },
        { id: '600000000000000005', username: 'e.kitchen', roles: ['600000000000000014'] },
        { username: 'f.nobody' },
      ],
    });
    expect(await moderatorsOf(id)).toEqual(['a.owner', 'b.command', 'c.police', 'd.root']);

    // the role loses the permission, and so do its members
    emulator.updateRole(id, roleIds.Command ?? '', { permissions: Bits.ManageMessages });
    await eventually(async () => expect(await moderatorsOf(id)).toEqual(['a.owner', 'c.police', 'd.root']));
    expect(await eventsOf(id, 'moderator_changed')).toMatchObject([{ data: 'b.command' }]);
    // a member is given one that has it
    emulator.updateMember(id, '600000000000000005', { roles: [roleIds.Police ?? ''] });
    await eventually(async () =>
      expect(await moderatorsOf(id)).toEqual(['a.owner', 'c.police', 'd.root', 'e.kitchen']),
    );
    expect(await eventsOf(id, 'moderator_changed')).toMatchObject([{ data: '2 members' }]);
    // and a role is deleted
    emulator.deleteRole(id, roleIds.Police ?? '');
    await eventually(async () => expect(await moderatorsOf(id)).toEqual(['a.owner', 'd.root']));
    emulator.removeMember(id, '600000000000000002');
    await eventually(async () => expect(await eventsOf(id, 'member_left')).toMatchObject([{ data: 'b.command' }]));
  });
});

describe('a member who leaves', () => {
  test("is marked as left and keeps the account; a return clears the mark, and admins' pages are updated both times", async () => {
    const { emulator, service } = world;
    const { id } = await givenDiscordGuild(world);
    const pilot = await givenLinkedPilot(world, id);
    const row = async () => (await listMembers(world, id)).find((member) => member.id === pilot.discordUserId);
    await eventually(async () => expect(await row()).toMatchObject({ hasLeft: false }));
    const admin = await givenAdmin(service);
    const stream = await openStream(service, admin.client.cookie());
    await stream.next('all');
    emulator.removeMember(id, pilot.discordUserId);
    await stream.next('guilds');
    await eventually(async () => expect(await row()).toMatchObject({ hasLeft: true }));
    expect((await pilot.client.call('GET', '/auth/me')).body.id).toBe(pilot.id);
    const em = service.app.orm.em.fork();
    const linked = await query(em, sql`select 1 as one from discord_account where user_id = ${pilot.id}`);
    expect(linked).toHaveLength(1);
    emulator.addMember(id, { id: pilot.discordUserId, username: pilot.discordUsername });
    await stream.next('guilds');
    await eventually(async () => expect(await row()).toMatchObject({ hasLeft: false }));
    expect((await eventsOf(id, 'member_joined')).map(({ data }) => data)).toEqual([pilot.discordUsername]);
    stream.close();
  });
});

describe('a list of all members', () => {
  let calls: ServerCalls;
  let discord: DiscordWorld;
  beforeAll(async () => {
    // only this file makes calls of the bot here
    discord = await startDiscord({ withBot: false });
    calls = createServerCalls(discord.service.url, discord.service.app.botToken);
    expect((await calls.sync.beat.mutate({ instanceId: INSTANCE, state: null })).isActing).toBe(true);
  });
  afterAll(() => discord.stop());

  const member = (n: number, changes: Partial<BotMember> = {}): BotMember => ({
    discordUserId: String(500_000 + n),
    discordUsername: `pilot.${String(n).padStart(5, '0')}`,
    isBot: false,
    isModerator: false,
    joinedAt: '2026-03-01T12:00:00.000Z',
    ...changes,
  });
  const members = (count: number) => Array.from({ length: count }, (_, n) => member(n));
  /** As the bot sends it: in parts, by id. */
  async function sync(guildId: string, list: BotMember[]): Promise<{ isTaken: boolean }> {
    let after: string | null = null;
    let isNewList = false;
    for (let at = 0; ; at += CHUNK_MAX.members) {
      const part = list.slice(at, at + CHUNK_MAX.members);
      const isLast = at + CHUNK_MAX.members >= list.length;
      const through: string | null = isLast ? null : (part.at(-1)?.discordUserId ?? null);
      const sent = { instanceId: INSTANCE, guildId, total: list.length, after, through, isNewList, members: part };
      const answer = await calls.sync.syncMembers.mutate(sent);
      if (isLast || !answer.isTaken) return { isTaken: answer.isTaken };
      ({ isNewList } = answer);
      after = through;
    }
  }
  let guilds = 0;
  async function givenGuild(memberCount: number): Promise<string> {
    guilds += 1;
    const id = String(8_000_000 + guilds);
    const guild = {
      id,
      name: `Wing ${guilds}`,
      iconUrl: null,
      memberCount,
      canCreateEvents: true,
      locale: 'en-US',
      systemChannelId: null,
    };
    await calls.sync.saveGuild.mutate({ instanceId: INSTANCE, guild: { ...guild, channels: [] }, cause: 'installed' });
    return id;
  }
  const present = async (guildId: string) =>
    (await listMembers(discord, guildId)).filter(({ hasLeft }) => !hasLeft).length;

  test.each([
    ['70 %, the least that is believed', 7, true],
    ['less than 70 %', 6, false],
    ['nobody at all', 0, false],
  ])('of %s of ten known members', async (_what, count, isTaken) => {
    const id = await givenGuild(10);
    expect(await sync(id, members(10))).toEqual({ isTaken: true });
    expect(await sync(id, members(count))).toEqual({ isTaken });
    expect(await present(id)).toBe(isTaken ? count : 10);
    const failed = (await listEvents(discord, id)).filter(({ type }) => type === 'members_sync_failed');
    expect(failed).toEqual(
      isTaken
        ? []
        : [
            {
              type: 'members_sync_failed',
              data: `${count} of 10 members`,
              error: 'Discord sent far fewer members than are known, so nothing was changed.',
            },
          ],
    );
  });

  test("that is shorter is believed only when Discord's count agrees", async () => {
    const id = await givenGuild(10);
    await sync(id, members(10));
    for (const _time of [1, 2, 3]) expect(await sync(id, members(4))).toEqual({ isTaken: false });
    await calls.sync.saveMembers.mutate({
      instanceId: INSTANCE,
      guildId: id,
      changed: [],
      joinedIds: [],
      leftIds: [],
      memberCount: 4,
    });
    expect(await sync(id, members(3))).toEqual({ isTaken: false });
    expect(await sync(id, members(4))).toEqual({ isTaken: true });
    expect(await present(id)).toBe(4);
    expect((await listEvents(discord, id)).filter(({ type }) => type === 'member_left')).toMatchObject([
      { data: '6 members' },
    ]);
  });

  test('of 12,000 is stored within the time of a call, and a second time without rewriting known rows', async () => {
    const id = await givenGuild(12_000);
    expect(await sync(id, members(12_000))).toEqual({ isTaken: true });
    expect(await present(id)).toBe(12_000);
    const em = discord.service.app.orm.em.fork();
    const last = async () => {
      const [row] = await query<{ at: string }>(
        em,
        sql`select max(updated_at)::text as at from guild_member where guild_id = ${id}`,
      );
      return row?.at;
    };
    const before = await last();
    await sync(id, members(12_000));
    expect(await last()).toBe(before);
  });

  test('marks who has left in the part where the id belongs, and nobody before the parts that are missing came', async () => {
    const id = await givenGuild(2_500);
    const all = members(2_500);
    await sync(id, all);
    const gone = new Set([3, 1_500, 2_499].map((n) => member(n).discordUserId));
    const rest = all.filter(({ discordUserId }) => !gone.has(discordUserId));
    const first = rest.slice(0, CHUNK_MAX.members);
    const through = first.at(-1)?.discordUserId ?? '';
    const part = { instanceId: INSTANCE, guildId: id, total: rest.length, after: null, through, isNewList: false };
    await calls.sync.syncMembers.mutate({ ...part, members: first });
    expect(await present(id)).toBe(2_499);
    expect(await sync(id, rest)).toEqual({ isTaken: true });
    expect(await present(id)).toBe(2_497);
    expect((await listEvents(discord, id)).filter(({ type }) => type === 'member_left')).toMatchObject([
      { data: '3 members' },
    ]);
    expect((await listEvents(discord, id)).filter(({ type }) => type === 'member_joined')).toEqual([]);
  });

  test('keeps names as plain text', async () => {
    const id = await givenGuild(2);
    const names = ['@everyone', '<b>bold</b>', "Robert'); drop table guild;--", 'null\0byte', 'half\ud800'];
    await sync(
      id,
      names.map((discordUsername, n) => member(n, { discordUsername })),
    );
    expect((await listMembers(discord, id)).map(({ name }) => name).toSorted()).toEqual(
      ['@everyone', '<b>bold</b>', "Robert'); drop table guild;--", 'nullbyte', 'half\ufffd'].toSorted(),
    );
  });

  test('counts repeated joins and leaves once', async () => {
    const id = await givenGuild(3);
    await sync(id, members(3));
    const change = {
      instanceId: INSTANCE,
      guildId: id,
      changed: [member(7, { discordUsername: 'kessel' })],
      joinedIds: [member(7).discordUserId],
      leftIds: [member(0).discordUserId],
      memberCount: 3,
    };
    for (const _time of [1, 2]) await calls.sync.saveMembers.mutate(change);
    const events = (await listEvents(discord, id)).filter(({ type }) => type.startsWith('member_'));
    expect(events).toMatchObject([
      { type: 'member_joined', data: 'kessel' },
      { type: 'member_left', data: 'pilot.00000' },
    ]);
  });

  test('of an unknown guild changes nothing', async () => {
    expect(await sync('8999999', members(3))).toEqual({ isTaken: true });
    expect(await readGuild(discord, '8999999')).toBeUndefined();
    expect(await present('8999999')).toBe(0);
  });
});
