/** /admin/users: finding people among hundreds, roles and passwords with every sentence, and the list as a file. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { readCsv } from '#tests/harness/csv.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOff, cutOffLive, hearComplaints, holdBack, openAs } from './pages.ts';
import {
  button,
  choose,
  CROWD,
  done,
  givenUsers,
  menuOf,
  names,
  notice,
  openUsers,
  refuse,
  rowOf,
  search,
  TOTAL,
} from './users-page.ts';

let service: Service;
let admin: Person;
let pilot: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Maverick', timeZone: 'Europe/Berlin' });
  await givenUsers(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('visitors sign in and come back to the page they asked for, pilots go home', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  await page.goto('/admin/users?page=2');
  await expect(page).toHaveURL(`${service.url}/home`);

  const visitor = await openAs(browser, service, null);
  await visitor.goto('/admin/users?page=2&role=user');
  await expect(visitor).toHaveURL(`${service.url}/login`);
  await visitor.getByLabel('Email').fill(admin.email);
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(visitor, 'Sign In').click();
  await expect(visitor).toHaveURL(`${service.url}/admin/users?page=2&role=user`);
  await expect(visitor.getByRole('link', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page');
});

test('search, role, order and page are kept in the address; Back restores them, and invalid values fall back to the defaults', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  const complaints = hearComplaints(page);
  await openUsers(page, '?page=-3&role=pirate&sort=shoe&direction=up&query=');
  const count = page.getByRole('main').getByRole('status');
  await expect(count).toHaveText(`${TOTAL} users`);
  await expect(page.getByRole('row')).toHaveCount(21);
  await expect(page.getByText('20 per page')).toBeVisible();
  await expect(page.getByLabel('Role', { exact: true })).toHaveValue('all');
  await expect(page.getByRole('columnheader', { name: 'Call sign' })).toHaveAttribute('aria-sort', 'ascending');
  expect(await names(page)).toEqual(
    ['=1+1', 'Ångström', 'Comma, "Quote"', 'Crowd 1', 'Crowd 10', 'Crowd 100', 'Crowd 101'].concat(
      [102, 103, 104, 105, 106, 107, 108, 109, 11, 110, 111, 112, 113].map((number) => `Crowd ${number}`),
    ),
  );

  // the page before stays in sight until the next one is here
  const release = await holdBack(page, 'admin.users');
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(page.locator('[aria-busy="true"]')).toContainText('Crowd 113');
  release();
  await expect(page.getByRole('link', { name: 'Crowd 114', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page');

  // typing searches without a button, and is a single step for Back
  const field = page.getByRole('searchbox', { name: 'Search' });
  await field.pressSequentially('crowd 4');
  // a choice made before the search runs is not undone by it
  await page.getByLabel('Role', { exact: true }).selectOption('user');
  await expect(page).toHaveURL(/\?query=crowd\+4&role=user$/);
  await page.goBack();
  await page.goBack();
  await field.fill('crowd 4');
  await expect(count).toHaveText('111 users');
  await field.pressSequentially('9');
  await expect(count).toHaveText('11 users');
  expect(search(page)).toBe('?query=crowd+49');
  await page.getByRole('columnheader', { name: 'Joined' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'Joined' })).toHaveAttribute('aria-sort', 'ascending');
  for (const order of ['ascending', 'descending']) {
    await button(page, 'Email').click();
    await expect(page.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', order);
  }
  await expect(page).toHaveURL(/\?query=crowd\+49&sort=email&direction=desc$/);
  await expect
    .poll(() => names(page))
    .toEqual([49, 499, 498, 497, 496, 495, 494, 493, 492, 491, 490].map((n) => `Crowd ${n}`));
  await page.getByLabel('Role', { exact: true }).selectOption('admin');
  await expect(page.getByText('No users found', { exact: true })).toBeVisible();
  await expect(count).toHaveText('0 users');
  await expect(button(page, 'Export CSV')).toBeDisabled();

  await page.goBack();
  await expect(page.getByLabel('Role', { exact: true })).toHaveValue('all');
  await expect(count).toHaveText('11 users');
  for (let step = 0; step < 3; step += 1) await page.goBack();
  await expect(page).toHaveURL(/\?query=crowd\+49$/);
  await page.goBack();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(field).toHaveValue('');
  await expect(page.getByRole('link', { name: 'Crowd 114', exact: true })).toBeVisible();
  await page.goForward();
  await expect(field).toHaveValue('crowd 49');
  await expect(count).toHaveText('11 users');

  await page.goto('/admin/users?page=99');
  await expect(page.getByText('There is no page 99')).toBeVisible();
  await button(page, 'Go to page 26').click();
  await expect(page).toHaveURL(/\?page=26$/);
  // users without a call sign come last
  await expect(page.getByRole('rowheader').last()).toHaveText('odd-3@example.org');
  await page.goto('/admin/users?query=%3D1');
  await expect(rowOf(page, '=1+1').getByRole('cell').first()).toHaveText('No email: signs in through Discord');
  await expect(rowOf(page, '=1+1').getByRole('time')).toHaveText('Nov 3, 2025');
  await expect(count).toHaveText('1 user');
  expect(complaints).toEqual([]);
});

test('the list shows that it is loading, a failure with Retry, and an empty result with a way to clear the filters', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  const release = await holdBack(page, 'admin.users');
  await page.goto('/admin/users');
  await expect(page.getByText('Loading users...')).toBeVisible();
  release();
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
  const allow = await refuse(page, 'admin.users', 'The database is not available right now.');
  await page.getByRole('searchbox').fill('nobody at all');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Error loading users: The database is not available right now.',
  );
  await allow();
  await page.route(/admin\.users/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }),
  );
  await button(page, 'Retry').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Error loading users: API Error 502: Bad Gateway',
  );
  await page.unroute(/admin\.users/);
  await button(page, 'Retry').click();
  await expect(page.getByText('No users found', { exact: true })).toBeVisible();
  await button(page, 'Clear filters').click();
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('');
});

test('roles are given and taken after a question, by keyboard too, and the focus comes back', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=maverick');
  const dialog = page.getByRole('dialog');
  const roles = rowOf(page, 'Maverick').getByRole('listitem');

  // the menu by keyboard; Esc leaves the question unanswered
  await menuOf(page, 'Maverick').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Add admin role' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Availability' })).toBeFocused();
  await page.keyboard.press('s');
  await expect(page.getByRole('menuitem', { name: 'Suspend Maverick…' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add admin role to user?', exact: true })).toBeVisible();
  await expect(button(page, 'Cancel')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(menuOf(page, 'Maverick')).toBeFocused();
  await expect(roles).toHaveText(['user']);

  // Tab closes the menu and moves on from its button; Esc closes it and stays there
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Add admin role' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(menuOf(page, 'Maverick')).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(menuOf(page, 'Maverick')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Add admin role' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(menuOf(page, 'Maverick')).toBeFocused();

  await choose(page, 'Maverick', 'Add admin role');
  await button(page, 'Add').click();
  await expect(done(page)).toHaveText('Role added successfully!');
  await expect(roles).toHaveText(['admin', 'user']);
  await expect(menuOf(page, 'Maverick')).toBeFocused();

  await button(page, 'Remove admin role from Maverick').click();
  await expect(page.getByRole('dialog', { name: 'Remove admin role from user?', exact: true })).toBeVisible();
  await expect(dialog).toContainText('You will then be the only admin.');
  await page.keyboard.press('Escape');
  await expect(button(page, 'Remove admin role from Maverick')).toBeFocused();
  // a user who leaves the filtered list takes their buttons along
  await page.getByLabel('Role', { exact: true }).selectOption('admin');
  await button(page, 'Remove admin role from Maverick').click();
  await button(page, 'Remove').click();
  await expect(done(page)).toHaveText('Role removed successfully!');
  await expect(page.getByText('No users found', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('status')).toBeFocused();
  await page.getByLabel('Role', { exact: true }).selectOption('All');
  await expect(roles).toHaveText(['user']);

  // a remove button goes with its role, so the menu takes the focus
  await button(page, 'Remove user role from Maverick').click();
  await expect(page.getByRole('dialog', { name: 'Remove user role from user?', exact: true })).toContainText(
    'This suspends the pilot.',
  );
  await button(page, 'Remove').click();
  await expect(roles).toHaveText(['Suspended']);
  await expect(menuOf(page, 'Maverick')).toBeFocused();
  expect((await pilot.client.call('GET', '/pilot/inbox')).status).toBe(403);
  await choose(page, 'Maverick', 'Restore');
  await expect(page.getByRole('dialog', { name: 'Add user role to user?', exact: true })).toBeVisible();
  await button(page, 'Add').click();
  await expect(roles).toHaveText(['user']);

  await menuOf(page, 'Maverick').click();
  await page.getByRole('menuitem', { name: 'Availability' }).click();
  await expect(page).toHaveURL(`${service.url}/admin/users/${pilot.id}/availability`);
});

test('an admin sees what is not allowed, before and after trying it, and stays on the page when suspended', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=Ops');
  const dialog = page.getByRole('dialog');
  await button(page, 'Remove admin role from Ops').click();
  await expect(dialog).toHaveAccessibleName('Remove admin role from user?');
  await expect(dialog).toContainText('You cannot remove your own admin role.');
  await expect(dialog).toContainText('You are the last admin');
  await expect(button(page, 'Remove')).toHaveCount(0);
  await button(page, 'Close').click();

  await choose(page, 'Ops', 'Suspend Ops…');
  await expect(dialog).toContainText('This is your own account. You stay an admin.');
  await button(page, 'Remove').click();
  await expect(rowOf(page, 'Ops').getByRole('listitem')).toHaveText(['admin', 'Suspended']);
  await page.getByRole('searchbox').fill('Ma');
  await expect(rowOf(page, 'Maverick')).toBeVisible();
  await page.getByRole('searchbox').fill('Ops');
  await choose(page, 'Ops', 'Restore');
  await button(page, 'Add').click();
  await expect(rowOf(page, 'Ops').getByRole('listitem')).toHaveText(['admin', 'user']);

  // the dialog shows what changed meanwhile
  const goose = await givenPerson(service, { roles: ['admin', 'user'], displayName: 'Goose' });
  await page.getByRole('searchbox').fill('Goose');
  await button(page, 'Remove admin role from Goose').click();
  const allow = await refuse(page, 'admin.removeRole', 'The last admin cannot lose the admin role');
  await button(page, 'Remove').click();
  await expect(dialog.getByRole('alert')).toHaveText('Error removing role: The last admin cannot lose the admin role');
  await allow();
  await button(page, 'Remove').click();
  await expect(dialog).toHaveCount(0);
  await query(service.app.orm.em.fork(), sql`delete from app_user where id = ${goose.id}`);
  await choose(page, 'Goose', 'Add admin role');
  await button(page, 'Add').click();
  await expect(dialog.getByRole('alert')).toHaveText('Error adding role: User not found');
  await button(page, 'Cancel').click();
  await choose(page, 'Goose', 'Reset password');
  await page.getByLabel('New Password', { exact: true }).fill('a fine password');
  await button(page, 'Reset Password').click();
  await expect(dialog.getByRole('alert')).toHaveText('Error resetting password: User not found');
  await expect(page.getByLabel('New Password', { exact: true })).toHaveValue('a fine password');
});

test('a new password is checked, generated and copied; every session of that user ends', async ({ browser }) => {
  const page = await openAs(browser, service, admin, { permissions: ['clipboard-read', 'clipboard-write'] });
  const sleeper = await givenPerson(service, { displayName: 'Sleeper' });
  await page.clock.install();
  await openUsers(page, '?query=sleeper');
  await choose(page, 'Sleeper', 'Reset password');
  const dialog = page.getByRole('dialog', { name: 'Reset password of Sleeper' });
  const field = page.getByLabel('New Password', { exact: true });
  await expect(field).toBeFocused();
  await expect(dialog).toContainText('This signs the user out on every device');
  await expect(dialog).toContainText(
    'Access tokens, unused sign-in links, remembered devices, the calendar link and notifications on all devices stop working too.',
  );
  await field.fill('seven 7');
  // text that is marked out over the edge of the dialog does not close it
  await field.hover();
  await page.mouse.down();
  await page.mouse.move(2, 2);
  await page.mouse.up();
  await expect(field).toHaveValue('seven 7');
  await button(page, 'Reset Password').click();
  await expect(field).toHaveAccessibleDescription(/Password must be at least 8 characters/);
  await expect(field).toBeFocused();
  await field.fill('password123');
  await button(page, 'Reset Password').click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Error resetting password: This password is too common. Please choose another one.',
  );
  await expect(field).toHaveAttribute('type', 'password');
  await button(page, 'Show or hide new password').click();
  await expect(field).toHaveAttribute('type', 'text');
  await button(page, 'Generate').click();
  await expect(field).toHaveValue(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  const generated = await field.inputValue();
  await button(page, 'Copy password').click();
  await expect(button(page, 'Password copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(generated);
  expect((await sleeper.client.call('GET', '/auth/me')).status).toBe(200);
  await button(page, 'Reset Password').click();
  await expect(done(page)).toHaveText('Password reset successfully!');
  // it stays until it is closed
  await page.clock.fastForward('10:00');
  await expect(done(page)).toHaveText('Password reset successfully!');
  await expect(menuOf(page, 'Sleeper')).toBeFocused();
  await button(page, 'Close this message').click();
  await expect(done(page)).toHaveCount(0);
  expect((await sleeper.client.call('GET', '/auth/me')).status).toBe(401);
  const { status } = await sleeper.client.call('POST', '/auth/login', { email: sleeper.email, password: generated });
  expect(status).toBe(200);

  // without an email there is nothing to sign in with
  await page.getByRole('searchbox').fill('=1+1');
  await choose(page, '=1+1', 'Reset password');
  await expect(page.getByRole('dialog')).toContainText('This account has no email to sign in with.');
  await expect(button(page, 'Reset Password')).toHaveCount(0);

  // one's own: signed out here as well, and back at the same place afterwards
  const viper = await givenPerson(service, { roles: ['admin', 'user'], displayName: 'Viper Lead' });
  const own = await openAs(browser, service, viper);
  await openUsers(own, '?query=viper');
  await choose(own, 'Viper Lead', 'Reset password');
  await expect(own.getByRole('dialog')).toContainText("This is your own account: you'll be signed out here too.");
  const current = own.getByLabel('Current Password', { exact: true });
  await own.getByLabel('New Password', { exact: true }).fill('gold chart lemon 9');
  await button(own, 'Reset Password').click();
  await expect(current).toHaveAccessibleDescription('Password is required');
  await current.fill('not my password');
  await button(own, 'Reset Password').click();
  await expect(own.getByRole('dialog').getByRole('alert')).toHaveText(
    'Error resetting password: The current password is not correct',
  );
  await current.fill(PASSWORD);
  await button(own, 'Reset Password').click();
  await expect(own).toHaveURL(`${service.url}/login`);
  await own.getByLabel('Email').fill(viper.email);
  await own.getByLabel('Password', { exact: true }).fill('gold chart lemon 9');
  await button(own, 'Sign In').click();
  await expect(own).toHaveURL(`${service.url}/admin/users?query=viper`);
});

test('CSV contains every pilot that the filters match, in the order on screen, with formulas escaped', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?page=7&role=user&sort=displayName');
  const saved = page.waitForEvent('download');
  const release = await holdBack(page, 'admin.spreadsheet.export');
  await button(page, 'Export CSV').click();
  await expect(button(page, 'Export CSV')).toBeDisabled();
  release();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^marshal-users-\d{4}-\d{2}-\d{2}\.csv$/);
  const bytes = await readFile(await download.path());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [header, ...lines] = readCsv(bytes.toString('utf8').slice(1));
  expect(header).toEqual(['Call sign', 'Email', 'Time zone', 'Aircraft', 'Weekly times', 'Discord id']);
  expect(lines.slice(0, 3)).toEqual([
    ["'=1+1", '', 'UTC', '', '', ''],
    ['Ångström', 'odd-2@example.org', 'UTC', '', '', ''],
    ['Comma, "Quote"', 'odd-1@example.org', 'UTC', '', '', ''],
  ]);
  expect(lines.at(-1)).toEqual(['', 'odd-3@example.org', 'UTC', '', '', '']);
  const crowd = lines.filter(([name]) => name?.startsWith('Crowd '));
  expect(new Set(crowd.map(([name]) => name)).size).toBe(CROWD);
  expect(lines.find(([name]) => name === 'Maverick')?.[2]).toBe('Europe/Berlin');
  await expect(button(page, 'Export CSV')).toBeEnabled();

  await cutOff(page, 'admin.spreadsheet.export');
  await button(page, 'Export CSV').click();
  await expect(notice(page)).toContainText('Error exporting users: Unknown error occurred');
});
