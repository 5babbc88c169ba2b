/** Checks of every route of the product: one heading, a title, no overflow, and nothing that axe finds. */
import { expect, test, type Page } from '@playwright/test';
import type { Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findPaleText, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';
import { givenRoutes, ROUTES, type Route, type RoutesWorld } from './routes.ts';

let service: Service;
let admin: Person;
let addressOf: RoutesWorld['addressOf'];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  ({ admin, addressOf } = await givenRoutes(service));
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** Opens a route as a user who may see it, and waits until it has loaded. */
async function visit(page: Page, { path, shows }: Route, isAdmin = true): Promise<void> {
  await page.goto(addressOf(path));
  await expect(page.locator('h1')).toHaveCount(1);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  if (shows !== undefined && isAdmin) {
    await expect(page.locator('main')).toContainText(shows);
    await expect(page.locator('main').getByRole('alert')).toHaveCount(0);
  }
}

/** Whether the page stays too wide; charts are drawn again a moment after the window's width changes. */
async function overflows(page: Page): Promise<boolean> {
  const isCalm = expect.poll(() => overflowOf(page), { timeout: 3_000 }).toBeLessThanOrEqual(0);
  return isCalm.then(
    () => false,
    () => true,
  );
}

/** Routes that share their title with another one. */
function sharedTitles(titles: Map<string, string>): [string, string][] {
  const own = [...titles].filter(([path]) => path !== '/admin'); // the same page as /admin/dashboard
  return own.filter(([path, title]) => own.some(([other, same]) => other !== path && same === title));
}

// A page is opened once and then shown in every width and scheme: opening it costs more than looking at it.
test('every route opens for an admin and has its own title; nothing overflows down to 320 px, and axe finds nothing in both schemes', async ({
  browser,
}) => {
  test.setTimeout(360_000);
  const page = await openAs(browser, service, admin);
  const found = hearComplaints(page);
  const titles = new Map<string, string>();
  for (const route of ROUTES) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(page, route);
    if (page.url() !== service.url + addressOf(route.path)) found.push(`${route.path} leads to ${page.url()}`);
    // the page replaces the document's title once its heading is shown
    await expect(page).not.toHaveTitle('Marshal');
    titles.set(route.path, await page.title());
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const place = `${route.path} at ${width} px`;
      if (await overflows(page)) found.push(`${place} overflows`);
      // sticky bars cover content that scrolls beneath them: check the whole length at once
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height });
      found.push(...(await findInSchemes(page)).map((violation) => `${place}, ${violation}`));
    }
    await page.setViewportSize({ width: 320, height: 700 });
    if (await overflows(page)) found.push(`${route.path} at 320 px overflows`);
  }
  expect(found).toEqual([]);
  expect(sharedTitles(titles)).toEqual([]);
});

test('for a visitor nothing overflows at 320 px, and the console stays clean', async ({ browser }) => {
  const page = await openAs(browser, service, null, { viewport: { width: 320, height: 700 } });
  const found = hearComplaints(page);
  for (const route of ROUTES.filter(({ access }) => access === 'public')) {
    await visit(page, route, false);
    if ((await overflowOf(page)) > 0) found.push(`${route.path} overflows`);
  }
  expect(found).toEqual([]);
});

test('planted violations are found', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await expect(page.locator('h1')).toHaveCount(1);
  expect(await findPaleText(page)).toEqual([]);
  await page.evaluate(() => {
    const image = document.createElement('img');
    image.src = '/icon.svg';
    const pale = document.createElement('p');
    pale.textContent = 'Hardly to be read';
    pale.style.cssText = 'color: #777; background: #888';
    document.querySelector('main')?.append(image, pale);
  });
  const found = await findViolations(page);
  expect(found).toContainEqual(expect.stringMatching(/^image-alt: /));
  expect(found).toContainEqual(expect.stringMatching(/^color-contrast: /));
  expect(await findPaleText(page)).toEqual([expect.stringMatching(/^color-contrast: /)]);
});
