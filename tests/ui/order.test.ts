/** /orders/{id} against a real server: one frag order in every state it can be in, to its pilot alone. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  PASSWORD,
  type Person,
} from '#tests/harness/given.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;
let missions = 0;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(() => retirePilots(service));

/** The mission's texts, which its orders show next to the flight's notes. */
const TEXTS = eachField(MISSION_TEXT_KEYS, (key) => `${key} of the mission`);
const set = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);
const answerPanel = (page: Page) => page.getByRole('region', { name: 'Your answer' });

interface Order {
  id: string;
  missionId: string;
  label: string;
  missionName: string;
}

/** An order to the only pilot there is, for a mission that overlaps no other. */
async function givenOrder(pilot: Person): Promise<Order> {
  missions += 1;
  const hours = 26 + 4 * missions;
  await givenMission(service, admin, {
    name: `Op State ${missions}`,
    startLocal: hoursFromNow(hours),
    endLocal: hoursFromNow(hours + 3),
    ...TEXTS,
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 1, notes: 'SEAD', additionalNotes: 'Bring smoke' }],
  });
  const { body } = await pilot.client.call('GET', '/pilot/inbox');
  return body[0];
}

async function givenPilot(): Promise<Person> {
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin' });
  await givenAlwaysFree(service, pilot.id);
  return pilot;
}

const respond = (pilot: Person, order: Order, response: string) =>
  pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response });
const cancel = (order: Order, reason: string, rsvp = 'pending') =>
  set(
    sql`update frag_order set status = 'cancelled', status_reason = ${reason}, rsvp = ${rsvp} where id = ${order.id}`,
  );
/** Move a mission into the past. */
const begin = (order: Order, hoursAgo: number) =>
  set(
    sql`update mission set starts_at = now() - ${hoursAgo}::int * interval '1 hour',
          ends_at = now() + (3 - ${hoursAgo}::int) * interval '1 hour' where id = ${order.missionId}`,
  );

const WAY_HOME = ['Back to Home'];

test('every state has its words, the actions it allows, and one next step where there are none', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const pilot = await givenPilot();
  const states: {
    state: string;
    bring: (order: Order) => Promise<unknown>;
    badge: string;
    words: string;
    actions: string[];
  }[] = [
    {
      state: 'pending',
      bring: async () => undefined,
      badge: 'pending',
      words: 'This order needs your answer.',
      actions: ['Accept', 'Standby', 'Decline'],
    },
    {
      state: 'accepted',
      bring: (order) => respond(pilot, order, 'accepted'),
      badge: 'accepted',
      words: "This seat is yours. Confirm once you're sure.",
      actions: [
        'Confirm',
        'Standby',
        'Cancel',
        'Kneeboard Day',
        'Kneeboard Night',
        'Print',
        'Calendar .ics',
        'Swap seats',
      ],
    },
    {
      state: 'confirmed',
      bring: async (order) => {
        await respond(pilot, order, 'accepted');
        await respond(pilot, order, 'accepted');
      },
      badge: 'accepted',
      words: "This seat is yours, and you've confirmed it.",
      actions: ['Standby', 'Cancel', 'Kneeboard Day', 'Kneeboard Night', 'Print', 'Calendar .ics', 'Swap seats'],
    },
    {
      state: 'standby',
      bring: (order) => respond(pilot, order, 'standby'),
      badge: 'standby',
      words: '1st in line for a seat.',
      actions: ['Take this seat', 'Accept', 'Leave the queue'],
    },
    {
      state: 'declined',
      bring: (order) => respond(pilot, order, 'declined'),
      badge: 'declined',
      words: 'You declined this order.',
      actions: ['Accept', 'Standby'],
    },
    {
      state: 'expired',
      bring: (order) => set(sql`update frag_order set expires_at = now() - interval '1 minute' where id = ${order.id}`),
      badge: 'expired',
      words: 'This frag order has expired.',
      actions: WAY_HOME,
    },
    {
      state: 'mission cancelled',
      bring: (order) => cancel(order, 'mission cancelled'),
      badge: 'cancelled',
      words: 'This frag order has been cancelled.',
      actions: WAY_HOME,
    },
    {
      state: 'a shared offer that another pilot took',
      bring: (order) => cancel(order, 'superseded'),
      badge: 'taken',
      words: 'This seat has been taken by another pilot.',
      actions: WAY_HOME,
    },
    {
      state: 'a place on standby that became a newer order',
      bring: (order) => cancel(order, 'superseded', 'standby'),
      badge: 'replaced',
      words: 'A newer order for this mission replaced this one.',
      actions: WAY_HOME,
    },
    {
      state: 'declined, and the mission has started',
      bring: async (order) => {
        await respond(pilot, order, 'declined');
        await begin(order, 1);
      },
      badge: 'over',
      words: 'This mission has already started.',
      actions: WAY_HOME,
    },
    {
      state: 'accepted, and the mission has ended',
      bring: async (order) => {
        await respond(pilot, order, 'accepted');
        await begin(order, 4);
      },
      badge: 'over',
      words: 'This mission is over.',
      actions: WAY_HOME,
    },
  ];
  const page = await openAs(browser, service, pilot);
  for (const { state, bring, badge, words, actions } of states) {
    await test.step(state, async () => {
      const order = await givenOrder(pilot);
      await bring(order);
      await page.goto(`/orders/${order.id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${order.label} ${order.missionName}`);
      const panel = answerPanel(page);
      await expect(panel).toContainText(words);
      await expect(panel.getByText(badge, { exact: true })).toBeVisible();
      const readNames = () =>
        panel.locator('button, a').evaluateAll((found) =>
          found.map((one) => {
            const spoken = one.cloneNode(true) as Element;
            for (const silent of spoken.querySelectorAll('[aria-hidden]')) silent.remove();
            return spoken.textContent;
          }),
        );
      await expect.poll(readNames).toEqual(actions);
      const { status } = (await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body;
      await expect(page.getByRole('region', { name: 'Tasking' }).getByText(status, { exact: true })).toHaveCSS(
        'border-top-style',
        'solid',
      );
    });
  }
});

test('the order shows everything needed to fly it, takes answers by key, and keeps the focus', async ({ browser }) => {
  const pilot = await givenPilot();
  const order = await givenOrder(pilot);
  const { body } = await pilot.client.call('GET', `/pilot/inbox/${order.id}`);
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  await page.getByRole('link', { name: order.label }).click();
  await expect(page).toHaveURL(`${service.url}/orders/${order.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const tasking = page.getByRole('region', { name: 'Tasking' });
  for (const text of [
    body.flightCallsign,
    'Seat 1',
    body.aircraftName,
    'SEAD',
    'Red',
    body.radioFreq,
    body.package.callsign,
    body.package.objective,
    'Bring smoke',
    ...Object.values(TEXTS),
    ...body.reasons,
  ]) {
    await expect(tasking).toContainText(text);
  }
  const clock = (iso: string, zone: string) =>
    Temporal.Instant.from(iso)
      .toZonedDateTimeISO(zone)
      .toPlainTime()
      .toString({ smallestUnit: 'minute' })
      .replace(':', '');
  for (const iso of [body.startUtc, body.launchUtc, body.totUtc, body.endUtc]) {
    await expect(tasking).toContainText(`${clock(iso, 'UTC')}Z ${clock(iso, 'Europe/Berlin')}L`);
  }

  // a level only in an aircraft that the pilot has listed
  const level = tasking.getByText('Level', { exact: true });
  await expect(level).toHaveCount(0);
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  await page.reload();
  await expect(level).toBeVisible();
  await expect(tasking).toContainText('expert');

  const line = tasking.getByRole('list', { name: 'Timeline' });
  await expect(line.getByRole('listitem')).toHaveText([/^Brief/, /^Launch/, /^TOT/, /^End/]);
  const own = tasking.getByRole('list', { name: `Crew of ${body.flightCallsign}` }).getByRole('listitem');
  await expect(own.nth(body.seatIndex)).toContainText('You');
  await expect(tasking.getByText('You', { exact: true })).toHaveCount(1);

  // Away from the order its keys do nothing.
  await page.keyboard.press('s');
  await expect(answerPanel(page).getByRole('button', { name: 'Accept' })).toBeEnabled();
  await answerPanel(page).getByRole('button', { name: 'Accept' }).focus();
  await page.keyboard.press('s');
  await expect(page.getByText('RSVP sent: Standby')).toBeVisible();
  await expect(answerPanel(page)).toContainText('1st in line');
  await expect(page.getByRole('article', { name: order.label })).toBeFocused();
  await answerPanel(page).getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText(`You're in: ${body.flightCallsign}, seat ${body.seatIndex + 1}`)).toBeVisible();
  await expect(answerPanel(page).getByRole('button', { name: 'Confirm' })).toBeVisible();
});

test('changes by an admin stay on the order until it is answered again; a removed pilot reads of the removal', async ({
  browser,
}) => {
  const pilot = await givenPilot();
  const order = await givenOrder(pilot);
  await respond(pilot, order, 'accepted');
  const page = await openAs(browser, service, pilot);
  const card = (list: string) =>
    page.getByRole('region', { name: list, exact: true }).getByRole('article', { name: order.missionName });
  const changed = (place: Locator) => place.getByRole('group', { name: 'Changed' });
  await page.goto('/home');
  await expect(card('Accepted Missions')).toBeVisible();
  await expect(changed(page.getByRole('main'))).toHaveCount(0);

  // a small change: shown, and still accepted
  const { body: mission } = await admin.client.call('GET', `/admin/missions/${order.missionId}`);
  const { body: before } = await pilot.client.call('GET', `/pilot/inbox/${order.id}`);
  const [{ flights }] = mission.packages;
  const edit = (changes: object) => admin.client.call('PUT', `/admin/missions/${order.missionId}`, changes);
  await edit({ flights: [{ id: flights[0].id, radioFreq: '271.500' }] });
  await expect(changed(card('Accepted Missions'))).toHaveText(`Changed:Radio ${before.radioFreq} is now 271.500 AM`);

  // material: asked again, by the page that is open
  const { startUtc, endUtc } = before;
  const later = (iso: string) => Temporal.Instant.from(iso).add({ hours: 1 }).toString();
  const words = (iso: string) => {
    const at = Temporal.Instant.from(iso).toZonedDateTimeISO('UTC');
    const day = at.toPlainDate().toLocaleString('en-US', { month: 'short', day: 'numeric' });
    return `${day} ${at.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '')}Z`;
  };
  const wall = (iso: string) => later(iso).slice(0, 16);
  await edit({ startLocal: wall(startUtc), endLocal: wall(endUtc), timeZone: 'UTC' });
  await expect(card('Accepted Missions')).toHaveCount(0);
  await expect(card('Inbox')).toContainText('The mission changed. Please answer again.');
  await expect(changed(card('Inbox'))).toContainText(`Start ${words(startUtc)} is now ${words(later(startUtc))}`);
  await expect(changed(card('Inbox'))).toContainText(`End ${words(endUtc)} is now ${words(later(endUtc))}`);
  await page.goto(`/orders/${order.id}`);
  await expect(answerPanel(page)).toContainText('The mission changed. Please answer again.');
  await expect(changed(answerPanel(page))).toContainText(words(later(startUtc)));
  expect(await findViolations(page)).toEqual([]);
  await answerPanel(page).getByRole('button', { name: 'Accept' }).click();
  await expect(answerPanel(page)).toContainText('This seat is yours');
  await expect(changed(page.getByRole('main'))).toHaveCount(0);

  // an answer to an order that has changed meanwhile only counts after the change is shown
  const change = { startLocal: startUtc.slice(0, 16), endLocal: endUtc.slice(0, 16), timeZone: 'UTC' };
  await page.route(
    /pilot\.rsvp/,
    async (route) => {
      await edit(change);
      await route.continue();
    },
    { times: 1 },
  );
  await answerPanel(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This order has changed in the meantime. Please check it again.')).toBeVisible();
  await expect(changed(answerPanel(page))).toContainText(`Start ${words(later(startUtc))} is now ${words(startUtc)}`);
  await answerPanel(page).getByRole('button', { name: 'Accept' }).click();
  await expect(answerPanel(page)).toContainText('This seat is yours');
  await expect(changed(page.getByRole('main'))).toHaveCount(0);

  await admin.client.call('DELETE', `/admin/missions/${order.missionId}/seats/${flights[0].id}/0`);
  await expect(answerPanel(page)).toContainText('An admin removed you from this mission.');
  await expect(answerPanel(page).getByText('removed', { exact: true }).first()).toBeVisible();
  await expect(changed(answerPanel(page))).toHaveText(`Changed:Seat ${before.flightCallsign}, seat 1 is now removed`);
  await expect(answerPanel(page).getByRole('link', { name: 'Back to Home' })).toBeVisible();
});

test('an unknown order shows the sentence of the server and a link home', async ({ browser }) => {
  const owner = await givenPilot();
  const order = await givenOrder(owner);
  const stranger = await givenPerson(service);
  const page = await openAs(browser, service, stranger);
  for (const [id, sentence] of [
    [order.id, 'Frag order not found'],
    ['0192c0de-0000-7000-8000-000000000000', 'Frag order not found'],
    ['no-order', 'This id is not valid'],
  ] as const) {
    await page.goto(`/orders/${id}`);
    await expect(answerPanel(page)).toContainText(sentence);
  }
  await answerPanel(page).getByRole('link', { name: 'Back to Home' }).click();
  await page.waitForURL('**/home');
});

test('the link in a notification leads through sign-in to the order', async ({ browser }) => {
  const pilot = await givenPilot();
  const order = await givenOrder(pilot);
  const page = await openAs(browser, service, null);
  await page.goto(`/orders/${order.id}`);
  await page.waitForURL('**/login');
  await page.getByLabel('Email').fill(pilot.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(`${service.url}/orders/${order.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${order.label} ${order.missionName}`);
});
