/** Answers without a network: kept on the device, sent once when the network is back, or refused with their way on. */
import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test';
import type { RawBuilder } from 'kysely';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import {
  callOffMissions,
  givenMissionIn,
  givenPilot,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs, openKept, signIn } from './pages.ts';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true, withJobs: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(async () => {
  await callOffMissions(service);
  await retirePilots(service);
});

const WAITING = 'Waiting for network.';
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const press = (order: Locator, name: string) => order.getByRole('button', { name, exact: true }).click();

interface Ordered {
  pilot: Person;
  order: { id: string; missionId: string };
}

/** A pilot with the only order of a mission with one seat. */
async function givenOrdered(name: string): Promise<Ordered> {
  const pilot = await givenPilot(service);
  await givenMissionIn(service, admin, 30, { name });
  return { pilot, order: await orderOf(pilot) };
}

const run = (statement: RawBuilder<{ key: string }>) => query(service.app.orm.em.fork(), statement);

/** The keys under which the server has taken answers of this pilot. */
const keysOf = ({ id }: Person) => run(sql`select key from idempotency_key where user_id = ${id}`);

/** The keys of the answers that the browser sends from now on. */
function noteAnswers(context: BrowserContext): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  context.on('request', (request) => {
    if (request.url().includes('pilot.rsvp')) keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}

test('an answer without a network waits, can be taken back and changed, survives a reload, and two tabs send it once', async ({
  browser,
}) => {
  const { pilot, order } = await givenOrdered('Op Train');
  const page = await openKept(browser, service, pilot, '/home');
  const context = page.context();
  const second = await context.newPage();
  await second.goto(`/orders/${order.id}`);
  const card = page.getByRole('article', { name: 'Op Train' });
  const other = second.getByRole('article', { name: 'Op Train' });
  await expect(card).toBeVisible();
  await expect(other).toBeVisible();
  const sent = noteAnswers(context);
  await context.setOffline(true);
  await press(card, 'Decline');
  await expect(card).toContainText(`${WAITING} Your answer, Declined, is sent when you're back online.`);
  // the other tab knows, too
  await expect(other).toContainText(WAITING);
  await press(card, 'Take back');
  await expect(card).not.toContainText(WAITING);
  await expect(other).not.toContainText(WAITING);
  await press(card, 'Decline');
  await press(other, 'Accept');
  await expect(card).toContainText('Your answer, Accepted, is sent');
  await expect(
    page.getByText(/1 change of yours is kept on this device and sent when you're back online/),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByText(/1 change of yours is kept on this device/)).toBeVisible();
  expect(sent).toEqual([]);

  await context.setOffline(false);
  // tests/ui/pwa.test.ts sees that the page opens without this, too
  await page.bringToFront();
  await page.reload();
  await expect(region(page, 'Accepted Missions')).toContainText('Op Train');
  await second.bringToFront();
  await expect(other).toContainText('This seat is yours.');
  await expect(other).not.toContainText(WAITING);
  const keys = await keysOf(pilot);
  expect(sent).toEqual(keys.map(({ key }) => key));
  expect(sent).toHaveLength(1);
  expect(await read(pilot, order)).toMatchObject({ rsvp: 'accepted', confirmedAt: null });
});

test('an answer whose response was lost counts once, and the pilot confirms the seat without a network later', async ({
  browser,
}) => {
  const { pilot, order } = await givenOrdered('Op Tunnel');
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  const card = page.getByRole('article', { name: 'Op Tunnel' });
  await expect(card).toBeVisible();
  const sent = noteAnswers(page.context());
  // the server hears it, and then the train enters the tunnel
  await page.route(/pilot\.rsvp/, async (route) => {
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await press(card, 'Accept');
  await expect(card).toContainText(WAITING);
  expect(await read(pilot, order)).toMatchObject({ rsvp: 'accepted', confirmedAt: null });
  await page.unroute(/pilot\.rsvp/);
  await page.context().setOffline(false);
  await expect(region(page, 'Accepted Missions')).toContainText('Op Tunnel');
  await expect(card).not.toContainText(WAITING);
  expect(await read(pilot, order)).toMatchObject({ rsvp: 'accepted', confirmedAt: null });
  expect(sent).toHaveLength(1);

  await page.context().setOffline(true);
  await press(card, 'Confirm');
  await expect(card).toContainText('Your answer, Confirmed, is sent');
  await page.context().setOffline(false);
  await expect(card).toContainText('Confirmed');
  await expect(card).not.toContainText(WAITING);
  expect((await read(pilot, order)).confirmedAt).not.toBeNull();
});

test('a server that does not respond keeps the answer as a network that is gone does', async ({ browser }) => {
  const { pilot, order } = await givenOrdered('Op Silent');
  const page = await openAs(browser, service, pilot);
  await page.goto(`/orders/${order.id}`);
  const article = page.getByRole('article', { name: 'Op Silent' });
  await expect(article).toBeVisible();
  const isCut = (url: URL): boolean => /^\/(trpc|healthz|api)/.test(url.pathname);
  await page.route(isCut, (route) => route.abort('connectionrefused'));
  await press(article, 'Standby');
  await expect(article).toContainText(WAITING);
  await expect(
    page.getByText(/^Marshal isn't responding\. .* is kept on this device and sent once it responds\.$/),
  ).toBeVisible();
  await page.unroute(isCut);
  await expect(article).toContainText('1st in line');
  await expect(article).not.toContainText(WAITING);
  expect((await read(pilot, order)).rsvp).toBe('standby');
  expect(await keysOf(pilot)).toHaveLength(1);
});

test('an answer for a seat that is gone meanwhile says so with a link to the open ones, until it is dismissed', async ({
  browser,
}) => {
  const { pilot, order } = await givenOrdered('Op Gone');
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  const card = page.getByRole('article', { name: 'Op Gone' });
  await expect(card).toBeVisible();
  await page.context().setOffline(true);
  await press(card, 'Accept');
  await expect(card).toContainText(WAITING);
  await run(sql`delete from seat where order_id = ${order.id}`);
  await run(
    sql`update frag_order set status = 'cancelled', status_reason = 'superseded', is_shared_offer = true where id = ${order.id}`,
  );
  await page.context().setOffline(false);
  const notice = page.getByRole('status').filter({ hasText: "wasn't saved" });
  await expect(notice).toHaveText(
    /^Your answer to FRAG-\d+ Op Gone \(Accepted\) wasn't saved\. This seat has been taken by another pilot\. See open seats/,
  );
  await page.reload();
  await expect(notice).toBeVisible();
  await notice.getByRole('link', { name: /Op Gone/ }).click();
  await expect(page).toHaveURL(`${service.url}/orders/${order.id}`);
  // said once on the order's own page
  await expect(notice).toHaveCount(1);
  await expect(page.getByRole('article', { name: 'Op Gone' })).toContainText(
    "Your answer, Accepted, wasn't saved. This seat has been taken by another pilot. See open seats",
  );
  await notice.getByRole('link', { name: 'See open seats' }).click();
  await expect(page).toHaveURL(/\/missions/);
  // the order's own page, which says it as well, is left a moment after its address
  await expect(notice).toHaveCount(1);
  await press(notice, 'Dismiss');
  await expect(notice).toHaveCount(0);
  expect(await keysOf(pilot)).toEqual([]);
});

test('an answer that was given elsewhere meanwhile counts, and the kept one does not', async ({ browser }) => {
  const { pilot, order } = await givenOrdered('Op Elsewhere');
  const page = await openAs(browser, service, pilot);
  await page.goto(`/orders/${order.id}`);
  const article = page.getByRole('article', { name: 'Op Elsewhere' });
  await expect(article).toBeVisible();
  await page.context().setOffline(true);
  await press(article, 'Accept');
  await expect(article).toContainText(WAITING);
  await respond(pilot, order, 'declined');
  await page.context().setOffline(false);
  await expect(article).toContainText(
    "Your answer, Accepted, wasn't saved. The order changed meanwhile and is now declined. Answer again if you still want to.",
  );
  expect((await read(pilot, order)).rsvp).toBe('declined');
  await press(article, 'Accept');
  await expect(article).toContainText('This seat is yours.');
  await expect(article).not.toContainText("wasn't saved");
});

test('a kept answer waits for its own account: another one neither sees nor sends it', async ({ browser }) => {
  const { pilot, order } = await givenOrdered('Op Mine');
  const other = await givenPerson(service, { displayName: 'Other' });
  const page = await openAs(browser, service, pilot);
  const context = page.context();
  await page.goto('/home');
  const card = page.getByRole('article', { name: 'Op Mine' });
  await expect(card).toBeVisible();
  const sent = noteAnswers(context);
  await context.setOffline(true);
  await press(card, 'Accept');
  await expect(card).toContainText(WAITING);
  // The open page still shows the first pilot while the browser has the session of another one.
  await signIn(context, service, other);
  const asked = page.waitForResponse(/auth\.me/);
  await context.setOffline(false);
  await asked;
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Other');
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  await expect(page.getByText(/Waiting for network|kept on this device|Your answer/)).toHaveCount(0);
  expect(sent).toEqual([]);
  expect((await read(pilot, order)).rsvp).toBe('pending');

  await signIn(context, service, pilot);
  await page.goto('/home');
  await expect(region(page, 'Accepted Missions')).toContainText('Op Mine');
  expect(sent).toHaveLength(1);
});

test('when the session has ended, the answer waits for the sign-in', async ({ browser }) => {
  const { pilot, order } = await givenOrdered('Op Ended');
  const page = await openAs(browser, service, pilot);
  await page.goto(`/orders/${order.id}`);
  const article = page.getByRole('article', { name: 'Op Ended' });
  await expect(article).toBeVisible();
  await page.context().setOffline(true);
  await press(article, 'Accept');
  await expect(article).toContainText(WAITING);
  await run(sql`delete from session where user_id = ${pilot.id}`);
  await page.context().setOffline(false);
  await expect(page).toHaveURL(`${service.url}/login`);
  await expect(page.getByText('kept on this device. It is sent once you sign in.')).toBeVisible();
  await page.getByLabel('Email').fill(pilot.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(`${service.url}/orders/${order.id}`);
  await expect(article).toContainText('This seat is yours.');
  expect(await keysOf(pilot)).toHaveLength(1);
});

test('a sign-out discards what waits, and says so', async ({ browser }) => {
  const { pilot, order } = await givenOrdered('Op Leave');
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  const card = page.getByRole('article', { name: 'Op Leave' });
  await expect(card).toBeVisible();
  await page.context().setOffline(true);
  await press(card, 'Accept');
  await expect(card).toContainText(WAITING);
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('1 change that waited for the network was not sent.')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('marshal-kept')))).toEqual(
    [],
  );
  await page.context().setOffline(false);
  await expect(page.getByText(/You are not signed out yet/)).toHaveCount(0);
  expect((await read(await signedInAgain(pilot), order)).rsvp).toBe('pending');
});

/** The same person with a new session. */
async function signedInAgain(person: Person): Promise<Person> {
  await person.client.call('POST', '/auth/login', { email: person.email, password: PASSWORD });
  return person;
}
