/** The weekly digest, through a real SMTP server: what is in it, for whom and how often. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queueDigests } from '#server/delivery/mail/digest.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { linkIn, startMailService, type MailService } from '#tests/harness/mail-service.ts';
import { callOffMissions, inbox, respond, retirePilots } from '#tests/harness/orders.ts';
import { choose } from '#tests/harness/reminders.ts';
import { createClient, startService } from '#tests/harness/service.ts';

let mail: MailService;
let admin: Person;
beforeAll(async () => {
  mail = await startMailService();
  admin = await givenAdmin(mail.service);
});
afterAll(() => mail.stop());
beforeEach(async () => {
  await callOffMissions(mail.service);
  await retirePilots(mail.service);
  await mail.settle();
});

const HOUR_MS = 3_600_000;
const F16 = 2;
const A10 = 3;
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(mail.service.app.orm.em.fork(), statement);
const digestsTo = ({ email }: Person) =>
  mail.server.to(email).filter(({ parsed }) => parsed.subject?.startsWith('Your week'));

/** The next Sunday, `YYYY-MM-DD`, at least a day from now wherever one is. */
const SUNDAY = ((): string => {
  const day = new Date(Date.now() + 48 * HOUR_MS);
  day.setUTCDate(day.getUTCDate() + ((7 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
})();
/** 18:00 of that Sunday in zones without daylight saving, or found by Intl: by another route than the code's. */
function eveningIn(timeZone: string): number {
  const zoneClock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  for (let ms = Date.parse(`${SUNDAY}T00:00Z`) - 15 * HOUR_MS; ; ms += HOUR_MS / 4)
    if (zoneClock.format(ms) === `${SUNDAY} 18:00`) return ms;
}
const run = async (ms: number) => {
  await queueDigests(mail.service.app.orm.em.fork(), new Date(ms));
  await mail.settle();
};

async function givenReader(timeZone: string, aircraftId = F16): Promise<Person> {
  const pilot = await givenPerson(mail.service, { timeZone });
  await givenAlwaysFree(mail.service, pilot.id, aircraftId);
  expect((await choose(pilot, { emailDigest: true })).body).toMatchObject({ emailDigest: true });
  return pilot;
}
const local = (ms: number) => new Date(ms).toISOString().slice(0, 16);
/** A mission of two hours; by default with one F-16C seat. */
const given = (name: string, startMs: number, slotCount = 1, aircraftId = F16) =>
  givenMission(mail.service, admin, {
    name,
    startLocal: local(startMs),
    endLocal: local(startMs + 2 * HOUR_MS),
    aircraftSlots: [{ aircraftId, slotCount, side: 0, notes: 'CAP' }],
  });
async function answer(pilot: Person, name: string, response: string): Promise<string> {
  const order = (await inbox(pilot)).find(({ missionName }: { missionName: string }) => missionName === name);
  expect((await respond(pilot, order, response)).status).toBe(200);
  return order.id;
}
/** As emails show an instant, by Intl. */
function zuluAndLocal(ms: number, timeZone: string): string {
  const zulu = `${new Date(ms).toISOString().slice(11, 16).replace(':', '')}Z`;
  const wall = new Date(ms).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return `\\w{3} \\d\\d \\w{3} ${zulu} \\([\\w ]*${wall}\\s+in\\s+${timeZone}\\)`;
}

test.each(['Asia/Kathmandu', 'America/St_Johns'])(
  'a pilot in %s reads of seats, orders to answer and open seats of the next 7 days, once',
  async (timeZone) => {
    const pilot = await givenReader(timeZone);
    const evening = eveningIn(timeZone);
    const [seatMs, askMs, openMs] = [evening + 30 * HOUR_MS, evening + 60 * HOUR_MS, evening + 90 * HOUR_MS];
    await given('Op Seat', seatMs);
    const seat = await answer(pilot, 'Op Seat', 'accepted');
    await given('Op Ask', askMs);
    const [{ id: ask }] = await inbox(pilot);
    await given('Op Before', evening - HOUR_MS);
    await answer(pilot, 'Op Before', 'accepted');
    await given('Op After', evening + (7 * 24 + 2) * HOUR_MS);
    await answer(pilot, 'Op After', 'accepted');
    // nobody can fly it when it is planned, and the pilot is listed for it afterwards
    await rows(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
    await given('Op <Open>', openMs, 2);
    await rows(sql`update app_user set roles = '{user}' where id = ${pilot.id}`);

    await run(evening - 60_000);
    expect(digestsTo(pilot)).toEqual([]);
    await run(evening);
    const [digest] = digestsTo(pilot);
    expect(digest?.parsed.subject).toBe('Your week: 2 missions, 1 to answer');
    const { text = '', html } = digest?.parsed ?? {};
    const { url } = mail.service;
    expect(text).toMatch(
      new RegExp(
        [
          'TO ANSWER',
          `Op Ask \\(Syria\\)\n${zuluAndLocal(askMs, timeZone)}\n[^]*Answer by [^]*${url}/orders/${ask}`,
          'YOUR SEATS',
          `Op Seat \\(Syria\\)\n${zuluAndLocal(seatMs, timeZone)}\n[^]*${url}/orders/${seat}`,
          'OPEN SEATS YOU COULD FLY',
          `Op <Open> \\(Syria\\)\n${zuluAndLocal(openMs, timeZone)}\n2 open seats: F-16C[^\n]*\n${url}/home`,
        ].join('\n\n'),
      ),
    );
    expect(text).not.toMatch(/Op Before|Op After/);
    expect(String(html)).toContain('Op &#60;Open&#62;');
    expect(String(html)).toContain(`href="${url}/orders/${ask}"`);

    for (const later of [0, 60_000, 5 * HOUR_MS]) await run(evening + later);
    expect(digestsTo(pilot)).toHaveLength(1);
  },
);

test('nothing to tell is no email, nor is what came after the decision, or a choice that was never made', async () => {
  const evening = eveningIn('Asia/Kathmandu');
  const [reader, other] = [await givenReader('Asia/Kathmandu'), await givenPerson(mail.service)];
  await givenAlwaysFree(mail.service, other.id, A10);
  await rows(sql`update app_user set time_zone = 'Asia/Kathmandu' where id = ${other.id}`);
  await given('Op Other', evening + 30 * HOUR_MS, 1, A10);
  await answer(other, 'Op Other', 'accepted');
  await run(evening);
  expect((await other.client.call('GET', `/users/${other.id}/notifications`)).body.emailDigest).toBe(false);
  expect([digestsTo(reader), digestsTo(other)]).toEqual([[], []]);
  // that order has an email of its own
  await given('Op Afterwards', evening + 40 * HOUR_MS);
  expect(await inbox(reader)).toHaveLength(1);
  await run(evening + HOUR_MS);
  expect(digestsTo(reader)).toEqual([]);
});

test('at most five missions with open seats are named, and none for practice', async () => {
  const evening = eveningIn('Asia/Kathmandu');
  const pilot = await givenReader('Asia/Kathmandu');
  await rows(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await given(`Op ${number}`, evening + number * 20 * HOUR_MS);
  await rows(sql`update mission set is_practice = true, created_by_id = ${pilot.id} where name = 'Op 1'`);
  await rows(sql`update app_user set roles = '{user}' where id = ${pilot.id}`);
  await run(evening);
  const [digest] = digestsTo(pilot);
  expect(digest?.parsed.subject).toBe('Your week: 5 missions with open seats');
  expect(digest?.parsed.text?.match(/Op \d/g)).toEqual([2, 3, 4, 5, 6].map((number) => `Op ${number}`));
});

test('the job that missed 18:00 makes up for it until midnight, and not on Monday', async () => {
  const evening = eveningIn('America/St_Johns');
  const pilot = await givenReader('America/St_Johns');
  await given('Op Late', evening + 30 * HOUR_MS);
  await run(evening + 6 * HOUR_MS);
  expect(digestsTo(pilot)).toEqual([]);
  await run(evening + 6 * HOUR_MS - 60_000);
  expect(digestsTo(pilot)).toHaveLength(1);
  // the clocks may change within the week
  await given('Op Next', evening + (7 * 24 + 30) * HOUR_MS);
  await answer(pilot, 'Op Next', 'accepted');
  await rows(sql`update app_user set digested_on = ${SUNDAY}::date - 7 where id = ${pilot.id}`);
  await run(evening);
  expect(digestsTo(pilot)).toHaveLength(2);
});

test('two processes that run the job several times at once send one', async () => {
  const evening = eveningIn('Asia/Kathmandu');
  const pilots = [await givenReader('Asia/Kathmandu'), await givenReader('Asia/Kathmandu')];
  await given('Op Twice', evening + 30 * HOUR_MS, 2);
  const env = { SMTP_URL: mail.server.url, MAIL_FROM: 'Marshal <marshal@example.org>' };
  const second = await startService({ beside: mail.service, env });
  const apps = [mail.service.app, second.app];
  const now = new Date(evening + 90_000);
  await Promise.all([1, 2, 3].flatMap(() => apps.map(({ orm }) => queueDigests(orm.em.fork(), now))));
  await second.stop();
  await mail.settle();
  expect(pilots.map((pilot) => digestsTo(pilot).length)).toEqual([1, 1]);
});

test('one click ends the digest alone, and can be undone', async () => {
  const evening = eveningIn('Asia/Kathmandu');
  const pilot = await givenReader('Asia/Kathmandu');
  await given('Op Click', evening + 30 * HOUR_MS);
  await run(evening);
  const [taken] = digestsTo(pilot);
  const url = taken ? linkIn(taken, '/email/unsubscribe/') : '';
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(url, { method: 'POST', body, redirect: 'error' })).status).toBe(200);
  const choices = async () => (await pilot.client.call('GET', `/users/${pilot.id}/notifications`)).body;
  expect(await choices()).toMatchObject({ emailDigest: false, emailOrders: true, remindByEmail: true });
  await rows(sql`update app_user set digested_on = null where id = ${pilot.id}`);
  await run(evening);
  expect(digestsTo(pilot)).toHaveLength(1);
  const token = url.split('/').at(-1);
  const undone = await createClient(mail.service).call('POST', '/mail/subscription', { token, isWanted: true });
  expect(undone).toMatchObject({ status: 200, body: { choice: 'digest', isWanted: true } });
  await run(evening);
  expect(digestsTo(pilot)).toHaveLength(2);
});

test('suspended and banned pilots, those without an address and those on leave get none; a seat after the leave is told', async () => {
  const zone = 'Asia/Kathmandu';
  const evening = eveningIn(zone);
  const suspended = await givenReader(zone);
  const banned = await givenReader(zone);
  const away = await givenReader(zone);
  const back = await givenReader(zone);
  await given('Op Off', evening + 30 * HOUR_MS, 5);
  const nameless = await givenReader(zone);
  await rows(sql`update app_user set roles = '{}' where id = ${suspended.id}`);
  await rows(sql`update app_user set email = ${`${nameless.id}@discord.invalid`} where id = ${nameless.id}`);
  const ban = await admin.client.call('POST', '/admin/bans', {
    email: banned.email,
    label: 'Somebody',
    reason: 'Abuse',
  });
  expect(ban.status, JSON.stringify(ban.body)).toBeLessThan(300);
  await given('Op Return', evening + 5 * 24 * HOUR_MS, 5);
  await answer(back, 'Op Return', 'accepted');
  const date = (days: number) => new Date(Date.parse(SUNDAY) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
  for (const [pilot, days] of [
    [away, 20],
    [back, 3],
  ] as const) {
    const leave = { firstDate: date(-1), lastDate: date(days) };
    const set = await pilot.client.call('PUT', `/users/${pilot.id}/leave`, leave);
    expect(set.status, JSON.stringify(set.body)).toBe(200);
  }
  await given('Op Vacant', evening + 6 * 24 * HOUR_MS, 5);
  await vi.waitFor(async () => expect(await inbox(away)).toEqual([]));
  await run(evening);
  expect(await rows(sql`select id from delivery where kind = 'digest' and user_id = ${nameless.id}`)).toEqual([]);
  expect([suspended, banned, away].map((pilot) => digestsTo(pilot).length)).toEqual([0, 0, 0]);
  expect(digestsTo(back).map(({ parsed }) => parsed.subject)).toEqual([expect.stringMatching(/^Your week: /)]);
  expect(digestsTo(back)[0]?.parsed.text).toContain('Op Return');
  expect(digestsTo(back)[0]?.parsed.text).not.toMatch(/Op Off|OPEN SEATS/);
});
