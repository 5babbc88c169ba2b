/**
 * Benchmark of a dry run: `node tests/bench/dry-run.ts`. 300 pilots in the ten zones with ten slots a week each, and a
 * mission of 64 seats in eight kinds of aircraft that cannot be filled, so that Marshal searches for alternative times.
 */
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { startTestServer } from '#tests/harness/database.ts';
import { givenAdmin, hoursFromNow } from '#tests/harness/given.ts';
import { startService } from '#tests/harness/service.ts';

const PILOTS = 300;
const KINDS = 8;
const SEATS_EACH = 8;
const RUNS = 20;

const stopServer = await startTestServer();
const service = await startService();
try {
  const em = service.app.orm.em.fork();
  const admin = await givenAdmin(service);
  const ids = (await givenCrowd(service, PILOTS)).map(({ id }) => id);
  await query(
    em,
    sql`update app_user u set time_zone = (${[...TIME_ZONES]}::text[])[1 + n % ${sql.lit(TIME_ZONES.length)}]
        from unnest(${ids}::uuid[]) with ordinality as crowd (id, n) where crowd.id = u.id`,
  );
  await query(
    em,
    sql`insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
        select t, u, 'Week', true, now(), now()
        from unnest(${ids.map(() => newId())}::uuid[], ${ids}::uuid[]) as pair (t, u)`,
  );
  await query(
    em,
    sql`insert into availability_slot (id, template_id, weekday, start_local, end_local, aircraft_id, notes)
        select gen_random_uuid(), t.id, n % 7, lpad((14 + n % 6)::text, 2, '0') || ':00',
               lpad((20 + n % 3)::text, 2, '0') || ':30',
               case when (n + ascii(right(t.id::text, 1))) % 3 = 0 then null
                    else 1 + (n + ascii(right(t.id::text, 1))) % ${sql.lit(KINDS)} end, null
        from availability_template t, generate_series(1, 10) n`,
  );
  const input = {
    startLocal: hoursFromNow(50),
    endLocal: hoursFromNow(53),
    timeZone: 'UTC',
    aircraftSlots: Array.from({ length: KINDS }, (_, index) => ({
      aircraftId: index + 1,
      slotCount: SEATS_EACH,
      side: index % 2,
      notes: 'CAP',
    })),
  };
  const taken: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    const { status, body } = await admin.client.call('POST', '/admin/missions/dry-run', input);
    taken.push(performance.now() - started);
    if (status !== 200) throw new Error(`answered ${status}: ${body.message}`);
    if (run === 0) process.stdout.write(`${body.filled} of ${body.seats} seats, ${body.better.length} better times\n`);
  }
  taken.sort((a, b) => a - b);
  const show = (ms = Number.NaN) => `${Math.round(ms)} ms`;
  process.stdout.write(`${RUNS} dry runs: median ${show(taken[RUNS / 2])}, slowest ${show(taken.at(-1))}\n`);
} finally {
  await service.stop();
  await stopServer();
}
