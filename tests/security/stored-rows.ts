/** A community with at least one row in every table that holds what people, Discord or other services write. */
import { query, sql } from '#server/schema/query.ts';
import { givenPostRow } from '#tests/harness/discord-posts.ts';
import { SLOT_REQUEST } from '#tests/api/http/community-operations.ts';
import { writeMission } from '#tests/harness/mission-file.ts';
import { requestOf, upload } from '#tests/harness/mission-files.ts';
import { seenRows } from '#tests/harness/seen-rows.ts';
import type { Service } from '#tests/harness/service.ts';
import { givenRoutes, type RoutesWorld } from '#tests/ui/routes.ts';
import { subscriptionInput } from './owned.ts';

/** What no call of a browser without devices, mail and Discord makes. */
const OTHER_ROWS = (pilotId: string) => [
  sql`insert into passkey (id, user_id, name, credential_id, public_key, counter, transports, is_syncable, is_backed_up, created_at)
      values (gen_random_uuid(), ${pilotId}, 'Laptop', 'c2Vjb25k', 'a2V5', 0, '{internal}', false, false, now())`,
  sql`insert into remembered_device (id, user_id, token_hash, user_agent, created_at, expires_at)
      values (gen_random_uuid(), ${pilotId}, 'a-device', 'Firefox', now(), now() + interval '1 day')`,
  sql`with calendar as (
        insert into busy_calendar (id, user_id, name, sealed_url, shown_url, counts_whole_days, time_zone, due_at, created_at)
        values (gen_random_uuid(), ${pilotId}, 'Work', 'sealed', 'calendar.example/…/basic.ics', true, 'UTC', now() + interval '1 year', now())
        returning id, user_id
      )
      insert into busy_time (calendar_id, user_id, minutes) select id, user_id, '{[29400000,29400060)}' from calendar`,
  sql`insert into bot_lease (name, holder, beat_at, expires_at, has_members_intent, bot_user_id, bot_name, problem)
      values ('bot', 'nobody', now(), now(), true, '1', 'Marshal', 'Discord refused the token')`,
  sql`insert into delivery (id, channel, kind, user_id, address, state, attempts, deadline_at, error_message, created_at)
      values (gen_random_uuid(), 'mail', 'order', ${pilotId}, 'pilot@example.org', 'failed', 3, now(), 'refused', now())`,
  givenPostRow({
    kind: 'registration',
    dedupeKey: 'planted',
    guildId: '1',
    channelId: '1-ops',
    state: 'failed',
    attempts: 3,
    error: 'refused',
  }),
  sql`insert into registration_session (token_hash, guild_id, discord_user_id, discord_username, campaign_id, created_at, expires_at)
      values (encode(sha256('registration'), 'hex'), '1', '10009', 'afterglow', 'spring', now(), now() + interval '1 day')`,
  sql`insert into reminder (id, order_id, mission_id, pilot_id, starts_at, lead_minutes, asks, channels, created_at)
      select gen_random_uuid(), o.id, o.mission_id, o.pilot_id, m.starts_at, 60, false, '{push}', now()
      from frag_order as o join mission as m on m.id = o.mission_id limit 1`,
  sql`insert into series_occurrence (series_id, date_local, revision, problem, tried_at)
      select id, current_date + 90, revision, 'No aircraft', now() from mission_series limit 1`,
];

export async function givenStoredRows(service: Service): Promise<RoutesWorld> {
  const world = await givenRoutes(service);
  const { admin, pilot, addressOf } = world;
  const { trpc } = admin.client;
  const { id } = pilot;
  const half = { startLocal: '00:00', endLocal: '12:00' } as const;
  await pilot.client.trpc.availability.addOverride.mutate({
    id,
    dateLocal: '2099-08-01',
    kind: 'unavailable',
    ...half,
  });
  await pilot.client.trpc.availability.setLeave.mutate({ id, firstDate: '2099-09-01', lastDate: '2099-09-03' });
  await admin.client.call('POST', '/slot-requests', SLOT_REQUEST);
  await trpc.admin.community.sendMessage.mutate({ text: 'Fly-in on Saturday' });
  await trpc.admin.community.update.mutate({ name: 'Lantern Wing', registration: 'open' });
  await trpc.admin.aircraft.create.mutate({ code: 'La-5', name: 'La-5 FN', seats: 1, roles: ['CAP'] });
  const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await trpc.auth.tokens.create.mutate({ id: admin.id, name: 'Relay', scopes: ['read'], expiresAt });
  await trpc.pilot.push.subscribe.mutate(subscriptionInput(1));
  const links = [{ kind: 'chart', title: 'Ground chart', url: 'https://charts.example.org/akrotiri' }] as const;
  const missionId = addressOf('{missionId}');
  await trpc.admin.mission.edit.mutate({ id: missionId, notes: 'Lights out after the push.', links: [...links] });
  await trpc.pilot.thread.add.mutate({ id: missionId, text: 'Lights out at the push.' });
  await pilot.client.trpc.pilot.thread.add.mutate({ id: missionId, text: 'Copied.' });
  const file = await upload(service, admin, writeMission());
  await admin.client.call('POST', '/admin/missions', { ...requestOf(file), theater: 'Syria', publish: false });
  await trpc.admin.missionTemplates.create.mutate({ missionId, name: 'Sunday strike' });
  for (const statement of [...OTHER_ROWS(id), ...seenRows(id)]) await query(service.app.orm.em.fork(), statement);
  return world;
}
