/** /admin/invites, /admin/settings and /join: a link from making it to the pilot, its ends, approval; every width and scheme. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true, withJobs: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const alert = (page: Page) => page.getByRole('alert');

/** @returns the link */
async function makeInvite(page: Page, name: string, choose: () => Promise<unknown> = async () => undefined) {
  await button(page, 'Create invite').first().click();
  await dialog(page).getByLabel('Name').fill(name);
  await choose();
  await dialog(page).getByRole('button', { name: 'Create invite' }).click();
  const field = dialog(page).getByLabel('Invite link', { exact: true });
  await expect(field).toHaveValue(/\/join\//);
  const link = await field.inputValue();
  await button(page, 'Done').click();
  return link;
}

async function registerAt(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Continue').click();
}

test('the community is named, and a link brings a pilot in, whom the table shows live', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/users');
  await page.getByRole('link', { name: 'Invite Pilots' }).click();
  await expect(page.getByText('No invites yet')).toBeVisible();
  await page.getByRole('link', { name: 'Registration Settings' }).click();
  await page.getByLabel('Community name').fill('Lantern Wing');
  await button(page, 'Save Settings').click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.getByRole('link', { name: 'Invites', exact: true }).first().click();

  await button(page, 'Create invite').first().press('Enter');
  await dialog(page).getByLabel('Number of uses').fill('many');
  await dialog(page).getByRole('button', { name: 'Create invite' }).click();
  await expect(dialog(page).getByText('The number of uses must be a whole number from 1 to 1000')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const link = await makeInvite(page, 'Autumn recruits', async () => {
    await dialog(page).getByLabel('Number of uses').fill('2');
    await dialog(page).getByLabel('Time zone to start with').selectOption('Europe/Berlin');
  });
  const row = page.getByRole('row', { name: 'Autumn recruits' });
  await expect(row).toContainText('0 of 2');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row.getByRole('button', { name: 'Copy the link of Autumn recruits' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  const visitor = await openAs(browser, service, null, { viewport: { width: 360, height: 740 } });
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { level: 2 })).toHaveText('Lantern Wing');
  await expect(visitor.getByText(`${admin.displayName} invites you to Lantern Wing.`)).toBeVisible();
  await visitor.getByRole('link', { name: 'Create your account' }).click();
  await expect(visitor.getByText('You are joining Lantern Wing.')).toBeVisible();
  await registerAt(visitor, 'by-link@example.org');
  await expect(visitor).toHaveURL(/register\/profile/);
  await expect(visitor.getByLabel('Time Zone')).toHaveValue('Europe/Berlin');

  await expect(row).toContainText('1 of 2');
  await row.getByRole('button', { name: 'Actions for Autumn recruits' }).click();
  await page.getByRole('menuitem', { name: 'Show pilots' }).click();
  const joined = page.getByRole('region', { name: 'Joined with “Autumn recruits”' });
  await expect(joined.getByRole('link', { name: 'by-link@example.org' })).toBeVisible();

  await row.getByRole('button', { name: 'Actions for Autumn recruits' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
  await expect(row).toContainText('no longer works');
  const late = await openAs(browser, service, null);
  await late.goto(link);
  await expect(alert(late)).toHaveText('This invite has been withdrawn. Please ask for a new one.');
  await late.getByRole('link', { name: 'Register without an invite' }).click();
  await expect(late.getByLabel('Email')).toBeVisible();
  // an invite that ends while the form is open: what was typed stays
  await page.goto('/admin/audit');
  await expect(page.getByText('Revoked the invite')).toBeVisible();
  await expect(page.getByText('Joined with the invite')).toBeVisible();
});

test('an invite needs no name, and its message for Discord is ready to paste', async ({ browser }) => {
  await admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration: 'open' });
  const page = await openAs(browser, service, admin);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/admin/invites');
  await button(page, 'Create invite').first().click();
  await dialog(page).getByLabel('Number of uses').fill('1');
  await dialog(page).getByRole('button', { name: 'Create invite' }).click();
  await expect(page.getByRole('dialog', { name: /^Invite “\w{3}, \w{3} \d+”$/ })).toBeVisible();
  const link = await dialog(page).getByLabel('Invite link', { exact: true }).inputValue();
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Copy Discord message').click();
  await expect(button(page, 'Discord message copied')).toBeVisible();
  const [first, address, limits] = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(first).toBe('**Lantern Wing** plans its missions with Marshal. Join here, and say when you can fly:');
  expect(address).toBe(link);
  const [, seconds] = /^The link works until <t:(\d+):D>, for 1 pilot\.$/.exec(limits ?? '') ?? [];
  const days = (Number(seconds) * 1_000 - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29);
  expect(days).toBeLessThanOrEqual(30);
});

test('somebody who is signed in needs no invite, and is told so', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  const link = await makeInvite(page, 'Anybody');
  const pilot = await openAs(browser, service, await givenPerson(service, { displayName: 'Resident' }));
  await pilot.goto(link);
  await expect(pilot.getByText('You are signed in as Resident, so you don')).toBeVisible();
  await expect(pilot.getByRole('link', { name: 'Create your account' })).toHaveCount(0);
  await pilot.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(pilot.getByRole('heading', { level: 1 })).toHaveText('Welcome, Resident');
});

test('an invite for admins warns, and offers only narrow limits', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  const link = await makeInvite(page, 'Staff', async () => {
    await dialog(page).getByLabel('For admins').check();
    await expect(alert(page)).toContainText('becomes an admin');
    await expect(dialog(page).getByLabel('Number of uses')).toHaveValue('1');
    await expect(dialog(page).getByLabel('Expires').getByRole('option')).toHaveText(['In 1 day', 'In 7 days']);
  });
  const visitor = await openAs(browser, service, null);
  await visitor.goto(link);
  await visitor.getByRole('link', { name: 'Create your account' }).click();
  await registerAt(visitor, 'staff@example.org');
  await expect(visitor).toHaveURL(/register\/profile/);
  await visitor.goto('/admin');
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Operations board');
});

test('a waiting account does the wizard and waits; its page changes when an admin approves', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/settings');
  await page.getByRole('radio', { name: 'With approval' }).check();
  await button(page, 'Save Settings').click();
  await expect(page.getByText('Settings saved')).toBeVisible();

  const pilot = await openAs(browser, service, null);
  await pilot.goto('/register/account');
  await expect(pilot.getByText('An admin approves new accounts before they fly.')).toBeVisible();
  await registerAt(pilot, 'waits@example.org');
  await pilot.getByLabel('Call Sign').fill('Vesper');
  await button(pilot, 'Continue').click();
  await expect(pilot).toHaveURL(/register\/preferences/);
  await button(pilot, '+ Add Time Slot, Monday').click();
  await pilot.getByLabel('Monday aircraft').selectOption('Any Aircraft');
  await button(pilot, 'Continue').click();
  await expect(pilot).toHaveURL(/register\/status/);
  await button(pilot, 'Complete Registration').click();
  await expect(pilot.getByText('Waiting for approval')).toBeVisible();
  for (const width of [1440, 360]) {
    await pilot.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(pilot)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(pilot)).toEqual([]);
  }

  const others = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const other = await openAs(browser, service, null);
      await other.goto('/register/account');
      await registerAt(other, `${name}@example.org`);
      await expect(other).toHaveURL(/register\/profile/);
      return other;
    }),
  );
  await page.goto('/admin');
  await page.getByRole('link', { name: '4 accounts wait for approval' }).click();
  const list = page.getByRole('region', { name: 'Waiting for approval' });
  await expect(list.getByRole('row', { name: 'Vesper' })).toContainText('registration page');
  await list.getByRole('button', { name: 'Approve Vesper' }).click();
  await expect(pilot.getByRole('heading', { name: 'Inbox' })).toBeVisible({ timeout: 20_000 });
  await expect(list.getByRole('row', { name: 'Vesper' })).toHaveCount(0);

  await list.getByRole('checkbox', { name: 'Choose one@example.org' }).check();
  await list.getByRole('checkbox', { name: 'Choose two@example.org' }).check();
  await list.getByRole('button', { name: 'Approve 2 accounts' }).click();
  await expect(list.getByRole('row', { name: 'one@example.org' })).toHaveCount(0);
  await list.getByRole('button', { name: 'Decline three@example.org' }).click();
  await dialog(page).getByRole('button', { name: 'Decline' }).click();
  await expect(list.getByRole('row', { name: 'three@example.org' })).toContainText('Declined');
  const [, , declined] = others;
  if (!declined) throw new Error('the third page is missing');
  await declined.goto('/home');
  await expect(declined.getByText('An admin has declined your request to join.')).toBeVisible();
});

test('an account that would become an admin says so, and is approved after a confirmation', async ({ browser }) => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const limits = { role: 'admin', maxUses: 2, expiresAt, withApproval: true };
  const { body } = await admin.client.call('POST', '/admin/invites', { name: 'Deputies', ...limits });
  const deputies = await Promise.all(
    ['Halo', 'Iris'].map(async (displayName) => {
      const client = createClient(service);
      const invite = String(body.url).split('/').at(-1);
      const account = { email: `${displayName}@example.org`, password: PASSWORD, confirmPassword: PASSWORD, invite };
      const { id } = (await client.call('POST', '/auth/register', account)).body;
      await client.call('PUT', `/users/${id}`, { displayName, timeZone: 'UTC' });
      return client;
    }),
  );
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  const list = page.getByRole('region', { name: 'Waiting for approval' });
  const halo = list.getByRole('row', { name: 'Halo' });
  await expect(halo).toContainText('Would become an admin');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }
  await list.getByRole('button', { name: 'Approve Halo' }).click();
  await expect(dialog(page)).toContainText('Make Halo an admin?');
  expect(await findInSchemes(page)).toEqual([]);
  await button(page, 'Cancel').click();
  await expect(halo).toContainText('Waiting');
  await list.getByRole('button', { name: 'Approve Halo' }).click();
  await dialog(page).getByRole('button', { name: 'Approve' }).click();
  await expect(halo).toHaveCount(0);
  expect((await deputies[0]?.call('GET', '/auth/me'))?.body.roles).toEqual(['admin', 'user']);

  // revoked by somebody else while the question is open
  await list.getByRole('button', { name: 'Approve Iris' }).click();
  await expect(dialog(page)).toContainText('Make Iris an admin?');
  await admin.client.call('POST', `/admin/invites/${body.id}/revoke`);
  await dialog(page).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Iris no longer becomes an admin, because the invite was revoked.')).toBeVisible();
  const iris = list.getByRole('row', { name: 'Iris' });
  await expect(iris).not.toContainText('Would become an admin');
  await list.getByRole('button', { name: 'Approve Iris' }).click();
  await expect(iris).toHaveCount(0);
  expect((await deputies[1]?.call('GET', '/auth/me'))?.body.roles).toEqual(['user']);
});

test('by invite only: the registration says so, and an invite opens it', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/settings');
  await page.getByRole('radio', { name: 'By invite' }).check();
  await page.getByRole('link', { name: 'Invites', exact: true }).first().click();
  await expect(dialog(page)).toContainText('Leave without saving?');
  await button(page, 'Stay').click();
  await button(page, 'Save Settings').click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  const visitor = await openAs(browser, service, null);
  await visitor.goto('/register/account');
  await expect(alert(visitor)).toHaveText('Registration is by invite here. Please ask an admin for an invite link.');
  await expect(visitor.getByLabel('Email')).toBeHidden();
  await visitor.goto('/join/none');
  await expect(alert(visitor)).toContainText('This invite link is not valid.');
  await expect(visitor.getByRole('link', { name: 'Register without an invite' })).toHaveCount(0);
  await page.goto('/admin/invites');
  await visitor.goto(await makeInvite(page, 'Door'));
  await visitor.getByRole('link', { name: 'Create your account' }).click();
  await registerAt(visitor, 'door@example.org');
  await expect(visitor).toHaveURL(/register\/profile/);
});

test('the pages fit 1440 and 320 px in both schemes, without violations', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  await button(page, 'Actions for Staff').click();
  await page.getByRole('menuitem', { name: 'Show pilots' }).click();
  await expect(page.getByRole('region', { name: 'Joined with “Staff”' })).toContainText('staff@example.org');
  for (const path of ['', '/admin/settings', '/join/none']) {
    if (path !== '') await page.goto(path);
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await findInSchemes(page)).toEqual([]);
    }
  }
});
