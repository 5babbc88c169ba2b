import { describe, expect, test } from 'vitest';
import {
  describeGuildChange,
  foldNames,
  isWholeList,
  shardOf,
  type StoredGuild,
} from '#server/discord/rules/guild-changes.ts';
import type { BotChannel, BotGuild } from '#shared/schemas/bot.ts';

const channel = (id: string, changes: Partial<BotChannel> = {}): BotChannel => ({
  id,
  name: `channel-${id}`,
  type: 'text',
  topic: null,
  position: Number(id),
  isNsfw: false,
  canViewChannel: true,
  canSendMessages: true,
  canEmbedLinks: true,
  isPostable: true,
  ...changes,
});
const silent = { canSendMessages: false, canEmbedLinks: false, isPostable: false };
const seen = (changes: Partial<BotGuild> = {}): BotGuild => ({
  id: '12345',
  name: 'Lantern Wing',
  iconUrl: null,
  memberCount: 10,
  canCreateEvents: true,
  canCreateThreads: true,
  locale: 'en-US',
  systemChannelId: null,
  roles: [],
  channels: [channel('1'), channel('2')],
  ...changes,
});
const stored = (changes: Partial<StoredGuild> = {}): StoredGuild => ({
  name: 'Lantern Wing',
  iconUrl: null,
  status: 'active',
  memberCount: 10,
  defaultSplashChannelId: '1',
  canCreateEvents: true,
  canCreateThreads: true,
  locale: 'en-US',
  missionsChannelId: null,
  channels: [channel('1'), channel('2')],
  ...changes,
});

describe('changes of a guild', () => {
  test('are none when nothing changed, however often it is reported', () => {
    expect(describeGuildChange(stored(), seen())).toEqual({ news: [], defaultSplashChannelId: '1', isVisible: false });
  });

  test.each<[string, StoredGuild | null, BotGuild, string[]]>([
    ['nobody knew it', null, seen(), ['guild_installed']],
    ['it had removed the bot', stored({ status: 'disabled' }), seen(), ['guild_reinstalled']],
    [
      'it had removed the bot, and what changed meanwhile is nobody’s news',
      stored({ status: 'disabled' }),
      seen({ channels: [channel('1'), channel('3')] }),
      ['guild_reinstalled'],
    ],
    ['it was out', stored({ status: 'unavailable' }), seen(), ['guild_available']],
    ['it has another name', stored(), seen({ name: 'Lantern Wing II' }), ['guild_updated']],
    ['it has another icon', stored(), seen({ iconUrl: 'https://cdn.discordapp.com/icons/1/a.png' }), ['guild_updated']],
    ['a channel came', stored(), seen({ channels: [channel('1'), channel('2'), channel('3')] }), ['channel_created']],
    ['a channel went', stored(), seen({ channels: [channel('1')] }), ['channel_deleted']],
    [
      'a channel is called otherwise',
      stored(),
      seen({ channels: [channel('1'), channel('2', { name: 'x' })] }),
      ['channel_updated'],
    ],
    ['a channel only moved', stored(), seen({ channels: [channel('1'), channel('2', { position: 9 })] }), []],
    [
      'a channel fell silent',
      stored(),
      seen({ channels: [channel('1'), channel('2', silent)] }),
      ['channel_permissions_changed'],
    ],
    [
      'the default channel went',
      stored(),
      seen({ channels: [channel('2')] }),
      ['channel_deleted', 'default_channel_lost'],
    ],
  ])('%s', (_why, before, now, types) => {
    expect(describeGuildChange(before, now).news.map(({ type }) => type)).toEqual(types);
  });

  test('name each missing permission in its own line', () => {
    const channels = [
      channel('1', { ...silent, canViewChannel: false }),
      channel('2', silent),
      channel('3', { canEmbedLinks: false, isPostable: false }),
      channel('4', silent),
    ];
    const before = stored({ channels: ['1', '2', '3', '4'].map((id) => channel(id)) });
    expect(describeGuildChange(before, seen({ channels })).news).toEqual([
      expect.objectContaining({
        names: ['channel-1'],
        error: 'The bot can no longer post there: it lacks View Channel.',
      }),
      expect.objectContaining({
        names: ['channel-2', 'channel-4'],
        error: 'The bot can no longer post there: it lacks Send Messages.',
      }),
      expect.objectContaining({
        names: ['channel-3'],
        error: 'The bot can no longer post there: it lacks Embed Links.',
      }),
    ]);
  });
});

describe('the default channel', () => {
  test.each<[string, StoredGuild | null, BotGuild, string | null]>([
    [
      'is the topmost that takes announcements',
      null,
      seen({ channels: [channel('2'), channel('1', silent), channel('3')] }),
      '2',
    ],
    ['is where Discord greets people, if that takes announcements', null, seen({ systemChannelId: '2' }), '2'],
    ['is not where Discord greets people, if that does not', null, seen({ systemChannelId: '9' }), '1'],
    ['stays while it is there, even silent', stored(), seen({ channels: [channel('1', silent), channel('2')] }), '1'],
    ['is another when it is gone', stored(), seen({ channels: [channel('2')] }), '2'],
    ['is none when none is left', stored(), seen({ channels: [channel('2', silent)] }), null],
  ])('%s', (_rule, before, now, id) => expect(describeGuildChange(before, now).defaultSplashChannelId).toBe(id));
});

test.each([
  // Discord's formula (id >> 22) % shards, computed by another program
  ['197038439483310086', 1, 0],
  ['197038439483310086', 2, 0],
  ['197038439483310086', 16, 2],
  // too large for an exact JavaScript number
  ['9000000000000000001', 1000, 914],
  ['not-a-snowflake', 4, null],
])('%s is on shard … of %i', (id, shards, shard) => {
  expect(shardOf(id, shards)).toBe(shard);
});

test.each<[string | null, string[], string | null]>([
  [null, ['viper'], 'viper'],
  [null, ['viper', 'jester'], '2 members'],
  ['viper', ['viper'], null],
  ['viper', ['jester'], '2 members'],
  ['2 members', ['merlin', 'goose'], '4 members'],
  ['4 members', [], null],
  ['49 members', ['cougar'], '50 members'],
])('a run "%s" with %j more reads "%s"', (before, names, data) =>
  expect(foldNames(before, names, 'members')).toBe(data),
);

test.each([
  [7, 10, true],
  [6, 10, false],
  [0, 0, true],
  [0, 1, false],
  [12, 10, true],
])('a list of %i members where %i are stored is accepted: %s', (count, known, isBelieved) => {
  expect(isWholeList(count, known)).toBe(isBelieved);
});
