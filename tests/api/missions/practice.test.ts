/** Practice missions: for their admin alone, counted nowhere, told nobody, and removed without a trace. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenPilot } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let pilot: Person;
beforeAll(async () => {
  service = await startService();
  // without any times: the order comes all the same
  admin = await givenAdmin(service);
  pilot = await givenPilot(service);
  await query(
    service.app.orm.em.fork(),
    sql`insert into webhook (id, url, events, listens_since, secret, created_at, updated_at)
        values (gen_random_uuid(), 'https://marshal.receiver.invalid/', '{order.issued,order.answered,mission.published,mission.changed,mission.cancelled}', now(), 'whsec_x', now(), now())`,
  );
  for (const { id } of [admin, pilot]) {
    await query(
      service.app.orm.em.fork(),
      sql`insert into discord_account (discord_user_id, user_id, username, linked_at) values (${id}, ${id}, 'x', now())`,
    );
  }
});
afterAll(() => service.stop());

const rows = <Row>(statement: ReturnType<typeof sql<Row>>) => query(service.app.orm.em.fork(), statement);
const practise = (who = admin) => who.client.call('POST', '/admin/practice-missions');
const inboxOf = async ({ client }: Person) => (await client.call('GET', '/pilot/inbox')).body;
const find = async () => (await admin.client.call('GET', '/admin/guided-start')).body.practice;
const remove = (id: string) => admin.client.call('DELETE', `/admin/practice-missions/${id}`);

test('asks its admin only, is marked, and the admin can try every answer and an edit', async () => {
  const made = await practise();
  expect([made.status, made.body.issued]).toEqual([201, { orders: 1, openSeats: 1 }]);
  const [order] = await inboxOf(admin);
  expect(order).toMatchObject({ missionName: 'Practice mission', isPractice: true, seatIndex: 0 });
  expect(order.reasons).toEqual([
    'This is your practice mission. Try every answer: nothing counts, and nobody else is asked.',
  ]);
  expect(await inboxOf(pilot)).toEqual([]);
  const openings = await pilot.client.call('GET', '/pilot/openings');
  expect(openings.body).toEqual({ open: [], closed: [] });
  const from = new Date().toISOString().slice(0, 10);
  expect((await pilot.client.call('GET', `/missions?from=${from}`)).body).toEqual([]);

  const { id } = await find();
  const board = await admin.client.call('GET', `/admin/missions/${id}`);
  expect(board.body.isPractice).toBe(true);
  const flightId = board.body.packages[0].flights[0].id;
  const candidates = await admin.client.call('GET', `/admin/missions/${id}/seats/${flightId}/1/candidates`);
  expect(JSON.stringify(candidates.body)).not.toContain(pilot.id);
  const taken = await pilot.client.call('POST', '/pilot/seats', { missionId: id, flightId, seatIndex: 1 });
  expect(taken.status).toBeGreaterThanOrEqual(400);

  for (const response of ['accepted', 'standby', 'accepted', 'declined']) {
    const answered = await admin.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response });
    expect([response, answered.status]).toEqual([response, 200]);
  }
  expect((await admin.client.call('PUT', `/admin/missions/${id}`, { notes: 'Lights on' })).status).toBe(200);
});

test('counts nowhere, while a real mission does', async () => {
  const counts = async () => ({
    stats: (await admin.client.call('GET', '/stats')).body.missionsRunning,
    turnout: (await admin.client.call('GET', '/admin/dashboard/turnout')).body,
    standing: (await admin.client.call('GET', `/users/${admin.id}/standing`)).body,
    hasMission: (await admin.client.call('GET', '/admin/guided-start')).body.hasMission,
  });
  const before = await counts();
  const { id } = await find();
  const [{ orderId } = { orderId: '' }] = await rows(
    sql<{ orderId: string }>`select id as "orderId" from frag_order where mission_id = ${id}`,
  );
  // declined late, and under way
  await rows(sql`update frag_order set is_late = true where id = ${orderId}`);
  await rows(
    sql`update mission set starts_at = now() - interval '1 minute', ends_at = now() + interval '1 hour' where id = ${id}`,
  );
  expect(await counts()).toEqual(before);
  await rows(sql`update mission set is_practice = false where id = ${id}`);
  const real = await counts();
  expect([real.stats, real.standing.lateCancels, real.hasMission]).toEqual([1, 1, true]);
  await rows(sql`update mission set is_practice = true where id = ${id}`);
});

test('tells nobody outside: no webhook event, no message to Discord, no notification', async () => {
  expect(await rows(sql`select type from webhook_event`)).toEqual([]);
  expect(await rows(sql`select kind from discord_post`)).toEqual([]);
  const jobs = await rows(sql<{ task: string }>`select distinct task_identifier as task from graphile_worker.jobs`);
  expect(jobs.map(({ task }) => task)).not.toContain('send_push');
  expect(jobs.map(({ task }) => task)).not.toContain('sync_discord_mission');
});

test('is removed with all that followed from it: every table is as before', async () => {
  await remove((await find()).id);
  const other = await givenAdmin(service);
  await givenAlwaysFree(service, other.id);
  await rows(sql`delete from audit_entry`);
  // notes for the rosters, which are deleted after a day
  const kept = ['audit_entry', 'roster_change'];
  const before = await takeDigest(service, kept);
  await practise(other);
  const [order] = await inboxOf(other);
  await other.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'accepted' });
  const { practice } = (await other.client.call('GET', '/admin/guided-start')).body;
  // any admin can clear it up
  expect((await remove(practice.id)).body).toEqual({ success: true });
  await rows(sql`update app_user set inbox_read_at = null where id = ${other.id}`);
  expect(await takeDigest(service, kept)).toEqual(before);
  expect(await rows(sql`select distinct action from audit_entry order by action`)).toEqual([
    { action: 'mission_created' },
    { action: 'practice_removed' },
  ]);
});

test('replaces the one before, and is not at a time when the admin flies', async () => {
  await practise();
  const first = await find();
  await practise();
  const second = await find();
  expect(second.id).not.toBe(first.id);
  expect(await rows(sql`select count(*)::int as missions from mission where is_practice`)).toEqual([{ missions: 1 }]);
  await remove(second.id);
  await givenAlwaysFree(service, admin.id);
  const startLocal = second.startUtc.slice(0, 16);
  const endLocal = new Date(Date.parse(second.startUtc) + 7_200_000).toISOString().slice(0, 16);
  await givenMission(service, admin, {
    startLocal,
    endLocal,
    // a seat for everybody who is free
    aircraftSlots: [{ aircraftId: 2, slotCount: 8, side: 0, notes: 'CAP' }],
  });
  await practise();
  expect(Date.parse((await find()).startUtc)).toBeGreaterThanOrEqual(Date.parse(second.startUtc) + 86_400_000);
});

test('only practice missions can be removed, and only pilots practise', async () => {
  const [{ id } = { id: '' }] = await rows(sql<{ id: string }>`select id from mission where not is_practice limit 1`);
  const refused = await remove(id);
  expect([refused.status, refused.body.code]).toEqual([409, 'MISSION_NOT_PRACTICE']);
  expect(await rows(sql`select from seat where mission_id = ${id}`)).not.toEqual([]);
  const desk = await givenPerson(service, { roles: ['admin'] });
  expect((await practise(desk)).body.code).toBe('SUSPENDED');
});
