import type { QueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '#server/routers/app.ts';
import type { LiveTopic } from '#shared/live.ts';

type Routers = inferRouterOutputs<AppRouter>;
/** A call by its dotted name, such as `pilot.inbox`. */
type Procedure = { [R in keyof Routers]: `${R}.${keyof Routers[R] & string}` }[keyof Routers];

/** The calls whose answers a change makes old. */
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
  ],
  availability: ['availability.window', 'availability.templates', 'availability.overrides', 'pilot.seats'],
  // While a pilot looks for a flight, now counts as available.
  status: ['pilot.status', 'availability.window', 'pilot.seats'],
  stats: ['pilot.stats'],
  missions: [
    'admin.dashboard',
    'admin.missionsByDate',
    'admin.mission',
    'admin.pilot',
    'admin.audit',
    'pilot.standing',
  ],
  // A level is shown on the missions it is needed for.
  profile: ['pilot.proficiencies', 'pilot.discord', 'pilot.accepted', 'pilot.order'],
  guilds: ['discord.guilds', 'discord.guild', 'discord.bot'],
};

/** Whatever is shown of a topic is read again at once; the rest when it is shown next. `all`: of every topic. */
export function refreshTopic(client: QueryClient, topic: LiveTopic): void {
  const procedures = topic === 'all' ? Object.values(PROCEDURES).flat() : PROCEDURES[topic];
  for (const procedure of new Set(procedures)) {
    // As tRPC builds its keys: the path first, so that the call with any input is meant.
    void client.invalidateQueries({ queryKey: [procedure.split('.')] });
  }
}
