/** Redirects of visitors and pilots from the pages that are not for them; `all-routes.test.ts` opens all as an admin. */
import { expect, test, type Page } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
import { openAs } from './pages.ts';
import { givenRoutes, ROUTES, type RoutesWorld } from './routes.ts';

let service: Service;
let addressOf: RoutesWorld['addressOf'];
/** One context each for all routes: every page is loaded by its address, with its scripts from the cache. */
let visitor: Page;
let flyer: Page;

test.beforeAll(async ({ browser }) => {
  service = await startService({ withClient: true });
  const world = await givenRoutes(service);
  ({ addressOf } = world);
  visitor = await openAs(browser, service, null);
  flyer = await openAs(browser, service, world.pilot);
});
test.afterAll(async () => {
  await Promise.all([visitor, flyer].map((page) => page.context().close()));
  await service.stop();
});

for (const { path, access } of ROUTES.filter((route) => route.access !== 'public')) {
  test(`${path} is for ${access}`, async () => {
    const address = addressOf(path);
    await visitor.goto(address);
    await expect(visitor).toHaveURL(`${service.url}/login`);
    await expect(visitor.locator('h1')).toHaveCount(1);

    await flyer.goto(address);
    await expect(flyer).toHaveURL(service.url + (access === 'admin' ? '/home' : address));
    await expect(flyer.locator('h1')).toHaveCount(1);
  });
}

test('a path reserved for machines answers 404 instead of a page', async () => {
  const answer = await fetch(`${service.url}/metrics/page`, { headers: { accept: 'text/html' } });
  expect([answer.status, await answer.json()]).toEqual([404, { code: 'NOT_FOUND', message: 'Not found' }]);
});

test('an unknown path leads to the landing page', async () => {
  await visitor.goto('/no/such/page?really=1');
  await expect(visitor).toHaveURL(`${service.url}/`);
});
