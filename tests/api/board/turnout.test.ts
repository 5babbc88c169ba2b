/** Turnout alerts: missions short of pilots on the admins' board. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { listTurnoutAlerts } from '#server/board/turnout-alerts.ts';
import type { TurnoutAlertDto } from '#shared/schemas/dashboard.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, inbox, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const HOUR_MS = 3_600_000;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  await query(em(), sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  await query(em(), sql`delete from mission`);
});

const em = () => service.app.orm.em.fork();
const alerts = async (): Promise<TurnoutAlertDto[]> => {
  const { status, body } = await admin.client.call('GET', '/admin/dashboard/turnout');
  expect(status).toBe(200);
  return body;
};
const givenSeats = (slotCount: number, hours: number, name = 'Op Iron Hound') =>
  givenMissionIn(service, admin, hours, { name, aircraftSlots: [{ aircraftId: 2, slotCount, side: 0, notes: 'CAP' }] });

test('a mission is short until enough pilots have accepted', async () => {
  const pilots = [await givenPilot(service), await givenPilot(service), await givenPilot(service)];
  const { mission } = await givenSeats(4, 40);
  // no answers yet: each pilot counts 0.8 / 2, and two are needed
  const [unanswered, ...others] = await alerts();
  expect(others).toEqual([]);
  expect(unanswered).toEqual({
    missionId: mission.id,
    missionName: 'Op Iron Hound',
    startUtc: new Date(`${mission.startLocal}:00Z`).toISOString(),
    endUtc: new Date(`${mission.endLocal}:00Z`).toISOString(),
    stage: '48 hours',
    seats: 4,
    accepted: 0,
    pending: 3,
    enough: 2,
    expected: expect.closeTo(1.2, 9),
    // 1 - 0.6^3 - 3 * 0.4 * 0.6^2
    probability: expect.closeTo(0.352, 9),
  });
  for (const [index, pilot] of pilots.entries()) {
    await respond(pilot, await orderOf(pilot), 'Accepted');
    const probability = [0.8 * (1 - 0.36) + 0.2 * 0.16, 0.64 + 0.32 * 0.4][index];
    const found = await alerts();
    // the third makes it 0.896, enough to say nothing
    if (probability === undefined) expect(found).toEqual([]);
    else expect(found).toMatchObject([{ accepted: index + 1, probability: expect.closeTo(probability, 9) }]);
  }
});

test('low reliability makes a mission short, regained reliability does not', async () => {
  const pilot = await givenPilot(service);
  const past = await givenSeats(1, 30, 'Op Past');
  await respond(pilot, await orderOf(pilot), 'Accepted');
  await givenSeats(1, 60, 'Op Ahead');
  for (const order of await inbox(pilot)) await respond(pilot, order, 'Accepted');
  // a new pilot on the only seat: exactly 0.8
  expect(await alerts()).toEqual([]);
  await query(
    em(),
    sql`update mission set starts_at = now() - interval '3 hours', ends_at = now() - interval '1 hour' where id = ${past.mission.id}`,
  );
  const [order] = await query<{ id: string }>(
    em(),
    sql`select id from frag_order where mission_id = ${past.mission.id}`,
  );
  const mark = (attendance: string) =>
    admin.client.call('PUT', `/admin/missions/${past.mission.id}/attendance`, {
      attendance: [{ orderId: order?.id, attendance }],
    });
  await mark('no_show');
  expect(await alerts()).toMatchObject([{ missionName: 'Op Ahead', accepted: 1, stage: '7 days' }]);
  await mark('attended');
  expect(await alerts()).toEqual([]);
});

test('drafts, cancelled missions, those that have begun and those more than 7 days ahead are left out; the next is first', async () => {
  const far = await givenSeats(2, 6 * 24, 'Far');
  const near = await givenSeats(2, 20, 'Near');
  const cancelled = await givenSeats(2, 50, 'Cancelled');
  await admin.client.call('POST', `/admin/missions/${cancelled.mission.id}/cancel`);
  await givenMissionIn(service, admin, 60, { name: 'Draft', publish: false });
  await givenSeats(2, 8 * 24, 'Too far');
  expect((await alerts()).map(({ missionName, stage }) => [missionName, stage])).toEqual([
    ['Near', '24 hours'],
    ['Far', '7 days'],
  ]);
  const startMs = (mission: { startLocal: string }) => Date.parse(`${mission.startLocal}:00Z`);
  const namesAt = async (ms: number) =>
    (await listTurnoutAlerts(em(), new Date(ms))).map(({ missionName }) => missionName);
  expect(await namesAt(startMs(near.mission) - 1)).toEqual(['Near', 'Far']);
  expect(await namesAt(startMs(near.mission))).toEqual(['Far']);
  expect(await namesAt(startMs(far.mission) - 7 * 24 * HOUR_MS - 1)).toEqual(['Near']);
  expect(await namesAt(startMs(far.mission) - 7 * 24 * HOUR_MS)).toEqual(['Near', 'Far']);
});

test('an expired offer does not count, whether or not the job has run', async () => {
  await givenPilot(service);
  const { mission } = await givenSeats(1, 30);
  expect(await alerts()).toMatchObject([{ pending: 1, probability: 0.4 }]);
  const later = new Date(Date.parse(`${mission.startLocal}:00Z`) - HOUR_MS);
  expect(await listTurnoutAlerts(em(), later)).toMatchObject([{ pending: 0, accepted: 0, probability: 0 }]);
});
