/** The missions of a large community: packages, flights, orders in every state, seats, and who was willing. */
import { THEATERS } from '#shared/vocabulary.ts';
import { LEDGER_DAYS } from '#shared/limits.ts';
import { MISSION_HOURS, texts, type Part, type Shape } from './shape.ts';

const UNITS = 'generate_series($1::bigint, $2::bigint) n';
const FLIGHTS_PER_PACKAGE = 4;

/** What became of an order: of its pilot's seat in a mission that is over or ahead, or of somebody beside it. */
const stateOf = (seats: number) => `case
  when mission_status = 'draft' then 'draft'
  when mission_status = 'cancelled' then 'mission cancelled'
  when k >= ${seats} then case when r < 0.5 then 'standby' when r < 0.7 then 'declined' when is_past then 'expired' else 'shared' end
  when is_past then case when r < 0.8 then 'accepted' when r < 0.88 then 'declined' when r < 0.94 then 'expired' else 'superseded' end
  else case when r < 0.55 then 'accepted' when r < 0.75 then 'pending' when r < 0.85 then 'declined' when r < 0.95 then 'expired' else 'superseded' end
end`;

/** Orders and the seats that they hold, in one statement, so that a chunk has both. */
function orderPart({ orders, ordersEach, flightsEach }: Shape): Part {
  const seats = flightsEach * 4;
  return {
    table: 'frag_order and seat',
    first: 0,
    last: orders - 1,
    chunk: 10_000,
    sql: `
      with numbered as (
        select n, n / ${ordersEach} + 1 as m, n % ${ordersEach} as k, pg_temp.draw('order', n) as r, pg_temp.draw('fate', n) as r2
        from ${UNITS}),
      placed as (
        select o.*, s.starts_at, s.starts_at <= pg_temp.clock_now() as is_past, pg_temp.mission_status(m) as mission_status,
               case when k < ${seats} then k / 4 else k - ${seats} end as f, case when k < ${seats} then k % 4 else 3 end as seat_index,
               least(s.starts_at - interval '5 days', pg_temp.clock_now() - interval '1 hour') - r2 * interval '1 day' as issued_at
        from numbered o, lateral (select pg_temp.mission_start(m) as starts_at) s),
      fated as (select *, ${stateOf(seats)} as fate from placed),
      answered as (
        select *, case when fate in ('accepted', 'declined', 'standby', 'superseded')
                       then issued_at + interval '5 minutes' + r2 * interval '12 hours' end as answered_at
        from fated),
      made as (
        insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, status_reason, rsvp, is_shared_offer, reasons,
                                issued_at, expires_at, read_at, answered_at, accepted_at, confirmed_at, gave_up_at, is_late,
                                attendance, notice_closed_at, created_at)
        select pg_temp.id_of('order', n, issued_at), pg_temp.mission_id(m), pg_temp.flight_id(m, f), seat_index,
               pg_temp.pilot_id(pg_temp.mission_pilot(m, k)),
               case when fate = 'draft' then 'draft' when fate in ('mission cancelled', 'expired', 'superseded') then 'cancelled' else 'issued' end,
               case when fate in ('mission cancelled', 'expired', 'superseded') then fate end,
               case when fate in ('accepted', 'declined', 'standby') then fate
                    when fate = 'superseded' or fate = 'mission cancelled' and r2 < 0.7 then 'accepted' else 'pending' end,
               fate = 'shared' or fate = 'expired' and k >= ${seats}, array['Free at that time', 'Proficient'],
               issued_at,
               case when fate in ('pending', 'shared') then least(starts_at, pg_temp.clock_now() + interval '20 hours') - r2 * interval '1 hour'
                    else issued_at + interval '1 day' end,
               answered_at, answered_at, case when fate in ('accepted', 'superseded') then answered_at end,
               case when fate = 'accepted' and is_past then starts_at - interval '6 hours' end,
               case when fate = 'declined' and r2 < 0.5 then answered_at + interval '1 day' end, fate = 'declined' and r2 < 0.15,
               case when fate = 'accepted' and starts_at + interval '${MISSION_HOURS} hours' < pg_temp.clock_now()
                    then case when r2 < 0.85 then 'attended' when r2 < 0.92 then 'no_show' when r2 < 0.96 then 'excused' end end,
               case when is_past and fate <> 'accepted' then starts_at end, issued_at
        from answered order by n
        returning id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, is_shared_offer),
      held as (
      insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
      select o.flight_id, o.seat_index, o.pilot_id, o.mission_id, o.id, m.starts_at, m.ends_at
      from made o join mission m on m.id = o.mission_id
      where o.status = 'issued' and (o.rsvp = 'accepted' or o.rsvp = 'pending' and not o.is_shared_offer)
      returning 1)
      select ((select count(*) from made) + (select count(*) from held))::int as rows`,
  };
}

export function missionParts(shape: Shape): Part[] {
  const { missions, admins, flightsEach, ordersEach, activePilots } = shape;
  if (missions === 0) return [];
  const each = (table: string, sql: string, chunk = 1_000): Part => ({ table, first: 1, last: missions, chunk, sql });
  const packages = Math.ceil(flightsEach / FLIGHTS_PER_PACKAGE);
  const start = 'pg_temp.mission_start(n)';
  return [
    each(
      'mission',
      `insert into mission (id, name, theater, status, starts_at, ends_at, start_set_at, time_zone, created_by_id, created_at, updated_at)
       select pg_temp.mission_id(n), pg_temp.mission_name(n), pg_temp.pick(${texts(THEATERS)}, pg_temp.draw('theater', n)),
              pg_temp.mission_status(n), ${start}, ${start} + interval '${MISSION_HOURS} hours', ${start} - interval '10 days', 'UTC',
              pg_temp.pilot_id(1 + n % ${admins}), ${start} - interval '10 days', ${start} - interval '10 days'
       from ${UNITS}`,
    ),
    each(
      'aircraft_slot',
      `insert into aircraft_slot (mission_id, sort_order, aircraft_id, slot_count, role, side)
       select pg_temp.mission_id(n), p, 1 + p % 10, 4 * least(${FLIGHTS_PER_PACKAGE}, ${flightsEach} - p * ${FLIGHTS_PER_PACKAGE}), 'CAP', p % 2
       from ${UNITS}, generate_series(0, ${packages - 1}) p`,
    ),
    each(
      'package',
      `insert into package (id, mission_id, callsign, objective, side, sort_order)
       select pg_temp.package_id(n, p), pg_temp.mission_id(n), 'PACKAGE ' || p, 'CAP', p % 2, p
       from ${UNITS}, generate_series(0, ${packages - 1}) p`,
    ),
    each(
      'flight',
      `insert into flight (id, mission_id, package_id, slot_index, callsign, aircraft_id, role, side, launch_at, tot_at, radio_freq, size_cap, sort_order)
       select pg_temp.flight_id(n, f), pg_temp.mission_id(n), pg_temp.package_id(n, p), p, 'VIPER ' || f, 1 + p % 10, 'CAP', p % 2,
              ${start}, ${start} + interval '1 hour', '251.000', 4, f
       from ${UNITS}, generate_series(0, ${flightsEach - 1}) f, lateral (select f / ${FLIGHTS_PER_PACKAGE} as p) package`,
    ),
    orderPart(shape),
    each(
      'willing_pilot',
      `insert into willing_pilot (mission_id, pilot_id)
       select pg_temp.mission_id(n), pg_temp.pilot_id(pg_temp.mission_pilot(n, k))
       from ${UNITS}, generate_series(0, ${Math.min(ordersEach * 4, activePilots - 50) - 1}) k
       where ${start} > pg_temp.clock_now() - interval '${LEDGER_DAYS} days' and pg_temp.mission_status(n) = 'scheduled'
       on conflict do nothing`,
      100,
    ),
  ];
}
