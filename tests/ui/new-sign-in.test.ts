/** The notice of a sign-in from a new device on the devices that were there before: confirmed or ended, once. */
import { expect, test, type Page } from '@playwright/test';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A pilot with a session, and a second one from a device that had never signed in. */
async function givenSecondDevice(): Promise<{ pilot: Person; stranger: Client }> {
  const pilot = await givenPerson(service);
  // its first sign-in ever is no news
  await pilot.client.call('GET', '/auth/me');
  const stranger = createClient(service);
  const account = { email: pilot.email, password: PASSWORD };
  const { status } = await stranger.call('POST', '/auth/login', account, { 'user-agent': FIREFOX });
  expect(status).toBe(200);
  return { pilot, stranger };
}

const noticeOn = (page: Page) => page.getByRole('status').filter({ hasText: 'New sign-in from Firefox on Windows' });
const isSignedIn = async (client: Client) => (await client.call('GET', '/auth/me')).status === 200;

test('it is shown on the other device only, and confirmed once', async ({ browser }) => {
  const { pilot, stranger } = await givenSecondDevice();
  const other = await openAs(browser, service, { ...pilot, client: stranger });
  await other.goto('/home');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(noticeOn(other)).toHaveCount(0);

  const page = await openAs(browser, service, pilot);
  await page.goto('/availability');
  await expect(noticeOn(page)).toBeVisible();
  await noticeOn(page).getByRole('button', { name: 'It was me' }).click();
  await expect(noticeOn(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(noticeOn(page)).toHaveCount(0);
  expect(await isSignedIn(stranger)).toBe(true);
});

test('its session can be ended, and the notice leads to the password', async ({ browser }) => {
  const { pilot, stranger } = await givenSecondDevice();
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  await noticeOn(page).getByRole('button', { name: 'End this session' }).click();
  await expect(noticeOn(page)).toHaveCount(0);
  expect([await isSignedIn(stranger), await isSignedIn(pilot.client)]).toEqual([false, true]);

  const again = await givenSecondDevice();
  const next = await openAs(browser, service, again.pilot);
  await next.goto('/home');
  await noticeOn(next).getByRole('link', { name: 'change your password' }).click();
  await expect(next).toHaveURL(/\/profile\/security#password$/);
});

test('it fits a phone, and axe finds nothing in both schemes', async ({ browser }) => {
  const { pilot } = await givenSecondDevice();
  const page = await openAs(browser, service, pilot, { viewport: { width: 360, height: 800 } });
  await page.goto('/home');
  await expect(noticeOn(page)).toBeVisible();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  expect(await findInSchemes(page)).toEqual([]);
});
