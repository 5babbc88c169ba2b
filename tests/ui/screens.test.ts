/** What holds on every route of the product: access, one heading, a title, no overflow, and nothing that axe finds. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, hoursFromNow, type Person } from '#tests/given.ts';
import { startService, type Service } from '#tests/service.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';

/** stands in for the id of the admin's own frag order, which exists once the service runs */
const ORDER = '{orderId}';
const ANY_ID = '0192c0de-0000-7000-8000-000000000000';
/** The specification's route table, and where a visitor and a pilot without the admin role end up. */
const ROUTES = [
  { path: '/', access: 'public' },
  { path: '/login', access: 'public' },
  { path: '/register/account', access: 'public' },
  { path: '/demo', access: 'public' },
  { path: '/discord/registration', access: 'public' },
  { path: '/discord/registration/success', access: 'public' },
  { path: '/sign-in/none', access: 'public' },
  { path: '/register/profile', access: 'signedIn' },
  { path: '/register/preferences', access: 'signedIn' },
  { path: '/register/status', access: 'signedIn' },
  { path: '/home', access: 'signedIn' },
  { path: '/availability', access: 'signedIn' },
  { path: '/profile', access: 'signedIn' },
  { path: '/credentials', access: 'signedIn' },
  { path: `/orders/${ORDER}`, access: 'signedIn' },
  { path: '/admin', access: 'admin' },
  { path: '/admin/dashboard', access: 'admin' },
  { path: '/admin/users', access: 'admin' },
  { path: `/admin/users/${ANY_ID}/availability`, access: 'admin' },
  { path: '/admin/missions', access: 'admin' },
  { path: `/admin/missions/${hoursFromNow(30).slice(0, 10)}`, access: 'admin' },
  { path: '/admin/discord/guilds', access: 'admin' },
  { path: '/admin/discord/guilds/1', access: 'admin' },
] as const;

let service: Service;
let admin: Person;
let pilot: Person;
let orderId: string;

/** The address of a route. */
const addressOf = (path: string): string => path.replace(ORDER, orderId);

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { timeZone: 'Europe/Berlin' });
  await givenAlwaysFree(service, pilot.id);
  await givenAlwaysFree(service, admin.id);
  await givenMission(service, admin, { aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' }] });
  [{ id: orderId }] = (await admin.client.call('GET', '/pilot/inbox')).body;
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** Open a route and wait until it shows what it came for. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(addressOf(path));
  await expect(page.locator('h1')).toHaveCount(1);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
}

async function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth;
  });
}

for (const { path, access } of ROUTES) {
  test(`${path} is for ${access}`, async ({ browser }) => {
    const address = addressOf(path);
    const itself = `${service.url}${address}`;
    const visitor = await openAs(browser, service, null);
    await visitor.goto(address);
    await expect(visitor).toHaveURL(access === 'public' ? itself : `${service.url}/login`);
    await expect(visitor.locator('h1')).toHaveCount(1);

    const page = await openAs(browser, service, pilot);
    await page.goto(address);
    await expect(page).toHaveURL(access === 'admin' ? `${service.url}/home` : itself);
    await expect(page.locator('h1')).toHaveCount(1);

    const ops = await openAs(browser, service, admin);
    await ops.goto(address);
    await expect(ops).toHaveURL(itself);
    await expect(ops.locator('h1')).toHaveCount(1);
    await expect(ops.locator('main')).not.toBeEmpty();
  });
}

test('an unknown path leads to the landing page', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/no/such/page?really=1');
  await expect(page).toHaveURL(`${service.url}/`);
});

test('every route has a title of its own', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  const titles = new Map<string, string>();
  for (const { path } of ROUTES) {
    await page.goto(addressOf(path));
    await expect(page.locator('h1')).toHaveCount(1);
    titles.set(path, await page.title());
  }
  titles.delete('/admin/dashboard'); // the same page as /admin
  const shared = [...titles].filter(([path, title]) =>
    [...titles].some(([other, same]) => other !== path && same === title),
  );
  expect(shared).toEqual([]);
});

for (const colorScheme of ['dark', 'light'] as const) {
  for (const width of [1440, 360]) {
    test(`nothing overflows and axe finds nothing, ${colorScheme} at ${width} px`, async ({ browser }) => {
      test.setTimeout(180_000);
      const page = await openAs(browser, service, admin, { colorScheme });
      const found = hearComplaints(page);
      for (const { path } of ROUTES) {
        await page.setViewportSize({ width, height: 900 });
        await visit(page, path);
        if (await overflows(page)) found.push(`${path} overflows`);
        // bars that stay on the screen cover what scrolls beneath them: look at the whole length at once
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height });
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
          .analyze();
        found.push(
          ...violations.map(
            ({ id, nodes }) => `${path} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
          ),
        );
      }
      expect(found).toEqual([]);
    });
  }
}

test('nothing overflows at 320 px, with the links of an admin or of a visitor, who finds no page complaining', async ({
  browser,
}) => {
  for (const person of [admin, null]) {
    const page = await openAs(browser, service, person, { viewport: { width: 320, height: 700 } });
    const complaints = hearComplaints(page);
    for (const { path } of ROUTES) {
      await visit(page, path);
      expect(await overflows(page), path).toBe(false);
    }
    expect(complaints).toEqual([]);
  }
});

test('the look for violations can find one', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await expect(page.locator('h1')).toHaveCount(1);
  await page.evaluate(() => {
    const image = document.createElement('img');
    image.src = '/icon.svg';
    document.querySelector('main')?.append(image);
  });
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a']).analyze();
  expect(violations.map(({ id }) => id)).toContain('image-alt');
});
