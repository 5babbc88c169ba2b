/** Availability of many pilots, by a few statements: evenings differ from pilot to pilot and day to day. */
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import type { CrowdPilot } from './crowd.ts';
import type { Service } from './service.ts';

/** Every third pilot flies this one only, the others anything. */
export const CROWD_AIRCRAFT = 2;

/**
 * An active template for each pilot: on five or so days a week from 16:00, 17:00 … 20:00 in UTC for two to four hours.
 * The same crowd always gets the same weeks.
 */
export async function givenWeeks({ app }: Service, pilots: readonly CrowdPilot[]): Promise<void> {
  const em = app.orm.em.fork();
  const templates = pilots.map(({ id }, n) => ({ id: newId(), pilot: id, n }));
  const slots = templates.flatMap(({ id, n }) =>
    Array.from({ length: 7 }, (_day, weekday) => ({ id: newId(), template: id, n, weekday })).filter(
      ({ weekday }) => (n + weekday) % 7 < 5,
    ),
  );
  await query(
    em,
    sql`insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
        select id, pilot, 'Evenings', true, now(), now()
        from unnest(${templates.map(({ id }) => id)}::uuid[], ${templates.map(({ pilot }) => pilot)}::uuid[]) as t (id, pilot)`,
  );
  await query(
    em,
    sql`insert into availability_slot (id, template_id, weekday, start_local, end_local, aircraft_id)
        select id, template, weekday, (16 + n % 5) || ':00', (18 + n % 5 + n % 2) || ':00',
               case when n % 3 = 0 then ${CROWD_AIRCRAFT}::int end
        from unnest(${slots.map(({ id }) => id)}::uuid[], ${slots.map(({ template }) => template)}::uuid[],
                    ${slots.map(({ weekday }) => weekday)}::int[], ${slots.map(({ n }) => n)}::int[]) as s (id, template, weekday, n)`,
  );
}
