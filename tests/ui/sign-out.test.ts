/** A sign-out that does not reach the server: reported, retried, and never reverted. */
import { test, expect, type Page } from '@playwright/test';
import { givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOff, cutOffLive, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'You are not signed out yet' });
const status = async (cookie: string) => (await fetch(`${service.url}/api/v1/auth/me`, { headers: { cookie } })).status;

async function pressLogout(page: Page): Promise<void> {
  const logged = page.waitForEvent('console', (message) => message.text().startsWith('Logout failed'));
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await logged;
}

test('a sign-out that did not reach the server is reported, blocks /home, and is completed as soon as possible', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: 'Sleeper' });
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Sleeper');
  const mend = await cutOff(page, 'auth.logout');
  await pressLogout(page);
  await expect(page).toHaveURL(`${service.url}/login`);
  await expect(notice(page)).toBeVisible();
  expect(await status(pilot.client.cookie()), 'the session is still open, as the notice says').toBe(200);

  // the cookie still opens everything; the page must not
  await page.goto('/home');
  await expect(page).toHaveURL(`${service.url}/login`);
  await expect(notice(page)).toBeVisible();

  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
  expect(await status(pilot.client.cookie())).toBe(401);
});

test('a failed sign-out is retried automatically, and a reload completes it too', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Sleeper' });
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  await page.goto('/home');
  const mend = await cutOff(page, 'auth.logout');
  await pressLogout(page);
  await mend();
  await expect.poll(() => status(pilot.client.cookie()), { timeout: 15_000 }).toBe(401);
  await expect(notice(page)).toHaveCount(0);

  const other = await givenPerson(service, { displayName: 'Waker' });
  const again = await openAs(browser, service, other);
  await cutOffLive(again);
  await again.goto('/home');
  const mendAgain = await cutOff(again, 'auth.logout');
  await pressLogout(again);
  await mendAgain();
  await again.goto('/home');
  await expect(again).toHaveURL(`${service.url}/login`);
  await expect(notice(again)).toHaveCount(0);
  expect(await status(other.client.cookie())).toBe(401);
});

test('a new sign-in replaces the session that was to end', async ({ browser }) => {
  const [old, next] = [await givenPerson(service), await givenPerson(service, { displayName: 'Next' })];
  const page = await openAs(browser, service, old);
  await cutOffLive(page);
  await page.goto('/home');
  await cutOff(page, 'auth.logout');
  await pressLogout(page);
  await expect(notice(page)).toBeVisible();
  await page.getByLabel('Email').fill(next.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Next');
  await expect(notice(page)).toHaveCount(0);
  expect(await status(old.client.cookie())).toBe(401);
});
