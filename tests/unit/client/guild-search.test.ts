/** Search parameters of a Discord server's page: accepted values, with defaults left out. */
import { expect, test } from 'vitest';
import { readGuildSearch, writeGuildSearch, type GuildView } from '#client/features/discord-servers/guild-search.ts';

const USUAL: GuildView = {
  tab: 'members',
  query: '',
  show: 'all',
  sort: { column: 'name', direction: 'asc' },
  page: 1,
};

test.each<[string, Record<string, unknown>, Partial<GuildView>]>([
  ['nothing', {}, {}],
  ['a tab', { tab: 'events' }, { tab: 'events' }],
  ['a search', { query: 'ember' }, { query: 'ember' }],
  ['digits, which the router reads as a number', { query: 42 }, { query: '42' }],
  ['a filter', { show: 'unregistered' }, { show: 'unregistered' }],
  ['an order', { sort: 'joined' }, { sort: { column: 'joined', direction: 'asc' } }],
  ['an order, last first', { sort: '-joined' }, { sort: { column: 'joined', direction: 'desc' } }],
  ['a page', { page: 3 }, { page: 3 }],
  ['junk', { tab: 'x', query: {}, show: 1, sort: '--name', page: -3 }, {}],
  ['other junk', { tab: [], query: null, show: null, sort: 7, page: '2' }, {}],
  ['no whole page', { page: 1.5 }, {}],
])('%s', (_rule, search, view) => {
  expect(readGuildSearch(search)).toEqual({ ...USUAL, ...view });
});

test('defaults are left out of the address, and every view is restored from it', () => {
  expect(Object.values(writeGuildSearch(USUAL))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  const view: GuildView = {
    tab: 'channels',
    query: 'two words',
    show: 'registered',
    sort: { column: 'updated', direction: 'desc' },
    page: 4,
  };
  expect(readGuildSearch({ ...writeGuildSearch(view) })).toEqual(view);
});
