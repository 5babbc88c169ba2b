/**
 * Benchmark of loading all fairness debts and track records: `node tests/bench/ledger.ts`. 5,000 pilots, all of them
 * willing for 60 missions of 64 seats in the last 90 days, and 300 older missions whose attendance still counts.
 */
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { loadDebts, loadRecords } from '#server/accounts/pilots/fairness.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { startTestServer } from '#tests/harness/database.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { startService } from '#tests/harness/service.ts';

const PILOTS = 5_000;
const MISSIONS = 360;
const COUNTED = 60;
const SEATS = 64;
const RUNS = 20;

const stopServer = await startTestServer();
const service = await startService();
try {
  const em = service.app.orm.em.fork();
  const admin = await givenAdmin(service);
  const ids = (await givenCrowd(service, PILOTS)).map(({ id }) => id);
  const missions = Array.from({ length: MISSIONS }, () => newId());
  await query(
    em,
    sql`insert into mission (id, name, theater, status, starts_at, ends_at, time_zone, created_by_id, created_at, updated_at)
        select id, 'Op ' || n, 'Syria', 'scheduled', now() - n * interval '34 hours', now() - n * interval '34 hours' + interval '2 hours',
               'UTC', ${admin.id}, now(), now()
        from unnest(${missions}::uuid[]) with ordinality as m (id, n)`,
  );
  await query(
    em,
    sql`insert into package (id, mission_id, callsign, objective, side, sort_order)
        select gen_random_uuid(), id, 'ALPHA', 'CAP', 0, 0 from mission`,
  );
  await query(
    em,
    sql`insert into flight (id, mission_id, package_id, slot_index, callsign, aircraft_id, role, side, size_cap, sort_order)
        select gen_random_uuid(), mission_id, id, 0, 'VIPER ' || n, 2, 'CAP', 0, 4, n
        from package, generate_series(1, ${sql.lit(SEATS / 4)}) n`,
  );
  for (const mission of missions.slice(0, COUNTED)) {
    await query(
      em,
      sql`insert into willing_pilot (mission_id, pilot_id) select ${mission}::uuid, id from unnest(${ids}::uuid[]) as p (id)`,
    );
  }
  // the pilots take turns
  await query(
    em,
    sql`insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, reasons, issued_at, expires_at,
                                is_late, attendance, created_at)
        select gen_random_uuid(), f.mission_id, f.id, i, (${ids}::uuid[])[1 + (m.n * ${sql.lit(SEATS)} + f.sort_order * 4 + i) % ${sql.lit(PILOTS)}],
               'issued', case when i = 3 then 'declined' else 'accepted' end, '{}', now(), now(), i = 3,
               case when i < 3 then (array['attended', 'attended', 'no_show'])[1 + i] end, now()
        from flight f join unnest(${missions}::uuid[]) with ordinality as m (id, n) on m.id = f.mission_id,
             generate_series(0, 3) i`,
  );
  await query(
    em,
    sql`insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
        select o.flight_id, o.seat_index, o.pilot_id, o.mission_id, o.id, m.starts_at, m.ends_at
        from frag_order o join mission m on m.id = o.mission_id where o.rsvp = 'accepted'`,
  );
  await query(em, sql`vacuum analyze`);
  for (const [name, load] of [
    ['debts', loadDebts],
    ['records', loadRecords],
  ] as const) {
    const taken: number[] = [];
    let found = 0;
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now();
      found = (await load(em, new Date())).size;
      taken.push(performance.now() - started);
    }
    taken.sort((a, b) => a - b);
    const show = (ms = Number.NaN) => `${ms.toFixed(1)} ms`;
    process.stdout.write(
      `${name} of ${found} pilots: median ${show(taken[RUNS / 2])}, slowest ${show(taken.at(-1))}\n`,
    );
  }
} finally {
  await service.stop();
  await stopServer();
}
