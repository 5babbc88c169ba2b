/** What a large community leaves behind: reminders, messages to Discord and by email, and the audit log. */
import { MISSION_HOURS, type Part, type Shape } from './shape.ts';

const UNITS = 'generate_series($1::bigint, $2::bigint) n';
/** Messages of older missions have been deleted. */
const KEPT = `interval '60 days'`;

export function auditParts({ audit, pilots, activePilots, admins, missions }: Shape): Part[] {
  if (audit === 0) return [];
  const onMissions =
    missions > 0 ? `array['mission_edited', 'mission_created', 'pilot_assigned', 'attendance_recorded']` : 'null';
  const part: Part = {
    table: 'audit_entry',
    first: 1,
    last: audit,
    chunk: 20_000,
    sql: `
      with drawn as (
        select n, pg_temp.draw('audit', n) as r, pg_temp.draw('kind', n) as kind, pg_temp.audit_at(n) as at,
               1 + floor(pg_temp.draw('of', n) * ${activePilots})::bigint as pilot,
               1 + floor(pg_temp.draw('by', n) * ${admins})::bigint as admin,
               1 + floor(pg_temp.draw('on', n) * ${Math.max(1, missions)})::bigint as mission
        from ${UNITS}),
      acted as (
        select *, case when r < 0.6 then 'signed_in' when r < 0.65 then 'sign_in_failed' when r < 0.66 then 'sign_in_limited'
                       when r < 0.9 then coalesce(pg_temp.pick(${onMissions}, kind), 'role_added')
                       else pg_temp.pick(array['proficiency_set', 'leave_set', 'role_added', 'account_approved'], kind) end as action
        from drawn),
      told as (
        select *, action in ('mission_edited', 'mission_created', 'pilot_assigned', 'attendance_recorded') as on_mission from acted)
      insert into audit_entry (id, actor_id, action, subject_type, subject_id, detail, occurred_at)
      select pg_temp.id_of('audit', n, at),
             case when action = 'signed_in' then pg_temp.pilot_id(pilot) when action not like 'sign_in%' then pg_temp.pilot_id(admin) end,
             action, case when on_mission then 'mission' else 'user' end,
             (case when on_mission then pg_temp.mission_id(mission) else pg_temp.pilot_id(pilot) end)::text,
             case when action = 'signed_in' then jsonb_build_object('way', 'password', 'address', address, 'device', 'Firefox on Linux')
                  when action = 'sign_in_failed' then jsonb_build_object('address', address, 'device', 'Chrome on Windows')
                  when action = 'sign_in_limited' then jsonb_build_object('attempts', 10, 'minutes', 15, 'address', address)
                  when action = 'mission_edited' then jsonb_build_object('name', pg_temp.mission_name(mission),
                    'changes', jsonb_build_array(jsonb_build_object('field', 'notes', 'from', 'Ingress low', 'to', 'Ingress high')))
                  when action = 'mission_created' then jsonb_build_object('name', pg_temp.mission_name(mission))
                  when action = 'pilot_assigned' then jsonb_build_object('missionName', pg_temp.mission_name(mission),
                    'pilot', pg_temp.pilot_name(pilot), 'userId', pg_temp.pilot_id(pilot), 'seat', 'VIPER 1, seat 2', 'replaced', null)
                  when action = 'attendance_recorded' then jsonb_build_object('name', pg_temp.mission_name(mission),
                    'marks', jsonb_build_array(jsonb_build_object('pilot', pg_temp.pilot_name(pilot), 'attendance', 'attended')))
                  when action = 'proficiency_set' then jsonb_build_object('aircraftId', 1 + pilot % 10, 'level', 'proficient')
                  when action = 'leave_set' then jsonb_build_object('firstDate', at::date, 'lastDate', at::date + 7)
                  when action = 'role_added' then jsonb_build_object('role', 'user')
                  else jsonb_build_object('name', pg_temp.pilot_name(pilot)) end,
             at
      from told, lateral (select '10.' || pilot % 250 || '.' || n % 250 || '.' || ${pilots} % 250 as address) place
      order by n`,
  };
  return [part];
}

export function recordParts({ missions }: Shape): Part[] {
  if (missions === 0) return [];
  const each = (table: string, sql: string): Part => ({ table, first: 1, last: missions, chunk: 200, sql });
  const kept = `
    select o.id, o.mission_id, o.pilot_id, o.issued_at, o.status, o.rsvp, m.starts_at,
           m.starts_at + interval '${MISSION_HOURS} hours' as ends_at
    from ${UNITS} join mission m on m.id = pg_temp.mission_id(n) join frag_order o on o.mission_id = m.id
    where pg_temp.mission_start(n) > pg_temp.clock_now() - ${KEPT} and o.status <> 'draft'`;
  return [
    each(
      'reminder',
      `insert into reminder (id, order_id, mission_id, pilot_id, starts_at, lead_minutes, asks, channels, created_at)
       select pg_temp.id_of('reminder ' || o.id::text, 60, o.starts_at), o.id, o.mission_id, o.pilot_id, o.starts_at, 60, false,
              array['discord'], o.starts_at - interval '1 hour'
       from (${kept}) o where o.rsvp = 'accepted' and o.status = 'issued' and o.starts_at < pg_temp.clock_now()`,
    ),
    each(
      'discord_post',
      `insert into discord_post (id, kind, dedupe_key, discord_user_id, subject_id, payload, message_id, created_at, updated_at)
       select pg_temp.id_of('outbox ' || o.id::text, 0, o.issued_at), 'order', 'order:' || o.id, d.discord_user_id, o.id::text,
              '{"publicUrl": "https://marshal.example.org"}', abs(hashtextextended(o.id::text, 0))::text, o.issued_at, o.issued_at
       from (${kept}) o join discord_account d on d.user_id = o.pilot_id`,
    ),
    // the deliveries of older posts have been deleted
    each(
      'delivery',
      `insert into delivery (id, channel, kind, user_id, subject_id, topic, state, attempts, deadline_at, sent_at, created_at)
       select pg_temp.id_of('mail ' || o.id::text, 0, o.issued_at), 'mail', 'order', o.pilot_id, o.id::text, 'issued', 'sent', 1, o.ends_at,
              o.issued_at, o.issued_at
       from (${kept}) o`,
    ),
  ];
}
