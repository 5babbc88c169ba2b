/** The fill rate: how many seats of missions had an accepted pilot when they started, by week. */
import type { z } from 'zod';
import { countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { addDays, dayBounds, listDates, localDate } from '#server/time/time.ts';
import { FILL_WEEKS } from '#shared/limits.ts';
import type { FillRateDto, fillRateInput } from '#shared/schemas/dashboard.ts';

const WEEK_DAYS = 7;

/**
 * The last twelve weeks. Each has seven local days and the last one ends today, so that no week is compared with a part of
 * one. Seats are counted as they are now: those of a mission that has started stay.
 */
export async function getFillRate(em: Em, { tz }: z.infer<typeof fillRateInput>, now: Date): Promise<FillRateDto> {
  const timeZone = tz ?? 'UTC';
  const from = addDays(localDate(now.getTime(), timeZone), 1 - FILL_WEEKS * WEEK_DAYS);
  const missions = await db(em)
    .selectFrom('mission as m')
    .select(({ ref, selectFrom }) => [
      ms(ref('m.starts_at')).as('startMs'),
      // looked up by mission: a join would read the seats of all times
      selectFrom('flight as f')
        .select(({ fn, cast, lit }) => cast<number>(fn.coalesce(fn.sum('f.size_cap'), lit(0)), 'integer').as('seats'))
        .whereRef('f.mission_id', '=', 'm.id')
        .$asScalar()
        .$notNull()
        .as('seats'),
      selectFrom('seat as s')
        .innerJoin('frag_order as o', 'o.id', 's.order_id')
        .select(countRows().as('filled'))
        .whereRef('s.mission_id', '=', 'm.id')
        .where('o.rsvp', '=', 'accepted')
        .$asScalar()
        .$notNull()
        .as('filled'),
    ])
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>=', new Date(dayBounds(from, timeZone).startMs))
    .where('m.starts_at', '<=', now)
    .execute();
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
        filled: flown.reduce((sum, { filled }) => sum + filled, 0),
      };
    }),
  };
}
