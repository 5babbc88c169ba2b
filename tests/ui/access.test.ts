/** Who may see which page, and where everybody else ends up. */
import { expect, test } from '@playwright/test';
import type { Person } from '#tests/given.ts';
import { startService, type Service } from '#tests/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { givenRoutes, ROUTES, type RoutesWorld } from './routes.ts';

let service: Service;
let admin: Person;
let pilot: Person;
let addressOf: RoutesWorld['addressOf'];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  ({ admin, pilot, addressOf } = await givenRoutes(service));
});
test.afterAll(() => service.stop());
closePagesAfterEach();

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
