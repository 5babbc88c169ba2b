/** The pilots of a large community: accounts, sessions, weekly templates, exceptions, leaves, levels and live states. */
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { texts, type Part, type Shape } from './shape.ts';

const GUILD = '900000000000000001';

/** Pilots with an account in Discord. */
const IN_DISCORD = `pg_temp.draw('discord', n) < 0.3`;

export function pilotParts({ pilots, activePilots, admins, isAnyMinute, seed }: Shape): Part[] {
  const each = (table: string, sql: string, last = pilots): Part => ({ table, first: 1, last, chunk: 5_000, sql });
  const units = 'generate_series($1::bigint, $2::bigint) n';
  const minutes = (kind: string, from: number, to: number) =>
    isAnyMinute
      ? `(${from * 15} + floor(${kind} * ${(to - from) * 15 + 1}))::int`
      : `(15 * (${from} + floor(${kind} * ${to - from + 1})))::int`;
  return [
    each(
      'app_user',
      `insert into app_user (id, email, email_key, display_name, time_zone, roles, approval, approval_since, inbox_read_at,
                             created_at, updated_at)
       select pg_temp.pilot_id(n), 'pilot' || n || '.${seed}@example.org', 'pilot' || n || '.${seed}@example.org',
              pg_temp.pilot_name(n), pg_temp.pilot_zone(n),
              case when n <= ${admins} then '{admin,user}'::text[] when n > ${activePilots} then '{}' else '{user}' end,
              case when n > ${activePilots} and n % 2 = 0 then 'waiting' end,
              case when n > ${activePilots} and n % 2 = 0 then pg_temp.pilot_at(n) end,
              case when pg_temp.draw('read', n) < 0.6 then pg_temp.clock_now() - interval '1 day' end,
              pg_temp.pilot_at(n), pg_temp.pilot_at(n)
       from ${units}`,
    ),
    each(
      'session',
      `insert into session (id, user_id, user_agent, created_at, expires_at)
       select encode(sha256(convert_to('${seed}:session:' || n, 'utf8')), 'hex'), pg_temp.pilot_id(n), 'Mozilla/5.0',
              pg_temp.clock_now() - pg_temp.draw('session', n) * interval '13 days',
              pg_temp.clock_now() - pg_temp.draw('session', n) * interval '13 days' + interval '14 days'
       from ${units} where pg_temp.draw('signed in', n) < 0.7`,
      activePilots,
    ),
    each(
      'last_seen',
      `insert into last_seen (user_id, seen_at)
       select pg_temp.pilot_id(n), pg_temp.clock_now() - power(pg_temp.draw('seen', n), 3) * interval '300 days'
       from ${units} where pg_temp.draw('signed in', n) < 0.9`,
      activePilots,
    ),
    each(
      'pilot_status',
      `insert into pilot_status (user_id, state, minutes, expires_at, updated_at)
       select pg_temp.pilot_id(n), state, case when state = 'now' then 90 end,
              case when state = 'now' then pg_temp.clock_now() + (pg_temp.draw('now', n) - 0.3) * interval '2 hours' end,
              pg_temp.clock_now() - interval '1 hour'
       from ${units}, pg_temp.pick(array['available', 'available', 'dnd', 'dnd', 'now'], pg_temp.draw('state', n)) state
       where pg_temp.draw('status', n) < 0.25`,
      activePilots,
    ),
    each(
      'proficiency',
      `insert into proficiency (user_id, aircraft_id, level, set_by_admin, updated_at)
       select pg_temp.pilot_id(n), a, pg_temp.pick(${texts(PROFICIENCY_LEVELS)}, pg_temp.draw('level', n * 100 + a)),
              pg_temp.draw('by admin', n * 100 + a) < 0.1, pg_temp.pilot_at(n)
       from ${units}, generate_series(1, 10) a where pg_temp.draw('flies', n * 100 + a) < 0.3`,
      activePilots,
    ),
    each(
      'availability_template',
      `insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
       select case when old then pg_temp.id_of('old template', n, pg_temp.pilot_at(n)) else pg_temp.template_id(n) end,
              pg_temp.pilot_id(n), case when old then 'Summer' else 'Week' end, not old, pg_temp.pilot_at(n), pg_temp.pilot_at(n)
       from ${units}, unnest(array[false, true]) old where not old or pg_temp.draw('old', n) < 0.2`,
    ),
    each(
      'availability_slot',
      `insert into availability_slot (id, template_id, weekday, start_local, end_local, aircraft_id)
       select pg_temp.id_of('slot', k, pg_temp.pilot_at(n)), pg_temp.template_id(n), weekday,
              pg_temp.clock_text(start), pg_temp.clock_text(start + ${minutes(`pg_temp.draw('length', k)`, 4, 20)}),
              case when pg_temp.draw('aircraft', k) < 0.5 then 1 + floor(pg_temp.draw('which', k) * 10)::int end
       from ${units}, generate_series(0, 6) weekday, generate_series(0, 1) span,
            lateral (select n * 100 + weekday * 10 + span as k) slot,
            lateral (select case when span = 0 then ${minutes(`pg_temp.draw('evening', k)`, 60, 84)} else 480 end as start) time
       where pg_temp.draw('weekday', n * 10 + weekday) < case when span = 0 then 0.9 else 0.45 end`,
    ),
    each(
      'availability_override',
      `insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
       select pg_temp.id_of('override', n * 10 + i, pg_temp.clock_now()), pg_temp.pilot_id(n),
              (pg_temp.clock_now() at time zone 'UTC')::date + floor(pg_temp.draw('date', n * 10 + i) * 12)::int,
              case when away then 'unavailable' else 'available' end, case when away then '00:00' else '10:00' end,
              case when away then '00:00' else '16:00' end, pg_temp.clock_now()
       from ${units}, generate_series(1, 3) i, lateral (select pg_temp.draw('away', n * 10 + i) < 0.7 as away) what
       where pg_temp.draw('override', n * 10 + i) < 0.1`,
    ),
    each(
      'leave',
      `insert into leave (user_id, first_date, last_date, updated_at)
       select pg_temp.pilot_id(n), first, first + 5 + floor(pg_temp.draw('weeks', n) * 30)::int, pg_temp.clock_now()
       from ${units}, lateral (
         select (pg_temp.clock_now() at time zone 'UTC')::date - 10 + floor(pg_temp.draw('from', n) * 40)::int as first) away
       where pg_temp.draw('leave', n) < 0.03`,
      activePilots,
    ),
    each(
      'push_subscription',
      `insert into push_subscription (id, user_id, endpoint, p256dh, auth, created_at)
       select pg_temp.id_of('device', n, pg_temp.pilot_at(n)), pg_temp.pilot_id(n),
              'https://push.example.org/${seed}/' || n, 'key', 'secret', pg_temp.pilot_at(n)
       from ${units} where pg_temp.draw('device', n) < 0.2`,
      activePilots,
    ),
    {
      table: 'guild',
      first: 1,
      last: 1,
      chunk: 1,
      sql: `insert into guild (id, name, status, installed_at, accepted_at, last_seen_at)
            select '${GUILD}', 'Wing', 'active', pg_temp.clock_now() - n * interval '1 year', pg_temp.clock_now(), pg_temp.clock_now()
            from ${units} on conflict do nothing`,
    },
    each(
      'discord_account',
      `insert into discord_account (discord_user_id, user_id, username, linked_at)
       select (${seed} * 10000000000 + n)::text, pg_temp.pilot_id(n), 'pilot' || n, pg_temp.pilot_at(n)
       from ${units} where ${IN_DISCORD}`,
      activePilots,
    ),
    each(
      'guild_member',
      `insert into guild_member (guild_id, discord_user_id, discord_username, joined_at, updated_at)
       select '${GUILD}', (${seed} * 10000000000 + n)::text, 'pilot' || n, pg_temp.pilot_at(n), pg_temp.pilot_at(n)
       from ${units} where ${IN_DISCORD}`,
      activePilots,
    ),
  ];
}
