/** Parts that cannot be loaded: a page that is open during a release reloads itself once, and one that is being left does not. */
import { expect, test, type Page } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** The part of the registration page, which the sign-in page leads to. */
const PART = /\/assets\/account-[\w-]+\.js$/;

/** Follows the link to a page whose part is gone. */
async function followToMissing(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isFirst: true }));
  await page.route(PART, (route) => route.abort());
  const isAsked = page.waitForRequest(PART);
  await page.getByRole('link', { name: 'Register here' }).click();
  await isAsked;
}

test('a page whose part is gone reloads itself', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await followToMissing(page);
  await page.waitForFunction(() => !Object.hasOwn(window, 'isFirst'));
});

test('a page that is being left does not reload itself, which would cancel the navigation', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await page.evaluate(() => dispatchEvent(new Event('beforeunload')));
  await followToMissing(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong');
  expect(await page.evaluate(() => Object.hasOwn(window, 'isFirst'))).toBe(true);
});
