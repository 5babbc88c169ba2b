/** Personal access tokens on the profile: made by keyboard, shown once, listed, revoked; at every width in both schemes. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff } from './pages.ts';
import { button, openProfile, region, toasts } from './profiles.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const TITLE = 'Personal access tokens';
const rowsOf = (page: Page) => region(page, TITLE).getByRole('list', { name: 'Your tokens' }).getByRole('listitem');
const shown = (page: Page, name: string) => page.getByLabel(`Your token “${name}”`);
const listOf = async ({ id, client }: Person) => (await client.call('GET', `/users/${id}/tokens`)).body;
const give = async ({ id, client }: Person, name: string, scopes: readonly string[]) => {
  const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const { status, body } = await client.call('POST', `/users/${id}/tokens`, { name, scopes, expiresAt });
  expect(status).toBe(201);
  return body;
};

test('a token is made by keyboard, shown once, and works', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, service, pilot, '/profile/developer');
  const panel = region(page, TITLE);
  await expect(panel).toContainText('You have no tokens.');
  await button(page, 'Create token').focus();
  await page.keyboard.press('Enter');
  const name = panel.getByLabel('Name');
  await expect(name).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(name).toHaveAccessibleDescription(/Please name the token/);
  await page.keyboard.type('Roster script');
  await expect(panel.getByRole('checkbox')).toHaveCount(2);
  await expect(panel.getByRole('checkbox', { name: 'Read' })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await panel.getByRole('button', { name: 'Create token' }).click();
  await expect(panel.getByRole('alert')).toHaveText('Please choose at least one scope');
  await panel.getByRole('checkbox', { name: 'Pilot' }).focus();
  await page.keyboard.press('Space');
  await expect(panel.getByLabel('Expires')).toHaveValue('90');
  const mend = await cutOff(page, 'auth.tokens.create');
  await name.press('Enter');
  await expect(panel.getByRole('alert')).toHaveText('Failed to make the token');
  await mend();
  await name.press('Enter');

  const field = shown(page, 'Roster script');
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/Copy it now: it won't be shown again\./);
  const token = await field.inputValue();
  expect(token).toMatch(/^mrsh_/);
  expect((await ask(service, 'rest', 'auth.me', {}, { token })).status).toBe(200);
  const [stored] = await listOf(pilot);
  expect(stored).toMatchObject({ name: 'Roster script', scopes: ['pilot'] });
  expect(Math.round((Date.parse(stored.expiresAt) - Date.now()) / 86_400_000)).toBe(90);

  const row = rowsOf(page);
  await expect(row).toContainText('Roster script');
  await expect(row).toContainText(/Expires in (89|90) d, /);
  await expect(row).toContainText('Pilot');
  await button(page, 'Done').click();
  await expect(field).toHaveCount(0);
  await expect(button(page, 'Create token')).toBeFocused();
  await page.reload();
  await expect(row).toContainText('Last used');
  await expect(page.locator('body')).not.toContainText(token.slice(5, 20));
});

test('the secret is copied by its button', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, service, pilot, '/profile/developer', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await button(page, 'Create token').click();
  await region(page, TITLE).getByLabel('Name').fill('Copied');
  await button(page, 'Create token').click();
  const token = await shown(page, 'Copied').inputValue();
  await button(page, 'Copy token').click();
  await expect(button(page, 'Token copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
});

test('a token expires at the end of a chosen day, which must be given', async ({ browser }) => {
  const admin = await givenAdmin(service);
  const page = await openProfile(browser, service, admin, '/profile/developer');
  await button(page, 'Create token').click();
  const panel = region(page, TITLE);
  await panel.getByLabel('Name').fill('Until then');
  const scope = (name: string) => panel.getByRole('checkbox', { name });
  await scope('Game server').check();
  await expect(scope('Read')).not.toBeChecked();
  await scope('Admin').check();
  await expect(scope('Game server')).not.toBeChecked();
  await scope('Read').check();
  await panel.getByLabel('Expires').selectOption('On a date');
  const day = panel.getByLabel('Last day');
  await button(page, 'Create token').click();
  await expect(day).toHaveAccessibleDescription(/Please enter a date/);
  await day.fill('2020-01-01');
  await button(page, 'Create token').click();
  await expect(day).toHaveAccessibleDescription('A token must expire in the future, within 366 days');
  const date = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);
  await day.fill(date);
  await button(page, 'Create token').click();
  await expect(shown(page, 'Until then')).toBeFocused();
  expect(await listOf(admin)).toEqual([
    expect.objectContaining({ scopes: ['read', 'admin'], expiresAt: `${date}T23:59:59.000Z` }),
  ]);
});

test('a token is revoked after a question, and one that has expired says so', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const kept = await give(pilot, 'Kept', ['read']);
  const lost = await give(pilot, 'Lost', ['read', 'pilot']);
  await query(
    service.app.orm.em.fork(),
    sql`update personal_access_token set expires_at = now() - interval '1 hour' where id = ${kept.id}`,
  );
  const page = await openProfile(browser, service, pilot, '/profile/developer');
  await expect(rowsOf(page)).toHaveCount(2);
  await expect(rowsOf(page).first()).toContainText('Never used');
  await expect(rowsOf(page).last()).toContainText('Expired');
  const revoke = button(page, 'Revoke Lost');
  await revoke.click();
  const dialog = page.getByRole('dialog', { name: 'Revoke “Lost”?' });
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(revoke).toBeFocused();
  expect((await ask(service, 'rest', 'auth.me', {}, lost)).status).toBe(200);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(toasts(page)).toContainText('Token revoked');
  await expect(rowsOf(page)).toHaveCount(1);
  expect((await ask(service, 'rest', 'auth.me', {}, lost)).status).toBe(401);
});

test('with the form open nothing overflows and axe finds nothing, at any width in both schemes', async ({
  browser,
}) => {
  const admin = await givenAdmin(service);
  await give(admin, 'A nightly script that writes the attendance of the last month to a spreadsheet', [
    'read',
    'admin',
  ]);
  const page = await openProfile(browser, service, admin, '/profile/developer', {
    viewport: { width: 1440, height: 900 },
  });
  await button(page, 'Create token').click();
  await region(page, TITLE).getByLabel('Expires').selectOption('On a date');
  await button(page, 'Create token').click();
  await expect(region(page, TITLE).getByText('Please name the token')).toBeVisible();
  for (const { width, colorScheme } of [
    { width: 1440, colorScheme: 'dark' },
    { width: 768, colorScheme: 'dark' },
    { width: 320, colorScheme: 'dark' },
    { width: 360, colorScheme: 'light' },
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    expect(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0);
    if (width === 1440 || width === 360) expect(await findViolations(page, 'main')).toEqual([]);
  }
});
