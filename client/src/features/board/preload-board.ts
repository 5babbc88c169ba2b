import { queryClient } from '#client/lib/query-client.ts';
import { queryUtils, start } from '#client/lib/query-utils.ts';
import { viewerQuery } from '#client/lib/session.ts';
import { localDate } from '#shared/clock.ts';
import { ANY_AIRCRAFT_ID } from '#shared/limits.ts';
import { eveningInput } from './evening-input.ts';
import { onlineInput } from './online-figures.ts';
import { readTimesAsk, timesInput } from './times-ask.ts';

/** Starts to load what the board shows of today, ahead of a visit. */
export function preloadBoard(): void {
  const viewer = queryClient.getQueryData(viewerQuery.queryKey);
  if (!viewer) return;
  const { admin, availability } = queryUtils;
  const { dashboard, community } = admin;
  const { timeZone: tz } = viewer;
  const now = new Date();
  const today = localDate(now, tz);
  start(
    community.start.ensureData(),
    dashboard.weeklySummary.ensureData({ startDate: today, tz }),
    dashboard.needs.ensureData(),
    dashboard.fillRate.ensureData({ tz }),
    dashboard.expectedOnline.ensureData(onlineInput(now, today, tz)),
    dashboard.heat.ensureData({ startDate: today, tz, aircraftId: ANY_AIRCRAFT_ID }),
    dashboard.recommendedTimes.ensureData(timesInput(today, tz, readTimesAsk({}, []))),
    admin.missionsByDate.ensureData({ date: today, tz }),
    admin.missions.ensureData(eveningInput(today, tz)),
    admin.warnings.ensureData(),
    community.waiting.ensureData(),
    community.requests.ensureData(),
    availability.aircraft.ensureData({ activeOnly: true }),
  );
}
