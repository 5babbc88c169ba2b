/** Warnings of too few pilots to a mission's creator: at each stage once, by email and push, with real receivers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { warnOfTurnout } from '#server/missions/reminders/turnout-warnings.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { startMailService, type MailService } from '#tests/harness/mail-service.ts';
import { callOffMissions, givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { givenDevice, startPushService, type PushService } from '#tests/harness/push-service.ts';
import { runReminderJob } from '#tests/harness/reminder-job.ts';
import { choose, MINUTE_MS, passTime } from '#tests/harness/reminders.ts';

const F16 = 2;
const NO_CHANNELS = { discord: null, discordTurnout: null, hasMail: false };

let push: PushService;
let mail: MailService;
let admin: Person;
beforeAll(async () => {
  push = await startPushService();
  mail = await startMailService({ env: { PUSH_EXTRA_ORIGINS: push.origin } });
});
afterAll(async () => {
  await mail.stop();
  await push.stop();
});
beforeEach(async () => {
  await callOffMissions(mail.service);
  await retirePilots(mail.service);
  admin = await givenAdmin(mail.service);
  await mail.settle();
});

const em = () => mail.service.app.orm.em.fork();
const givenSeats = async (hours: number, request: object = {}) => {
  const { mission } = await givenMissionIn(mail.service, admin, hours, {
    name: 'Op Iron Hound',
    aircraftSlots: [{ aircraftId: F16, slotCount: 4, side: 0, notes: 'CAP' }],
    ...request,
  });
  return { mission, startMs: Date.parse(`${mission.startLocal}Z`) };
};
/** The job, as it would run that many hours before a start. */
const runAt = (startMs: number, hours: number) =>
  warnOfTurnout(em(), NO_CHANNELS, new Date(startMs - hours * 60 * MINUTE_MS));
const stagesOf = ({ id }: { id: string }) =>
  query<{ stage: string; isTold: boolean }>(
    em(),
    sql`select stage, recipient_id is not null as "isTold" from turnout_warning where mission_id = ${id} order by created_at`,
  );

const runJob = (times = 1) => runReminderJob(mail, times);
const warningsTo = ({ email }: Person) =>
  mail.server.to(email).filter(({ parsed }) => parsed.subject?.startsWith('Go or no-go') ?? false);

test('the creator is told at each stage, once, with the numbers and a link to better times', async () => {
  const device = givenDevice(push);
  expect((await admin.client.call('POST', '/pilot/push/subscriptions', device.subscription)).status).toBe(201);
  const pilot = await givenPilot(mail.service, F16);
  const { mission } = await givenSeats(50);
  expect((await respond(pilot, await orderOf(pilot), 'accepted')).status).toBe(200);
  await runJob();
  expect(warningsTo(admin)).toEqual([]);
  await passTime(mail.service, 150);
  for (let run = 0; run < 3; run += 1) await runJob();
  const [first, ...more] = warningsTo(admin);
  expect(more).toEqual([]);
  expect(first?.parsed.subject).toBe('Go or no-go: Op Iron Hound');
  // one pilot of two who are needed: there cannot be enough
  const sentence =
    '48 hours before the start, the chance of having enough pilots is 0 %. 1 of 4 seats is accepted, and at least 2 pilots are needed.';
  expect(first?.parsed.text?.replaceAll('\n', ' ')).toContain(sentence);
  expect(first?.parsed.text).toMatch(/\/admin\?day=\d{4}-\d\d-\d\d/);
  expect(device.messages()).toMatchObject([
    { title: 'Go or no-go: Op Iron Hound', body: sentence, url: expect.stringMatching(/^\/admin\?day=/) },
  ]);
  await passTime(mail.service, 24 * 60);
  for (let run = 0; run < 3; run += 1) await runJob();
  expect(warningsTo(admin)).toHaveLength(2);
  expect(device.messages().map(({ body }) => body.split(' before')[0])).toEqual(['48 hours', '24 hours']);
  expect(await stagesOf(mission)).toEqual([
    { stage: '48 hours', isTold: true },
    { stage: '24 hours', isTold: true },
  ]);
});

test('with enough pilots nobody is told, and the stage is not looked at again', async () => {
  const pilots: Person[] = [];
  for (let count = 0; count < 3; count += 1) pilots.push(await givenPilot(mail.service, F16));
  const { mission, startMs } = await givenSeats(60);
  for (const pilot of pilots.slice(1)) {
    expect((await respond(pilot, await orderOf(pilot), 'accepted')).status).toBe(200);
  }
  const [undecided] = pilots as [Person];
  const order = await orderOf(undecided);
  expect((await respond(undecided, order, 'accepted')).status).toBe(200);
  // 0.896 with three pilots, 0.64 with two
  await runAt(startMs, 48);
  expect((await respond(undecided, order, 'declined')).status).toBe(200);
  await runAt(startMs, 47);
  expect(await stagesOf(mission)).toEqual([{ stage: '48 hours', isTold: false }]);
  await runAt(startMs, 24);
  expect(await stagesOf(mission)).toEqual([
    { stage: '48 hours', isTold: false },
    { stage: '24 hours', isTold: true },
  ]);
});

test('stages that are over at publication are skipped, and a draft has none', async () => {
  const late = await givenSeats(30);
  await runAt(late.startMs, 29);
  expect(await stagesOf(late.mission)).toEqual([]);
  const draft = await givenSeats(80, { publish: false });
  await runAt(draft.startMs, 48);
  expect(await stagesOf(draft.mission)).toEqual([]);
  await passTime(mail.service, 40 * 60);
  expect((await admin.client.call('POST', `/admin/missions/${draft.mission.id}/publish`)).status).toBe(200);
  await warnOfTurnout(em(), NO_CHANNELS, new Date());
  expect(await stagesOf(draft.mission)).toEqual([]);
});

test('a mission that moves passes its stages again, and one that is called off or has begun has none', async () => {
  const { mission, startMs } = await givenSeats(60);
  await runAt(startMs, 48);
  const later = (local: string) => new Date(Date.parse(`${local}Z`) + 24 * 60 * MINUTE_MS).toISOString().slice(0, 16);
  const moved = await admin.client.call('PUT', `/admin/missions/${mission.id}`, {
    startLocal: later(mission.startLocal),
    endLocal: later(mission.endLocal),
    timeZone: 'UTC',
  });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  const newStartMs = startMs + 24 * 60 * MINUTE_MS;
  await runAt(newStartMs, 49);
  expect(await stagesOf(mission)).toHaveLength(1);
  await runAt(newStartMs, 48);
  expect(await stagesOf(mission)).toHaveLength(2);
  await runAt(newStartMs, 0);
  expect((await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`, {})).status).toBe(200);
  await runAt(newStartMs, 24);
  expect(await stagesOf(mission)).toHaveLength(2);
});

test('a warning that waits while the mission is called off is not sent', async () => {
  const { mission, startMs } = await givenSeats(60);
  await warnOfTurnout(em(), { ...NO_CHANNELS, hasMail: true }, new Date(startMs - 48 * 60 * MINUTE_MS));
  await mail.settle();
  expect(warningsTo(admin)).toHaveLength(1);
  expect((await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`, {})).status).toBe(200);
  await query(
    em(),
    sql`update delivery set state = 'queued', next_attempt_at = now() where kind = 'turnout' and user_id = ${admin.id}`,
  );
  await query(
    em(),
    sql`select graphile_worker.add_job('send_mail', json_build_object('deliveryId', id)) from delivery where kind = 'turnout' and user_id = ${admin.id}`,
  );
  await mail.settle();
  expect(warningsTo(admin)).toHaveLength(1);
});

test('by the choices of their own reminders; many runs at the same time record a stage once', async () => {
  expect((await choose(admin, { remindByEmail: false })).status).toBe(200);
  const { mission, startMs } = await givenSeats(60);
  await Promise.all(Array.from({ length: 8 }, () => runAt(startMs, 48)));
  await runJob();
  expect(await stagesOf(mission)).toEqual([{ stage: '48 hours', isTold: true }]);
  expect(warningsTo(admin)).toEqual([]);
});
