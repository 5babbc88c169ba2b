/** Series of missions: their rows, and runs of the job that makes them. */
import { query, sql } from '#server/schema/query.ts';
import { runAllSeries } from '#server/missions/series/occurrences.ts';
import type { MissionSeriesDto, OccurrenceDto } from '#shared/schemas/series.ts';
import type { Person } from './given.ts';
import type { Service } from './service.ts';

/** Run the job as if it were so many hours later. */
export const runSeries = ({ app }: Service, hours = 0): Promise<void> =>
  runAllSeries(app.orm.em.fork(), new Date(Date.now() + hours * 3_600_000));

/** The date so many days from today, in UTC. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

export async function readSeries({ client }: Person, id: string): Promise<MissionSeriesDto> {
  const { body } = await client.call('GET', '/admin/series');
  const found = body.find((one: MissionSeriesDto) => one.id === id);
  if (!found) throw new Error('the series is not listed');
  return found;
}

/** The occurrence of a date. */
export async function occurrenceOn(admin: Person, id: string, date: string): Promise<OccurrenceDto> {
  const found = (await readSeries(admin, id)).occurrences.find((one) => one.date === date);
  if (!found) throw new Error(`there is no occurrence on ${date}`);
  return found;
}

/** The missions of a series, by date. */
export const missionsOf = ({ app }: Service, id: string) =>
  query<{ date: string; id: string; status: string; name: string; start: string }>(
    app.orm.em.fork(),
    sql`select o.date_local::text as date, m.id, m.status, m.name, to_char(m.starts_at at time zone 'UTC', 'HH24:MI') as start
        from series_occurrence o join mission m on m.id = o.mission_id where o.series_id = ${id} order by 1`,
  );
