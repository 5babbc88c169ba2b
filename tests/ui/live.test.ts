/** Live updates between browsers, and polling without the stream. */
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { LIVE_PATH } from '#shared/live.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenPilot, inbox, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { openAs } from './pages.ts';

/** A mission created in one browser must be in the inbox of another within this time. */
const SOON_MS = 2_000;
/** The specification's polling interval of the inbox. */
const POLL_MS = 30_000;

let service: Service;
let admin: Person;
let contexts: BrowserContext[] = [];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
test.afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
  await retirePilots(service);
});

const card = (page: Page, mission: string) => page.getByRole('article', { name: mission });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const isStream = (url: URL): boolean => url.pathname === LIVE_PATH;
const streamOf = (page: Page) => page.waitForResponse((response) => isStream(new URL(response.url())));
const answerOf = (page: Page, procedure: string) =>
  page.waitForResponse((response) => response.url().includes(procedure) && response.ok());

async function openPage(browser: Browser, person: Person): Promise<Page> {
  const page = await openAs(browser, service, person);
  contexts.push(page.context());
  return page;
}

/** A page that listens. */
async function openLive(page: Page, path: string): Promise<void> {
  const stream = streamOf(page);
  await page.goto(path);
  expect((await stream).status()).toBe(200);
}

test('a mission created in one browser is in the inbox of another within two seconds, without a reload', async ({
  browser,
}) => {
  const pilot = await givenPilot(service);
  const home = await openPage(browser, pilot);
  await openLive(home, '/home');
  await expect(region(home, 'Inbox')).toContainText('No orders waiting');
  let navigations = 0;
  home.on('framenavigated', () => {
    navigations += 1;
  });

  const ops = await openPage(browser, admin);
  await ops.goto('/admin/missions');
  await ops.getByLabel('Mission name').fill('Op Lightning');
  await ops.getByLabel('Theater').selectOption('Syria');
  const [date] = hoursFromNow(48).split('T');
  await ops.getByLabel('Start date').fill(date ?? '');
  await ops.getByLabel('End date').fill(date ?? '');
  await ops.getByRole('button', { name: 'Add Aircraft' }).click();
  const slot = ops.getByRole('group', { name: 'Aircraft 1' });
  await slot.getByLabel('Aircraft', { exact: true }).selectOption({ label: 'F-16C Viper (F-16C_50)' });
  const created = answerOf(ops, 'admin.createMission');
  await ops.getByRole('button', { name: 'Create Mission' }).click();
  await created;
  const since = performance.now();
  await expect(card(home, 'Op Lightning')).toBeVisible({ timeout: SOON_MS });
  expect(performance.now() - since).toBeLessThan(SOON_MS);
  await expect(home.getByText('1 order needs an answer.')).toBeVisible();
  expect(navigations).toBe(0);
});

test('with the stream blocked, the inbox shows it within thirty seconds', async ({ browser }) => {
  const pilot = await givenPilot(service);
  const home = await openPage(browser, pilot);
  await home.route(isStream, (route) => route.abort('connectionrefused'));
  await home.clock.install();
  const refused = home.waitForEvent('requestfailed', (request) => isStream(new URL(request.url())));
  await home.goto('/home');
  await refused;
  await expect(region(home, 'Inbox')).toContainText('No orders waiting');
  await givenMission(service, admin, { name: 'Op Slow Boat' });
  await home.clock.runFor(POLL_MS / 2);
  await expect(card(home, 'Op Slow Boat')).toHaveCount(0);
  await home.clock.runFor(POLL_MS / 2);
  await expect(card(home, 'Op Slow Boat')).toBeVisible();
});

test('an answer in one tab shows in the other and on the board, and a sign-out signs out every tab', async ({
  browser,
}) => {
  const pilot = await givenPilot(service);
  const startLocal = hoursFromNow(30);
  await givenMission(service, admin, { name: 'Op Twin', startLocal, endLocal: hoursFromNow(33) });
  const tab = await openPage(browser, pilot);
  const other = await tab.context().newPage();
  const board = await openPage(browser, admin);
  await Promise.all([
    openLive(tab, '/home'),
    openLive(other, '/home'),
    openLive(board, `/admin/missions/${startLocal.slice(0, 10)}`),
  ]);
  await expect(card(other, 'Op Twin')).toBeVisible();
  await expect(region(board, 'Op Twin')).toContainText('No pilots assigned');

  await card(tab, 'Op Twin').getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(region(other, 'Inbox')).toContainText('No orders waiting');
  await expect(region(other, 'Accepted Missions')).toContainText('Op Twin');
  await expect(region(board, 'Op Twin')).toContainText(pilot.displayName ?? '');

  await tab.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await tab.waitForURL('**/login');
  await other.waitForURL('**/login');
});

test('a hidden tab closes its stream, and is up to date when it is shown again', async ({ browser }) => {
  const pilot = await givenPilot(service);
  const page = await openPage(browser, pilot);
  await openLive(page, '/home');
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  // Headless Chromium shows every tab: the test sends the visibility event that a browser would.
  const show = (isSeen: boolean) =>
    page.evaluate((seen) => {
      Object.defineProperty(document, 'hidden', { value: !seen, configurable: true });
      Object.defineProperty(document, 'visibilityState', { value: seen ? 'visible' : 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isSeen);
  const closed = page.waitForEvent('requestfailed', (request) => isStream(new URL(request.url())));
  await show(false);
  await closed;
  await givenMission(service, admin, { name: 'Op Night Shift' });
  expect(await inbox(pilot)).toHaveLength(1);
  await expect(card(page, 'Op Night Shift')).toHaveCount(0);
  const stream = streamOf(page);
  await show(true);
  expect((await stream).status()).toBe(200);
  await expect(card(page, 'Op Night Shift')).toBeVisible({ timeout: SOON_MS });
});

test('a name changed in one tab changes in the other', async ({ browser }) => {
  const pilot = await givenPilot(service);
  const page = await openPage(browser, pilot);
  await openLive(page, '/home');
  await pilot.client.call('PUT', `/users/${pilot.id}`, { displayName: 'Viper', timeZone: 'UTC' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Viper');
});
