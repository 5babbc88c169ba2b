/** Invariants of seats and orders at any moment, read from the rows alone: no service code, no constraints. */
import type { App } from '#server/http/context.ts';
import { query, sql } from '#server/schema/query.ts';

/** Each finds the rows that break one rule, as text that a person can follow up. */
const BREACHES: Record<string, string> = {
  'a seat has two holders': `
    select flight_id || ':' || seat_index from seat group by flight_id, seat_index having count(*) > 1`,
  'a pilot has two seats in one mission': `
    select mission_id || ' ' || pilot_id from seat group by mission_id, pilot_id having count(*) > 1`,
  'a pilot is in two missions at once': `
    select a.pilot_id || ' ' || a.mission_id || ' ' || b.mission_id from seat a join seat b
      on a.pilot_id = b.pilot_id and a.order_id < b.order_id and a.starts_at < b.ends_at and b.starts_at < a.ends_at`,
  'a pilot has two live orders in one mission': `
    select mission_id || ' ' || pilot_id from frag_order where status = 'issued' and rsvp <> 'declined'
      group by mission_id, pilot_id having count(*) > 1`,
  'an order that holds a seat has none': `
    select o.id || ' ' || o.rsvp from frag_order o left join seat s on s.order_id = o.id
      where o.status = 'issued' and s.order_id is null
        and (o.rsvp = 'accepted' or (o.rsvp = 'pending' and not o.is_shared_offer))`,
  'a seat is held by an order that holds none': `
    select o.id || ' ' || o.status || ' ' || o.rsvp from seat s join frag_order o on o.id = s.order_id
      where o.status <> 'issued' or o.rsvp not in ('pending', 'accepted')`,
  'a seat and its order disagree': `
    select o.id::text from seat s join frag_order o on o.id = s.order_id join flight f on f.id = s.flight_id
      where (s.pilot_id, s.flight_id, s.seat_index, s.mission_id) is distinct from
            (o.pilot_id, o.flight_id, o.seat_index, o.mission_id) or f.mission_id <> s.mission_id`,
  'a seat has other times than its mission': `
    select s.order_id::text from seat s join mission m on m.id = s.mission_id
      where (s.starts_at, s.ends_at) is distinct from (m.starts_at, m.ends_at)`,
  'a seat is beyond its flight': `
    select s.order_id::text from seat s join flight f on f.id = s.flight_id where s.seat_index >= f.size_cap`,
  'an offer stands for a seat that is taken': `
    select o.id::text from frag_order o join seat s on s.flight_id = o.flight_id and s.seat_index = o.seat_index
      where o.status = 'issued' and o.rsvp = 'pending' and o.is_shared_offer and s.order_id <> o.id`,
  'a mission that does not fly has live orders': `
    select o.id::text from frag_order o join mission m on m.id = o.mission_id
      where m.status <> 'scheduled' and o.status = 'issued'`,
  'an order is confirmed that is not accepted, or was confirmed before its acceptance': `
    select id || ' ' || rsvp from frag_order
      where confirmed_at is not null and (rsvp <> 'accepted' or accepted_at is null or confirmed_at < accepted_at)`,
  'a pilot with a seat has given one up': `
    select o.id || ' ' || o.rsvp from frag_order o where o.gave_up_at is not null and o.rsvp in ('pending', 'accepted')`,
  // radios and callsigns are unique in a mission at a time, so that a change of another flight shows
  "an order's changes speak of another flight than its own": `
    select o.id || ' ' || c.change::text from frag_order o
      join flight f on f.id = o.flight_id join aircraft a on a.id = f.aircraft_id join package p on p.id = f.package_id
      cross join jsonb_array_elements(case when jsonb_typeof(o.changes) = 'array' then o.changes else '[]' end) as c (change)
      where o.status = 'issued' and case c.change ->> 'field'
        when 'callsign' then c.change ->> 'to' is distinct from f.callsign
        when 'aircraft' then c.change ->> 'to' is distinct from a.name
        when 'role' then c.change ->> 'to' is distinct from f.role
        when 'side' then c.change ->> 'to' is distinct from (array['Blue', 'Red'])[f.side + 1]
        when 'radio' then c.change ->> 'to' is distinct from f.radio_freq
        when 'package' then c.change ->> 'to' is distinct from p.callsign
        when 'seat' then right(c.change ->> 'to', 1) is distinct from (o.seat_index + 1)::text
        else false end`,
};

/** @returns a line for every breach; [] when all is well */
export async function findBreaches({ app }: { app: Pick<App, 'orm'> }): Promise<string[]> {
  const em = app.orm.em.fork();
  const found: string[] = [];
  for (const [rule, statement] of Object.entries(BREACHES)) {
    const rows = await query<{ row: string }>(em, sql`select * from (${sql.raw(statement)}) as breach ("row")`);
    found.push(...rows.map(({ row }) => `${rule}: ${row}`));
  }
  return found;
}
