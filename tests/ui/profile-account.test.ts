/** The account on the profile: password, sessions, notifications and colours, and its forms at every width. */
import { expect, test } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, openAs } from './pages.ts';
import { openUsers, rowOf } from './users-page.ts';
import { button, expectRefused, openProfile, region, toasts } from './profiles.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** One more sign-in of the person, elsewhere. */
async function signIn(person: Person, userAgent: string): Promise<Client> {
  const client = createClient(service);
  await client.call('POST', '/auth/login', { email: person.email, password: PASSWORD }, { 'user-agent': userAgent });
  expect(await isSignedIn(client)).toBe(true);
  return client;
}
const isSignedIn = async (client: Client) => (await client.call('GET', '/auth/me')).status === 200;

/** Names the sessions that ended with the old password. */
const CHANGED =
  "Password changed. You've been signed out everywhere else, and your access tokens, calendar link, unused sign-in links, remembered devices and notifications on other devices no longer work.";

test('password: every refusal is shown at its field; a new password ends the other sessions', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const elsewhere = await signIn(pilot, FIREFOX);
  await pilot.client.call('POST', '/pilot/calendar');
  const page = await openProfile(browser, service, pilot, '/profile/security');
  const fill = async (current: string, next: string, confirm: string): Promise<void> => {
    await page.getByLabel('Current Password', { exact: true }).fill(current);
    await page.getByLabel('New Password', { exact: true }).fill(next);
    await page.getByLabel('Confirm Password', { exact: true }).fill(confirm);
    await page.keyboard.press('Enter');
  };
  const NEW = 'a horse of another colour';

  await fill('', NEW, NEW);
  await expectRefused(page, 'Current Password', 'Password is required', '');
  await fill(PASSWORD, 'short', 'short');
  await expectRefused(page, 'New Password', 'Password must be at least 8 characters', 'short');
  await fill(PASSWORD, NEW, '');
  await expectRefused(page, 'Confirm Password', 'Please confirm your password', '');
  await fill(PASSWORD, NEW, 'a horse of one colour');
  await expectRefused(page, 'Confirm Password', 'Passwords do not match', 'a horse of one colour');

  await fill('not my password', NEW, NEW);
  const panel = region(page, 'Password');
  await expect(panel.getByRole('alert')).toHaveText('The current password is not correct');
  await expect(page.getByLabel('Current Password', { exact: true })).toHaveAccessibleDescription(
    'The current password is not correct',
  );
  await expect(page.getByLabel('New Password', { exact: true })).toHaveValue(NEW);
  expect(await isSignedIn(elsewhere)).toBe(true);

  await fill(PASSWORD, NEW, NEW);
  await expect(panel.getByText(CHANGED)).toBeVisible();
  await expect(toasts(page)).toContainText(CHANGED);
  await expect(page.getByLabel('Current Password', { exact: true })).toHaveValue('');
  await expect(region(page, 'Sessions')).toContainText("You aren't signed in anywhere else.");
  expect([await isSignedIn(elsewhere), await isSignedIn(pilot.client)]).toEqual([false, true]);
});

test('an imported account, which has an email and no password, sets its first one', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await query(service.app.orm.em.fork(), sql`update app_user set password_hash = null where id = ${pilot.id}`);
  const page = await openProfile(browser, service, pilot, '/profile/security');
  const panel = region(page, 'Password');
  await expect(panel).toContainText('This account has no password yet.');
  await panel.getByRole('link', { name: 'Set a password' }).click();
  await expect(page).toHaveURL(`${service.url}/credentials`);
  await expect(page.getByLabel('Email')).toHaveValue(pilot.email);
  const NEW = 'a horse of another colour';
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.getByLabel('Confirm Password', { exact: true }).fill(NEW);
  await button(page, 'Save').click();
  await expect(page).toHaveURL(`${service.url}/home`);
  const { status } = await createClient(service).call('POST', '/auth/login', { email: pilot.email, password: NEW });
  expect(status).toBe(200);
  await page.goto('/credentials');
  await expect(page.getByText(`This account signs in as ${pilot.email}.`)).toBeVisible();
});

test('sessions: named by device, ended one by one or all at once after a question', async ({ browser }) => {
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin' });
  const clients = [await signIn(pilot, FIREFOX), await signIn(pilot, 'curl/8.14.1'), await signIn(pilot, 'Mystery/1')];
  const page = await openProfile(browser, service, pilot, '/profile/security');
  const panel = region(page, 'Sessions');
  const rows = panel.getByRole('listitem');
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toContainText('Node.js');
  await expect(rows.first()).toContainText('This device');
  await expect(rows.first().getByRole('button')).toHaveCount(0);
  await expect(rows.nth(1)).toContainText('Unknown device');
  await expect(rows.nth(3).getByRole('time')).toContainText(/\d{4}Z \d{4}L/);

  await panel.getByRole('button', { name: /^End Firefox on Windows, signed in / }).focus();
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText('Session ended');
  await expect(rows).toHaveCount(3);
  await expect(panel.getByRole('list', { name: 'Where you are signed in' })).toBeFocused();
  expect(await Promise.all(clients.map(isSignedIn))).toEqual([false, true, true]);

  const endAll = button(page, 'End All Other Sessions');
  await endAll.click();
  const dialog = page.getByRole('dialog', { name: 'End all other sessions?' });
  await expect(dialog).toContainText('2 other sessions will be signed out. This one stays signed in.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(endAll).toBeFocused();
  await endAll.click();
  await dialog.getByRole('button', { name: 'End Sessions' }).click();
  await expect(toasts(page)).toContainText('All other sessions have ended');
  await expect(panel).toContainText("You aren't signed in anywhere else.");
  expect(await Promise.all([...clients, pilot.client].map(isSignedIn))).toEqual([false, false, false, true]);
});

test('notifications: three choices in plain words, kept until they are saved, and after', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, service, pilot, '/profile/notifications');
  const panel = region(page, 'Notify me about');
  const choice = (name: string) => panel.getByRole('checkbox', { name });
  await expect(choice('New frag orders')).toBeChecked();
  await expect(choice('Changes to my seats')).toBeChecked();
  const news = choice('Open missions and community news');
  await expect(news).not.toBeChecked();
  await expect(news).toHaveAccessibleDescription(
    "News beyond your own orders, here and in Discord. It doesn't change which missions you're matched to.",
  );
  await news.focus();
  await page.keyboard.press('Space');
  await choice('Changes to my seats').click();
  await expect(panel).toContainText('Unsaved: 2 changes');

  const mend = await cutOff(page, 'pilot.setNotifications');
  await button(page, 'Save Notifications').click();
  await expect(panel.getByRole('alert')).toHaveText('Failed to save your choices');
  await expect(news).toBeChecked();
  await mend();
  await button(page, 'Save Notifications').click();
  await expect(toasts(page)).toContainText('Notifications saved');
  expect((await pilot.client.call('GET', `/users/${pilot.id}/notifications`)).body).toEqual({
    notifyOrders: true,
    notifyChanges: false,
    wantsGlobalEvents: true,
    emailOrders: true,
    emailChanges: true,
    emailRequests: true,
    emailDigest: false,
    reminderMinutes: [1440, 60],
    remindByDiscord: true,
    remindByPush: true,
    remindByEmail: true,
  });
  await page.reload();
  await expect(news).toBeChecked();
  await expect(choice('Changes to my seats')).not.toBeChecked();
});

test('colours: chosen by keyboard, kept in this browser, and applied before the first paint', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, service, pilot, '/profile/me', { colorScheme: 'dark' });
  const html = page.locator('html');
  const group = page.getByRole('radiogroup', { name: 'Colours' });
  const scheme = (name: string) => group.getByRole('radio', { name });
  await expect(scheme('System')).toBeChecked();
  await expect(region(page, 'Appearance')).toContainText('System follows this device: now Night.');
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');

  // Every scheme that the page wears from its first byte on, and the one at DOMContentLoaded.
  await page.addInitScript(() => {
    const worn: (string | null)[] = [];
    const read = () => document.documentElement?.getAttribute('data-mantine-color-scheme') ?? null;
    new MutationObserver(() => worn.push(read())).observe(document, {
      subtree: true,
      attributes: true,
      attributeFilter: ['data-mantine-color-scheme'],
    });
    document.addEventListener('DOMContentLoaded', () => Object.assign(window, { atDomReady: read(), worn }));
  });
  for (const { keys, name, value, system } of [
    { keys: ['ArrowRight', 'ArrowRight'], name: 'Day', value: 'light', system: 'dark' },
    { keys: ['ArrowLeft'], name: 'Night', value: 'dark', system: 'light' },
  ] as const) {
    await group.getByRole('radio', { checked: true }).focus();
    for (const key of keys) await page.keyboard.press(key);
    await expect(scheme(name)).toBeChecked();
    await expect(html).toHaveAttribute('data-mantine-color-scheme', value);
    await page.emulateMedia({ colorScheme: system });
    await page.reload();
    await expect(scheme(name)).toBeChecked();
    const seen = await page.evaluate(() => [Reflect.get(window, 'atDomReady'), ...Reflect.get(window, 'worn')]);
    expect(new Set(seen), `${name} on a ${system} system`).toEqual(new Set([value]));
  }

  await group.getByRole('radio', { checked: true }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(scheme('System')).toBeChecked();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light');
});

test('a suspended account keeps its own account settings', async ({ browser }) => {
  const pilot = await givenPerson(service, { roles: [] });
  const page = await openProfile(browser, service, pilot, '/profile/me');
  await expect(page.getByRole('navigation', { name: 'Profile' }).getByRole('link')).toHaveText([
    'Me',
    'Security',
    'Data',
  ]);
  await expect(page.getByRole('main')).toContainText('Your account is suspended. Please ask an admin.');
  await expect(region(page, 'Appearance')).toBeVisible();
  await expect(region(page, 'Who you are')).toHaveCount(0);
  await page.goto('/profile/security');
  for (const name of ['Password', 'Sessions']) await expect(region(page, name)).toBeVisible();
  for (const path of ['/profile/aircraft', '/profile#notifications']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Me');
  }
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.goto('/home');
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('with errors shown and the list open nothing overflows and axe finds nothing, at any width in both schemes', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: `${'Longname'.repeat(12)} of the Line` });
  await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/4`, { level: 'learning' });
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'basic' });
  await signIn(pilot, FIREFOX);
  const options = { viewport: { width: 1440, height: 800 }, colorScheme: 'dark' };
  const me = await openProfile(browser, service, pilot, '/profile/me', options);
  await me.getByLabel('Time Zone', { exact: true }).selectOption('Australia/Sydney');
  const security = await openProfile(browser, service, pilot, '/profile/security', options);
  await button(security, 'Change Password').click();
  await expect(security.getByText('Password is required').first()).toBeVisible();
  const aircraft = await openProfile(browser, service, pilot, '/profile/aircraft', options);
  await aircraft.getByRole('combobox', { name: 'Add an aircraft' }).fill('f');
  await expect(aircraft.getByRole('listbox')).toBeVisible();
  for (const page of [me, security, aircraft]) {
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    for (const { width, colorScheme } of [
      { width: 1440, colorScheme: 'dark' },
      { width: 320, colorScheme: 'dark' },
      { width: 360, colorScheme: 'light' },
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      expect(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0);
      if (width === 1440 || width === 360) {
        expect(await findViolations(page)).toEqual([]);
      }
    }
  }
});

test('call signs that look alike are pointed out to the pilot and to admins', async ({ browser }) => {
  await givenPerson(service, { displayName: 'Rogue' });
  const imitator = await givenPerson(service, { displayName: 'Nobody yet' });
  const own = await openAs(browser, service, imitator);
  await own.goto('/profile/me');
  await own.getByLabel('Call Sign').fill('Rоgue');
  await own.getByRole('button', { name: /^Save/ }).first().click();
  await expect(own.getByText('Your call sign looks like "Rogue".')).toBeVisible();

  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=gue');
  await expect(rowOf(page, 'Rоgue')).toContainText('looks like Rogue');
  await expect(rowOf(page, 'Rogue')).toContainText('looks like Rоgue');
});
