/** Silent pilots on the admins' board, and an admin's nudge: who is asked again, once, on the device, and by email. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { givenSeated } from '#tests/harness/mission-edits.ts';
import { callOffMissions, givenMissionIn, respond, retirePilots } from '#tests/harness/orders.ts';
import { givenDevice, startPushService, type PushService } from '#tests/harness/push-service.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let push: PushService;
let service: Service;
let admin: Person;
beforeAll(async () => {
  push = await startPushService();
  service = await startService({ withJobs: true, env: { PUSH_EXTRA_ORIGINS: push.origin } });
  admin = await givenAdmin(service);
});
afterEach(async () => {
  await callOffMissions(service);
  await retirePilots(service);
  expect(await findBreaches(service)).toEqual([]);
});
afterAll(async () => {
  await service.stop();
  await push.stop();
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const needs = async (missionId: string) => {
  const { status, body } = await admin.client.call('GET', '/admin/dashboard/needs');
  expect(status).toBe(200);
  return body
    .filter((need: { missionId: string }) => need.missionId === missionId)
    .map(({ kind, pilots }: { kind: string; pilots: number }) => [kind, pilots]);
};
const nudge = (missionId: string, about: string) =>
  admin.client.call('POST', `/admin/missions/${missionId}/nudge`, { about });
/** Orders and their moments, `hours` ago. */
const age = (missionId: string, hours: number) =>
  rows(sql`update frag_order set issued_at = issued_at - make_interval(hours => ${hours}), nudged_at = nudged_at - make_interval(hours => ${hours}),
             accepted_at = accepted_at - make_interval(hours => ${hours}), answered_at = answered_at - make_interval(hours => ${hours})
           where mission_id = ${missionId}`);
const settled = () =>
  expect
    .poll(() => rows(sql`select 1 from graphile_worker.jobs where task_identifier = 'send_push'`), { timeout: 20_000 })
    .toEqual([]);

/** A mission of two pilots, each with a device. */
async function givenPair(hours: number) {
  const { id, seats } = await givenSeated(service, admin, 2, {}, hours);
  const [a, b] = await Promise.all(
    seats.map(async ({ pilot, order }) => {
      const device = givenDevice(push);
      await pilot.client.call('POST', '/pilot/push/subscriptions', device.subscription);
      const said = () => device.messages().map(({ body }) => body);
      return { pilot, order, device, said };
    }),
  );
  if (!a || !b) throw new Error('two pilots were expected');
  return { id, a, b };
}

test('pilots who have not answered for hours are asked again, once', async () => {
  const { id, a, b } = await givenPair(40);
  expect(await needs(id)).toEqual([['short', 0]]);
  expect((await nudge(id, 'unanswered')).body).toEqual({ nudged: 0 });
  await age(id, 4);
  expect(await needs(id)).toContainEqual(['unanswered', 2]);
  await respond(a.pilot, a.order, 'accepted');
  expect(await needs(id)).toContainEqual(['unanswered', 1]);

  expect((await nudge(id, 'unconfirmed')).body).toEqual({ nudged: 0 });
  const both = await Promise.all([nudge(id, 'unanswered'), nudge(id, 'unanswered')]);
  expect(both.map(({ body }) => body.nudged).toSorted((one, other) => one - other)).toEqual([0, 1]);
  await settled();
  expect(a.said()).toEqual([]);
  expect(b.said()).toEqual([
    expect.stringMatching(/^Can you fly\? .*F-16C Viper, seat [12]\. Start .*\. Answer by .*Z.*\.$/),
  ]);
  expect(await needs(id)).not.toContainEqual(['unanswered', 1]);

  const { body: audit } = await admin.client.call('GET', `/admin/audit?subjectId=${id}`);
  expect(audit.entries[0]).toMatchObject({ action: 'pilots_nudged', summary: 'Asked 1 pilot again to answer' });
  await age(id, 3);
  expect(await needs(id)).toContainEqual(['unanswered', 1]);
});

test('pilots who have not confirmed on the last day are asked again, until they do', async () => {
  const { id, a, b } = await givenPair(20);
  for (const { pilot, order } of [a, b]) await respond(pilot, order, 'accepted');
  expect(await needs(id)).toEqual([]);
  // now they have accepted before the last day
  await age(id, 30);
  expect(await needs(id)).toEqual([['unconfirmed', 2]]);
  // to accept once more is to confirm
  await respond(b.pilot, b.order, 'accepted');
  expect((await nudge(id, 'unconfirmed')).body).toEqual({ nudged: 1 });
  await settled();
  expect(a.said()).toEqual([expect.stringMatching(/^Still flying\? .*F-16C Viper, seat [12]\. Start /)]);
  expect(a.device.messages()).toMatchObject([{ asks: 'confirmation', orderId: a.order.id }]);
  expect(b.said()).toEqual([]);
  expect(await needs(id)).toEqual([]);
});

test('drafts, missions that have started and cancelled ones are refused', async () => {
  const slots = { aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0 as const, notes: 'CAP' as const }] };
  const { mission: draft } = await givenMissionIn(service, admin, 50, { ...slots, publish: false });
  const { mission: begun } = await givenMissionIn(service, admin, 55, slots);
  const { mission: off } = await givenMissionIn(service, admin, 60, slots);
  await rows(
    sql`update mission set starts_at = now() - interval '1 minute', ends_at = now() + interval '1 hour' where id = ${begun.id}`,
  );
  await admin.client.call('POST', `/admin/missions/${off.id}/cancel`);
  const codes = await Promise.all([draft, begun, off].map(async ({ id }) => (await nudge(id, 'unanswered')).body.code));
  expect(codes).toEqual(['MISSION_IS_DRAFT', 'MISSION_STARTED', 'MISSION_FINAL']);
});
