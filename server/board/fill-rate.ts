/** The fill rate: how many seats of missions had an accepted pilot when they started, by week. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { addDays, dayBounds, listDates, localDate } from '#server/time/time.ts';
import { FILL_WEEKS } from '#shared/limits.ts';
import type { FillRateDto, fillRateInput } from '#shared/schemas/dashboard.ts';
import { selectMissionCounts } from './dashboard.ts';

const WEEK_DAYS = 7;

/**
 * The last twelve weeks. Each has seven local days and the last one ends today, so that no week is compared with a part of
 * one. Seats are counted as they are now; a mission that has started keeps its seats.
 */
export async function getFillRate(em: Em, { tz }: z.infer<typeof fillRateInput>, now: Date): Promise<FillRateDto> {
  const timeZone = tz ?? 'UTC';
  const from = addDays(localDate(now.getTime(), timeZone), 1 - FILL_WEEKS * WEEK_DAYS);
  const started = { startMs: dayBounds(from, timeZone).startMs, endMs: now.getTime() + 1 };
  const missions = await selectMissionCounts(em, started).where('m.is_practice', '=', false).execute();
  const byDate = Map.groupBy(missions, ({ startMs }) => localDate(startMs, timeZone));
  return {
    timeZone,
    weeks: Array.from({ length: FILL_WEEKS }, (_, week) => {
      const dates = listDates(addDays(from, week * WEEK_DAYS), WEEK_DAYS);
      const flown = dates.flatMap((date) => byDate.get(date) ?? []);
      return {
        startDate: dates[0] ?? from,
        endDate: dates.at(-1) ?? from,
        missions: flown.length,
        seats: flown.reduce((sum, { seats }) => sum + seats, 0),
        filled: flown.reduce((sum, { accepted }) => sum + accepted, 0),
      };
    }),
  };
}
