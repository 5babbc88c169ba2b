/** /profile/data, "Your data": the download, deleting the account, the notice on every page, and keeping the account. */
import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let pilot: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true, withJobs: true });
  const admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Ember', timeZone: 'Europe/Berlin' });
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, { name: 'Op Farewell' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const dialog = (page: Page) => page.getByRole('dialog');
const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Your account will be deleted on' });

test('a pilot downloads the data, deletes the account, and keeps it after all', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  await page.goto('/profile/data');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download your data' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('marshal-data.json');
  const data = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(data.account).toMatchObject({ callSign: 'Ember', email: pilot.email });
  expect(data.missions.orders[0].mission.name).toBe('Op Farewell');

  await page.getByRole('button', { name: 'Delete account…' }).press('Enter');
  await expect(dialog(page)).toContainText('For 14 days you can sign in and keep the account.');
  await dialog(page).getByLabel('Password', { exact: true }).fill('not the password');
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('The current password is not correct');
  expect(await findViolations(page)).toEqual([]);
  await dialog(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog(page).getByLabel('Password', { exact: true }).press('Enter');
  await expect(notice(page)).toBeVisible();
  await expect(page.getByText('You asked to delete this account. Keep it to fly again.')).toBeVisible();
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }

  await page.goto('/home');
  await expect(notice(page)).toBeVisible();
  await expect(page.getByText('About to be deleted')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(notice(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ember');
  await expect(page.getByRole('region', { name: 'Inbox' })).toBeVisible();
  await page.goto('/profile/data');
  await expect(page.getByRole('button', { name: 'Delete account…' })).toBeVisible();
});
