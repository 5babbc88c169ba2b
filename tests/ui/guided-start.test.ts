/** The guided start on /admin: practise alone, remove it, put the steps away; no layout shift, every width and scheme. */
import { expect, test, type Page } from '@playwright/test';
import { ensureFirstAdmin } from '#server/accounts/first-admin.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

/** The limit of every route. */
const SHIFT_MAX = 0.05;

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const steps = (page: Page) => page.getByRole('list', { name: 'First steps' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an admin practises alone: the order, the marks, and the removal', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin');
  await expect(steps(page).getByRole('listitem')).toHaveCount(5);
  await expect(steps(page)).toContainText('Choose your call sign and time zone (done)');
  // the next step stands out, the others do not
  await expect(steps(page).locator('[data-variant="filled"]')).toHaveText(['Save Name']);
  await expect(steps(page).locator(':is(a, button)[data-variant="default"]:not([aria-hidden])')).toHaveCount(3);
  const height = async () => (await page.getByRole('region', { name: /^First steps/ }).boundingBox())?.height;
  const before = await height();
  await button(page, 'Start a Practice Mission').click();
  await expect(page.getByText('Your practice order is on your home page')).toBeVisible();
  expect(await height()).toBe(before);
  await page.getByRole('link', { name: 'Answer Your Order' }).click();
  await expect(page.getByRole('region', { name: 'Inbox' })).toContainText('Practice mission');
  // the mark, and not only the name, which an edit can change
  const mark = page.getByRole('main').getByText('Practice', { exact: true });
  await expect(mark).toBeVisible();
  await page
    .getByRole('region', { name: 'Inbox' })
    .getByRole('link', { name: /^FRAG-/ })
    .click();
  await expect(page).toHaveURL(/\/orders\//);
  await expect(mark).toBeVisible();
  await page.goBack();
  await button(page, 'Accept').click();
  await expect(page.getByText(/^You're in: .+, seat \d/)).toBeVisible();

  const { practice } = (await admin.client.call('GET', '/admin/guided-start')).body;
  const date = practice.startUtc.slice(0, 10);
  await page.goto(`/admin?day=${date}`);
  await expect(page.getByRole('article', { name: 'Practice mission' })).toContainText('Practice', { ignoreCase: true });
  await expect(
    page.getByRole('article', { name: 'Practice mission' }).getByText('Practice', { exact: true }),
  ).toBeVisible();
  await page.getByRole('article', { name: 'Practice mission' }).getByRole('link', { name: 'Practice mission' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Mission Details - ${date}`);
  await expect(page.getByText('Practice', { exact: true })).toBeVisible();
  await button(page, 'Remove practice').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`No missions found for ${date}`)).toBeVisible();
  await page.goto('/home');
  await expect(page.getByText('No orders waiting')).toBeVisible();
  await expect(page.getByText('Practice mission', { exact: true })).toHaveCount(0);
});

test('the steps fit every width and scheme, and appear with the board: nothing below them moves', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await page.addInitScript(() => {
    const record = { shift: 0 };
    Reflect.set(window, 'shifted', record);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, 'hadRecentInput') !== true) record.shift += Number(Reflect.get(entry, 'value'));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const width of [1440, 360, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/admin');
    await expect(steps(page)).toBeVisible();
    await expect(page.getByText('Nobody has entered times yet')).toBeVisible();
    // panels that have nothing to show yet stay away
    await expect(page.getByRole('main').getByRole('region')).toHaveText([
      /^First steps/,
      /^Next 7 Days/,
      /^Pilots' times/,
      /^Missions /,
    ]);
    expect(await page.evaluate(() => Reflect.get(window, 'shifted').shift)).toBeLessThanOrEqual(SHIFT_MAX);
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }
});

test('the first steps are done inside the list, by keyboard alone, and each is stored', async ({ browser }) => {
  const fresh = await startService({ withClient: true });
  try {
    const leader = { email: 'leader@example.org', password: PASSWORD };
    await ensureFirstAdmin(fresh.app.orm.em.fork(), fresh.app.passwords, leader);
    const page = await (await browser.newContext({ timezoneId: 'America/New_York' })).newPage();
    await page.goto(`${fresh.url}/login`);
    await expect(page.getByText('Forgot your password? Ask an admin for a sign-in link.')).toBeVisible();
    await page.getByLabel('Email').fill(leader.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    // the home page of an admin whose community has not flown yet begins with them
    await expect(page).toHaveURL(/\/home$/);

    // the form answers also before the community's settings are there
    const settings = Promise.withResolvers<void>();
    await page.route(/admin\.community\.get\b/, async (route) => {
      await settings.promise;
      await route.continue();
    });
    await page.getByLabel('Community name').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Enter the name of your community')).toBeVisible();
    settings.resolve();
    await page.keyboard.type('Lantern Wing');
    await page.keyboard.press('Enter');
    await expect(steps(page)).toContainText('Name your community (done)');
    // the next step has the focus
    await expect(page.getByLabel('Call sign')).toBeFocused();
    await expect(page.getByLabel('Time zone')).toHaveValue('America/New_York');
    await page.keyboard.type('Goose');
    await page.keyboard.press('Enter');
    await expect(steps(page)).toContainText('Choose your call sign and time zone (done)');
    await expect(button(page, 'Create Invite Link')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Invite link', { exact: true })).toHaveValue(/\/join\/[0-9a-z]{12}$/);
    await expect(steps(page)).toContainText('Invite your pilots (done)');
    await expect(button(page, 'Copy Discord message')).toBeVisible();
    for (const width of [1440, 360, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    }

    const stored = await query<object>(
      fresh.app.orm.em.fork(),
      sql`select c.name, u.display_name as "callSign", u.time_zone as "timeZone", (select count(*)::int from invite) as invites
          from community c, app_user u`,
    );
    expect(stored).toEqual([{ name: 'Lantern Wing', callSign: 'Goose', timeZone: 'America/New_York', invites: 1 }]);
    await page.context().close();
  } finally {
    await fresh.stop();
  }
});

test('putting the steps away counts for all admins', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin');
  await button(page, 'Hide the first steps').click();
  await expect(steps(page)).toHaveCount(0);
  const other = await openAs(browser, service, await givenPerson(service, { roles: ['user', 'admin'] }));
  await other.goto('/admin');
  await expect(other.getByRole('heading', { name: 'Next 7 Days' })).toBeVisible();
  await expect(steps(other)).toHaveCount(0);
});
