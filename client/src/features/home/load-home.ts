import { queryUtils, start } from '#client/lib/query-utils.ts';
import { WINDOW_DAYS } from '#shared/limits.ts';

/** Starts to load what /home shows first. @param viewerId the signed-in pilot */
export function loadHome(viewerId: string): void {
  const { availability, pilot } = queryUtils;
  start(
    pilot.inbox.ensureData(),
    pilot.inbox.ensureData({ includeCompleted: true }),
    pilot.accepted.ensureData(),
    pilot.inboxStatus.ensureData(),
    pilot.status.ensureData({ id: viewerId }),
    pilot.stats.ensureData(),
    availability.aircraft.ensureData({ activeOnly: true }),
    availability.window.ensureData({ id: viewerId, days: WINDOW_DAYS.initial }),
  );
}
