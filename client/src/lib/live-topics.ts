import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '#server/http/routers/app.ts';
import type { LiveTopic } from '#shared/live.ts';

type Routers = inferRouterOutputs<AppRouter>;
/** A call by its dotted name, such as `pilot.inbox`. */
type Procedure = { [R in keyof Routers]: `${R}.${keyof Routers[R] & string}` }[keyof Routers];

/** The queries that each topic makes stale. */
const PROCEDURES: Record<Exclude<LiveTopic, 'all'>, readonly Procedure[]> = {
  orders: [
    'pilot.inbox',
    'pilot.inboxStatus',
    'pilot.accepted',
    'pilot.order',
    'pilot.notices',
    'pilot.seats',
    'pilot.swaps',
    'pilot.standing',
    'pilot.missions',
    'pilot.thread',
  ],
  thread: ['pilot.thread'],
  availability: [
    'availability.leave',
    'availability.window',
    'availability.templates',
    'availability.overrides',
    'availability.calendars',
    'pilot.seats',
  ],
  // Find Flight counts as available now.
  status: ['pilot.status', 'availability.window', 'pilot.seats'],
  stats: ['pilot.stats'],
  missions: [
    'admin.dashboard',
    'admin.missionsByDate',
    'admin.mission',
    'admin.missions',
    'admin.missionTemplates',
    'admin.series',
    'admin.pilot',
    'admin.audit',
    'pilot.standing',
    'pilot.missions',
    'pilot.thread',
  ],
  // Missions show the pilot's level; open seats and swaps depend on the aircraft list.
  profile: [
    'auth.secondFactor',
    'pilot.proficiencies',
    'pilot.discord',
    'pilot.accepted',
    'pilot.order',
    'pilot.seats',
    'pilot.swaps',
  ],
  aircraft: ['availability.aircraft', 'admin.aircraft'],
  guilds: ['discord.guilds', 'discord.guild', 'discord.bot'],
  community: ['admin.community', 'admin.bans', 'auth.registration'],
};

/**
 * A query's first fetch is not restarted by an invalidation, nor is one for a page that is not shown yet, and its answer
 * may be older than the event. So the query is invalidated again once that fetch has ended.
 */
function invalidateAfterFetch(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    const isRestarted = query.isActive() && query.state.data !== undefined;
    if (isRestarted || !query.promise) {
      continue;
    }
    const invalidate = () => client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    // a fetch that failed has left nothing that could be old
    void query.promise.then(invalidate, () => undefined);
  }
}

/** Invalidates the queries of a topic: active ones refetch at once, the others when they are next shown. */
export function refreshTopic(client: QueryClient, topic: LiveTopic): void {
  const procedures = topic === 'all' ? Object.values(PROCEDURES).flat() : PROCEDURES[topic];
  for (const procedure of new Set(procedures)) {
    // tRPC's query keys begin with the path, so this matches the call with any input.
    const queryKey = [procedure.split('.')];
    invalidateAfterFetch(client, queryKey);
    void client.invalidateQueries({ queryKey });
  }
}
