/** Queries that a live topic refreshes: those that depend on it, with any input, and no others. */
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { createTRPCReact, getQueryKey } from '@trpc/react-query';
import { expect, test, vi } from 'vitest';
import { refreshTopic } from '#client/lib/live-topics.ts';
import type { AppRouter } from '#server/http/routers/app.ts';
import { LIVE_TOPICS, type LiveTopic } from '#shared/live.ts';

const trpc = createTRPCReact<AppRouter>();
const id = 'a';

/** Cached responses by tRPC's keys, as screens have them. */
const HELD = {
  inbox: getQueryKey(trpc.pilot.inbox, undefined, 'query'),
  history: getQueryKey(trpc.pilot.inbox, { includeCompleted: true }, 'query'),
  inboxStatus: getQueryKey(trpc.pilot.inboxStatus, undefined, 'query'),
  accepted: getQueryKey(trpc.pilot.accepted, undefined, 'query'),
  order: getQueryKey(trpc.pilot.order, { id }, 'query'),
  openings: getQueryKey(trpc.pilot.seats.openings, undefined, 'query'),
  swaps: getQueryKey(trpc.pilot.swaps.list, undefined, 'query'),
  partners: getQueryKey(trpc.pilot.swaps.partners, { id }, 'query'),
  notices: getQueryKey(trpc.pilot.notices, undefined, 'query'),
  templates: getQueryKey(trpc.availability.templates, { id }, 'query'),
  window: getQueryKey(trpc.availability.window, { id, days: 7 }, 'query'),
  calendars: getQueryKey(trpc.availability.calendars.list, undefined, 'query'),
  overrides: getQueryKey(trpc.availability.overrides, { id }, 'query'),
  aircraft: getQueryKey(trpc.availability.aircraft, { activeOnly: true }, 'query'),
  types: getQueryKey(trpc.admin.aircraft.list, undefined, 'query'),
  status: getQueryKey(trpc.pilot.status, { id }, 'query'),
  stats: getQueryKey(trpc.pilot.stats, undefined, 'query'),
  week: getQueryKey(trpc.admin.dashboard.weeklySummary, { tz: 'UTC' }, 'query'),
  heat: getQueryKey(trpc.admin.dashboard.heat, { tz: 'UTC', aircraftId: 2 }, 'query'),
  board: getQueryKey(trpc.admin.missionsByDate, { date: '2027-06-10' }, 'query'),
  missionOrders: getQueryKey(trpc.admin.mission.orders, { id }, 'query'),
  pilotSummary: getQueryKey(trpc.admin.pilot.availabilitySummary, { id }, 'query'),
  series: getQueryKey(trpc.admin.series.list, undefined, 'query'),
  missionTemplates: getQueryKey(trpc.admin.missionTemplates.list, undefined, 'query'),
  audit: getQueryKey(trpc.admin.audit, { page: 2 }, 'query'),
  guilds: getQueryKey(trpc.discord.guilds, undefined, 'query'),
  guild: getQueryKey(trpc.discord.guild, { guildId: id }, 'query'),
  settings: getQueryKey(trpc.admin.community.get, undefined, 'query'),
  invites: getQueryKey(trpc.admin.community.invites, undefined, 'query'),
  registration: getQueryKey(trpc.auth.registration, {}, 'query'),
  levels: getQueryKey(trpc.pilot.proficiencies, { id }, 'query'),
  thread: getQueryKey(trpc.pilot.thread.list, { id }, 'query'),
  viewer: ['viewer'],
};

const ORDERS = [
  'inbox',
  'history',
  'inboxStatus',
  'accepted',
  'order',
  'notices',
  'openings',
  'swaps',
  'partners',
  'thread',
];
const AVAILABILITY = ['templates', 'window', 'overrides', 'calendars'];

test.each<[LiveTopic, string[]]>([
  ['orders', ORDERS],
  ['availability', [...AVAILABILITY, 'openings']],
  ['status', ['status', 'window', 'openings']],
  ['stats', ['stats']],
  [
    'missions',
    ['week', 'heat', 'board', 'missionOrders', 'pilotSummary', 'series', 'missionTemplates', 'audit', 'thread'],
  ],
  ['thread', ['thread']],
  ['profile', ['levels', 'accepted', 'order', 'openings', 'swaps', 'partners']],
  ['aircraft', ['aircraft', 'types']],
  ['guilds', ['guilds', 'guild']],
  ['community', ['settings', 'invites', 'registration']],
  [
    'all',
    [
      ...ORDERS,
      ...AVAILABILITY,
      'status',
      'stats',
      'week',
      'heat',
      'board',
      'missionOrders',
      'pilotSummary',
      'series',
      'missionTemplates',
      'audit',
      'levels',
      'aircraft',
      'types',
      'guilds',
      'guild',
      'settings',
      'invites',
      'registration',
    ],
  ],
])('%s', (topic, old) => {
  const client = new QueryClient();
  for (const key of Object.values(HELD)) client.setQueryData(key, {});
  refreshTopic(client, topic);
  const stale = Object.entries(HELD).filter(([, key]) => client.getQueryState(key)?.isInvalidated);
  expect(stale.map(([name]) => name).sort()).toEqual(old.toSorted());
});

test('the cases above cover every topic', () => {
  expect(LIVE_TOPICS).toEqual([
    'orders',
    'availability',
    'status',
    'stats',
    'missions',
    'profile',
    'guilds',
    'aircraft',
    'thread',
    'community',
    'all',
  ]);
});

/** Answers of a server, each given when the test says so. */
function createAnswers() {
  const asked: ((answer: string) => void)[] = [];
  return { asked, ask: () => new Promise<string>((resolve) => asked.push(resolve)) };
}

test('an event during the first fetch of a shown query is not lost: its answer may be older', async () => {
  const client = new QueryClient();
  const { asked, ask } = createAnswers();
  const observer = new QueryObserver(client, { queryKey: HELD.accepted, queryFn: ask });
  const stop = observer.subscribe(() => undefined);
  refreshTopic(client, 'orders');
  asked[0]?.('before the event');
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.('after the event');
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after the event'));
  expect(asked).toHaveLength(2);
  stop();
  client.clear();
});

test('a query that is fetched for the next page stays stale after an event', async () => {
  const client = new QueryClient();
  const { asked, ask } = createAnswers();
  const fetched = client.prefetchQuery({ queryKey: HELD.accepted, queryFn: ask });
  refreshTopic(client, 'orders');
  asked[0]?.('before the event');
  await fetched;
  await vi.waitFor(() => expect(client.getQueryState(HELD.accepted)?.isInvalidated).toBe(true));
  client.clear();
});
