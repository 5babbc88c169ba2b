/** Confirming who one is, long after the sign-in, before something gives access: with the password, and the second factor where one is set. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, givenAuthenticator } from '#tests/harness/second-factor.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { button, choose, done, menuOf, notice, openUsers, rowOf } from './users-page.ts';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.beforeEach(async () => {
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const em = () => service.app.orm.em.fork();
const age = ({ id }: Person) =>
  query(em(), sql`update session set created_at = now() - interval '11 minutes' where user_id = ${id}`);
const rolesOf = (page: Page, name: string) => rowOf(page, name).getByRole('listitem');
const check = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
const password = (page: Page) => check(page).getByLabel('Your password', { exact: true });

test('an old session adds an admin after the password, and goes on by itself', async ({ browser }) => {
  await givenPerson(service, { displayName: 'Maverick' });
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=maverick');
  await age(admin);
  await choose(page, 'Maverick', 'Add admin role');
  await button(page, 'Add').click();
  await expect(password(page)).toBeFocused();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }

  await password(page).fill('not the password');
  await page.keyboard.press('Enter');
  await expect(check(page)).toContainText('This password is not correct.');
  await password(page).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(done(page)).toHaveText('Role added successfully!');
  await expect(rolesOf(page, 'Maverick')).toHaveText(['admin', 'user']);
  await expect(check(page)).toHaveCount(0);
  await expect(menuOf(page, 'Maverick')).toBeFocused();
  // the new sign-in counts for what comes after it
  await button(page, 'Remove admin role from Maverick').click();
  await button(page, 'Remove').click();
  await expect(rolesOf(page, 'Maverick')).toHaveText(['user']);
  await choose(page, 'Maverick', 'Add admin role');
  await button(page, 'Add').click();
  await expect(rolesOf(page, 'Maverick')).toHaveText(['admin', 'user']);
});

test('cancelled, it changes nothing and says why', async ({ browser }) => {
  await givenPerson(service, { displayName: 'Merlin' });
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=merlin');
  await age(admin);
  await choose(page, 'Merlin', 'Add admin role');
  await button(page, 'Add').click();
  await expect(password(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(check(page)).toHaveCount(0);
  await expect(page.getByText('Error adding role: Please confirm that it is you')).toBeVisible();
  await expect(rolesOf(page, 'Merlin')).toHaveText(['user']);
});

test('a second factor is asked for as well, and an invite for admins is made once', async ({ browser }) => {
  const { key } = await givenAuthenticator(admin);
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  await age(admin);
  await button(page, 'Create invite').first().click();
  const form = page.getByRole('dialog').filter({ hasText: 'For admins' });
  await form.getByLabel('Name').fill('Deputies');
  await form.getByLabel('For admins').check();
  await form.getByRole('button', { name: 'Create invite' }).click();
  await password(page).fill(PASSWORD);
  await page.keyboard.press('Enter');
  const code = check(page).getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }
  await code.fill(codeOf(key));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Invite link', { exact: true })).toHaveValue(/\/join\//);
  const made = await query<{ n: number }>(
    em(),
    sql`select count(*)::int as n from invite where created_by_id = ${admin.id}`,
  );
  expect(made).toEqual([{ n: 1 }]);
});

test('an account without a password is told to sign in again', async ({ browser }) => {
  await givenPerson(service, { displayName: 'Hollywood' });
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=hollywood');
  await age(admin);
  await query(em(), sql`update app_user set password_hash = null where id = ${admin.id}`);
  await choose(page, 'Hollywood', 'Add admin role');
  await button(page, 'Add').click();
  await expect(check(page)).toContainText('this account has no password to confirm with');
  await expect(password(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(rolesOf(page, 'Hollywood')).toHaveText(['user']);
  await expect(notice(page)).toBeAttached();
});
