/** A large community by a few statements: weekly evenings in ten zones, dated exceptions, levels, live states. */
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { seeded } from './seeded.ts';
import type { Service } from './service.ts';

const clock = (quarters: number): string =>
  `${String(Math.floor((quarters % 96) / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`;

const dateIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Rows per statement, few enough for the time limit of statements. */
const PART = 1_000;
const partsOf = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / PART) }, (_, index) => rows.slice(index * PART, (index + 1) * PART));

/** @returns the pilots' ids */
export async function givenManyPilots({ app }: Pick<Service, 'app'>, size: number, seed = 2026): Promise<string[]> {
  const random = seeded(seed);
  const pilots = Array.from({ length: size }, () => ({
    id: newId(),
    template: newId(),
    zone: random.pick(TIME_ZONES),
  }));
  const slots = pilots.flatMap(({ template }) =>
    [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => {
      if (random.chance(0.1)) return [];
      const start = random.between(60, 84);
      const evening = { start, end: start + random.between(4, 20) };
      const spans = random.chance(0.5) ? [evening] : [evening, { start: 32, end: 32 + random.between(4, 20) }];
      return spans.map((span) => ({
        id: newId(),
        template_id: template,
        weekday,
        start_local: clock(span.start),
        end_local: clock(span.end),
        aircraft_id: random.chance(0.5) ? null : random.between(1, 10),
      }));
    }),
  );
  const exceptions = pilots.flatMap(({ id }) =>
    random.chance(0.2)
      ? [{ id: newId(), user_id: id, date_local: dateIn(random.between(0, 9)), is_away: random.chance(0.7) }]
      : [],
  );
  const levels = pilots.map(({ id }) => ({ user_id: id, aircraft_id: random.between(1, 6) }));
  const busy = pilots.filter(() => random.chance(0.05)).map(({ id }) => ({ id }));
  const json = (rows: unknown) => JSON.stringify(rows);
  const em = app.orm.em.fork();
  for (const statement of [
    sql`insert into app_user (id, email, email_key, display_name, time_zone, roles, created_at, updated_at)
        select id, id || '@example.org', id || '@example.org', 'Pilot ' || left(id::text, 13), zone, '{user}', now(), now()
        from json_to_recordset(${json(pilots)}) as p (id uuid, zone text)`,
    sql`insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
        select template, id, 'Week', true, now(), now() from json_to_recordset(${json(pilots)}) as p (id uuid, template uuid)`,
    ...partsOf(slots).map(
      (part) => sql`insert into availability_slot (id, template_id, weekday, start_local, end_local, aircraft_id)
        select * from json_to_recordset(${json(part)})
          as s (id uuid, template_id uuid, weekday smallint, start_local text, end_local text, aircraft_id int)`,
    ),
    sql`insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
        select id, user_id, date_local, case when is_away then 'unavailable' else 'available' end,
               case when is_away then '00:00' else '10:00' end, case when is_away then '00:00' else '16:00' end, now()
        from json_to_recordset(${json(exceptions)}) as o (id uuid, user_id uuid, date_local date, is_away boolean)`,
    sql`insert into proficiency (user_id, aircraft_id, level, set_by_admin, updated_at)
        select user_id, aircraft_id, 'proficient', false, now()
        from json_to_recordset(${json(levels)}) as l (user_id uuid, aircraft_id int)`,
    sql`insert into pilot_status (user_id, state, updated_at)
        select id, 'dnd', now() from json_to_recordset(${json(busy)}) as b (id uuid)`,
    sql`analyze app_user, availability_template, availability_slot, availability_override`,
  ]) {
    await query(em, statement);
  }
  return pilots.map(({ id }) => id);
}
