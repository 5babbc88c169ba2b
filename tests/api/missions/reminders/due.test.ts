/** Which reminders are handed over and when, by a clock of the test's own: lead times, moves, and seats that are lost. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { remindPilots } from '#server/missions/reminders/send-reminders.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenSeated } from '#tests/harness/mission-edits.ts';
import { callOffMissions, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { choose, givenSeat, MINUTE_MS, remindersOf } from '#tests/harness/reminders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await callOffMissions(service);
  await retirePilots(service);
});

const NO_CHANNELS = { discord: null, discordTurnout: null, hasMail: false };
/** The job, as it would run that many minutes before a start. */
const runAt = (startMs: number, minutesBefore: number) =>
  remindPilots(service.app.orm.em.fork(), NO_CHANNELS, new Date(startMs - minutesBefore * MINUTE_MS));
const leadsOf = async (pilot: Person) => (await remindersOf(service, pilot)).map(({ lead }) => lead);
const call = async (method: string, path: string, body?: unknown) => {
  const answer = await admin.client.call(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
};
/** Move a mission, and accept the order again at a time that many minutes before its new start. */
async function move(mission: { id: string; startLocal: string; endLocal: string }, minutes: number): Promise<void> {
  const later = (local: string) => new Date(Date.parse(`${local}Z`) + minutes * MINUTE_MS).toISOString().slice(0, 16);
  await call('PUT', `/admin/missions/${mission.id}`, {
    startLocal: later(mission.startLocal),
    endLocal: later(mission.endLocal),
    timeZone: 'UTC',
  });
}
const acceptedAt = ({ id }: { id: string }, ms: number) =>
  query(
    service.app.orm.em.fork(),
    sql`update frag_order set accepted_at = ${new Date(ms)}, issued_at = least(issued_at, ${new Date(ms)}) where id = ${id}`,
  );

test('every lead time that a pilot has chosen is due at its minute, not before it, and once', async () => {
  const { pilot, startMs } = await givenSeat(service, admin, 60);
  const chosen = await choose(pilot, { reminderMinutes: [15, 2880, 180, 60] });
  expect(chosen).toMatchObject({ status: 200, body: { reminderMinutes: [2880, 180, 60, 15], remindByDiscord: true } });
  const sent: number[] = [];
  for (const lead of [2880, 180, 60, 15]) {
    await runAt(startMs, lead + 1);
    expect(await leadsOf(pilot)).toEqual(sent);
    sent.push(lead);
    for (const minutes of [lead, lead, lead - 1]) await runAt(startMs, minutes);
    expect(await leadsOf(pilot)).toEqual(sent);
  }
  for (const minutes of [1, 0, -1, -60]) await runAt(startMs, minutes);
  expect(await leadsOf(pilot)).toEqual(sent);
});

test('a pilot without lead times is not reminded, and by default it is 24 h and 1 h', async () => {
  const { pilot, startMs } = await givenSeat(service, admin, 60);
  const get = async () => (await pilot.client.call('GET', `/users/${pilot.id}/notifications`)).body;
  expect(await get()).toMatchObject({ reminderMinutes: [1440, 60] });
  expect((await choose(pilot, { reminderMinutes: [] })).body).toMatchObject({ reminderMinutes: [] });
  for (const minutes of [2880, 1440, 180, 60, 15]) await runAt(startMs, minutes);
  expect(await leadsOf(pilot)).toEqual([]);
});

test.each([
  [[1440, 1440], 'Reminders can be 48 hours, 24 hours, 3 hours, 1 hour or 15 minutes before the start, each once'],
  [[30], 'Reminders can be 48 hours, 24 hours, 3 hours, 1 hour or 15 minutes before the start, each once'],
  [[2880, 1440, 180, 60, 15], 'You can choose at most 4 reminders'],
])('the lead times %j are refused', async (reminderMinutes, sentence) => {
  const { pilot } = await givenSeat(service, admin, 60);
  const refused = await choose(pilot, { reminderMinutes });
  expect([refused.status, refused.body.message]).toEqual([400, sentence]);
  expect((await pilot.client.call('GET', `/users/${pilot.id}/notifications`)).body.reminderMinutes).toEqual([1440, 60]);
});

test('lead times that are over when the seat is taken, or when they are chosen, are skipped', async () => {
  const late = await givenSeat(service, admin, 20);
  await runAt(late.startMs, 19 * 60);
  expect(await leadsOf(late.pilot)).toEqual([]);
  // three hours would have been reminded of at two hours before, were it not chosen only then
  const em = service.app.orm.em.fork();
  await query(
    em,
    sql`update app_user set reminder_minutes = '{180,60}', reminders_set_at = ${new Date(late.startMs - 120 * MINUTE_MS)} where id = ${late.pilot.id}`,
  );
  await runAt(late.startMs, 119);
  expect(await leadsOf(late.pilot)).toEqual([]);
  await runAt(late.startMs, 60);
  expect(await leadsOf(late.pilot)).toEqual([60]);
});

test('when nothing ran for a day, one message stands for all that was due, and keeps the question', async () => {
  const { pilot, startMs } = await givenSeat(service, admin, 60);
  await choose(pilot, { reminderMinutes: [2880, 1440, 180] });
  await runAt(startMs, 100);
  expect(await remindersOf(service, pilot)).toMatchObject([
    { lead: 2880, channels: null, asks: false },
    { lead: 1440, channels: null, asks: false },
    { lead: 180, channels: [], asks: true },
  ]);
  await runAt(startMs, 99);
  expect(await leadsOf(pilot)).toHaveLength(3);
});

test('after a move the new start is reminded of, where the lead time lies ahead again', async () => {
  const { pilot, mission, order, startMs } = await givenSeat(service, admin, 30);
  await runAt(startMs, 1440);
  await move(mission, 48 * 60);
  const moved = startMs + 48 * 60 * MINUTE_MS;
  // it has to be answered again: until then nobody is reminded
  await runAt(moved, 1440);
  expect(await leadsOf(pilot)).toEqual([1440]);
  await respond(pilot, order, 'accepted');
  await runAt(moved, 1440);
  await runAt(moved, 60);
  expect(await remindersOf(service, pilot)).toMatchObject([
    { lead: 1440, startMs },
    { lead: 1440, startMs: moved },
    { lead: 60, startMs: moved },
  ]);
});

test('after a move by which the lead time is over, it is not reminded of again', async () => {
  const { pilot, mission, order, startMs } = await givenSeat(service, admin, 30);
  await runAt(startMs, 1440);
  await move(mission, 60);
  await respond(pilot, order, 'accepted');
  const moved = startMs + 60 * MINUTE_MS;
  // the clock stood at 20 hours before the new start when the pilot accepted again
  await acceptedAt(order, moved - 20 * 60 * MINUTE_MS);
  await runAt(moved, 20 * 60 - 1);
  expect(await leadsOf(pilot)).toEqual([1440]);
});

const losses: [string, (seat: Awaited<ReturnType<typeof givenSeat>>) => Promise<unknown>][] = [
  ['declined', ({ pilot, order }) => respond(pilot, order, 'declined')],
  ['gone on standby', ({ pilot, order }) => respond(pilot, order, 'standby')],
  ['been cancelled with the mission', ({ mission }) => call('POST', `/admin/missions/${mission.id}/cancel`, {})],
  [
    'been removed',
    async ({ mission, pilot }) => {
      const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
      await call(
        'DELETE',
        `/admin/missions/${mission.id}/seats/${body.packages[0].flights[0].id}/0?userId=${pilot.id}`,
      );
    },
  ],
  ['been suspended', ({ pilot }) => call('DELETE', `/admin/users/${pilot.id}/roles/user`)],
  ['to answer again after an edit', ({ mission }) => move(mission, 15)],
];
test.each(losses)('a pilot who has %s is not reminded', async (_words, lose) => {
  const seat = await givenSeat(service, admin, 60);
  await runAt(seat.startMs, 1440);
  expect(await leadsOf(seat.pilot)).toEqual([1440]);
  await lose(seat);
  await runAt(seat.startMs, 60);
  await runAt(seat.startMs, 30);
  expect(await leadsOf(seat.pilot)).toEqual([1440]);
});

test('giving the seat back and taking it again does not repeat a reminder', async () => {
  const { pilot, order, startMs } = await givenSeat(service, admin, 60);
  await runAt(startMs, 1440);
  await respond(pilot, order, 'declined');
  await respond(pilot, order, 'accepted');
  await runAt(startMs, 1439);
  expect(await leadsOf(pilot)).toEqual([1440]);
});

test('a practice mission reminds nobody', async () => {
  const practice = await admin.client.call('POST', '/admin/practice-missions');
  expect(practice.status).toBe(201);
  const order = await orderOf(admin);
  expect((await respond(admin, order, 'accepted')).status).toBe(200);
  const [row] = await query<{ startMs: number }>(
    service.app.orm.em.fork(),
    sql`select (extract(epoch from starts_at) * 1000)::float8 as "startMs" from mission where is_practice order by created_at desc limit 1`,
  );
  await acceptedAt(order, 0);
  await runAt(row?.startMs ?? 0, 30);
  expect(await remindersOf(service, admin)).toEqual([]);
});

test('many runs at the same time, as of many replicas, record each reminder once', async () => {
  const { seats, mission } = await givenSeated(service, admin, 4);
  for (const { pilot, order } of seats) expect((await respond(pilot, order, 'accepted')).status).toBe(200);
  const startMs = Date.parse(mission.startUtc);
  await Promise.all(Array.from({ length: 8 }, () => runAt(startMs, 1440)));
  expect(await Promise.all(seats.map(({ pilot }) => leadsOf(pilot)))).toEqual(seats.map(() => [1440]));
});

test('the question is asked from a day before until it is answered, and confirming is seen by admins', async () => {
  const { pilot, order, mission } = await givenSeat(service, admin, 60);
  const read = async () => (await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body;
  expect(await read()).toMatchObject({ asksConfirmation: false, confirmedAt: null });
  const em = service.app.orm.em.fork();
  await query(
    em,
    sql`update mission set starts_at = starts_at - interval '40 hours', ends_at = ends_at - interval '40 hours' where id = ${mission.id}`,
  );
  // accepted a moment ago, and so not asked
  expect(await read()).toMatchObject({ asksConfirmation: false });
  await query(em, sql`update frag_order set accepted_at = accepted_at - interval '40 hours' where id = ${order.id}`);
  expect(await read()).toMatchObject({ asksConfirmation: true });
  expect((await respond(pilot, order, 'accepted')).body).toMatchObject({ asksConfirmation: false });
  const orders = (await admin.client.call('GET', `/admin/missions/${mission.id}/orders`)).body;
  expect(orders).toMatchObject([{ id: order.id, confirmedAt: expect.any(String) }]);
});
