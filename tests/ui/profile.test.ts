/** /profile against a real server: every panel by hand and by key, what it refuses and what it keeps. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenMission, givenPerson, PASSWORD, type Person } from '#tests/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/service.ts';
import { cutOff, holdBack, openAs } from './pages.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const toasts = (page: Page) => region(page, 'Notifications');

async function openProfile(browser: Browser, pilot: Person, options = {}): Promise<Page> {
  const page = await openAs(browser, service, pilot, options);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile');
  return page;
}

/** A field that was refused: it has the focus, the sentence, and what was typed. */
async function expectRefused(page: Page, label: string, sentence: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(new RegExp(sentence));
  await expect(field).toHaveValue(value);
}

test('who you are: labels and hints, errors at their field, values kept, and the new name everywhere', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: 'Goose', timeZone: 'Asia/Kathmandu' });
  const page = await openProfile(browser, pilot);
  const panel = region(page, 'Who you are');
  const callSign = page.getByLabel('Call Sign', { exact: true });
  await expect(panel).toContainText(pilot.email);
  await expect(callSign).toHaveAccessibleDescription("This is how you'll be identified in missions and the roster");
  const zone = page.getByLabel('Time Zone', { exact: true });
  await expect(zone).toHaveAccessibleDescription('Used for scheduling missions at convenient times');
  // the ten of the product, and the pilot's own
  await expect(zone).toHaveValue('Asia/Kathmandu');
  await expect(zone.getByRole('option')).toHaveCount(11);

  for (const [value, sentence] of [
    ['', 'Call sign is required'],
    ['x'.repeat(201), 'Call sign too long'],
  ] as const) {
    await callSign.fill(value);
    await callSign.press('Enter');
    await expectRefused(page, 'Call Sign', sentence, value);
  }

  await callSign.fill('Maverick');
  const mend = await cutOff(page, 'pilot.updateProfile');
  await button(page, 'Save Profile').click();
  await expect(panel.getByRole('alert')).toHaveText('Failed to update profile');
  await expect(panel.getByRole('alert')).toBeFocused();
  await expect(callSign).toHaveValue('Maverick');
  await mend();

  const release = await holdBack(page, 'pilot.updateProfile');
  await button(page, 'Save Profile').click();
  await expect(panel.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  release();
  await expect(toasts(page)).toContainText('Profile saved');
  await expect(panel.getByText('Profile saved')).toBeVisible();
  await expect(panel.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Maverick' })).toBeVisible();
  expect((await pilot.client.call('GET', '/auth/me')).body).toMatchObject({
    displayName: 'Maverick',
    timeZone: 'Asia/Kathmandu',
  });
});

test('a new zone moves the week and no mission, and back again', async ({ browser }) => {
  const pilot = await givenPerson(service, { timeZone: 'Asia/Tokyo' });
  const slots = Array.from({ length: 7 }, (_, weekday) => ({
    weekday,
    startLocal: '00:00',
    endLocal: '23:45',
    aircraftCodeId: 5,
    notes: null,
  }));
  await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, { name: 'Week', isActive: true, slots });
  // noon of the day after tomorrow in Tokyo: well inside a day of the week
  const noon = Temporal.Now.plainDateISO('Asia/Tokyo').add({ days: 2 }).toZonedDateTime({
    timeZone: 'Asia/Tokyo',
    plainTime: '12:00',
  });
  const wall = (zone: string) => noon.withTimeZone(zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
  const { issued } = await givenMission(service, admin, {
    name: 'Op Fixed Star',
    startLocal: wall('UTC'),
    endLocal: noon.add({ hours: 2 }).withTimeZone('UTC').toPlainDateTime().toString({ smallestUnit: 'minute' }),
    aircraftSlots: [{ aircraftId: 5, slotCount: 1, side: 0, notes: 'CAP' }],
  });
  expect(issued.orders).toBe(1);
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  const launch = Temporal.Instant.from(order.launchUtc);
  const clock = (instant: Temporal.Instant, zone: string) =>
    instant.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');

  const page = await openAs(browser, service, pilot);
  const expectHome = async (zone: string): Promise<void> => {
    await page.getByRole('link', { name: 'Home' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
    const week = region(page, 'Next 7 Days');
    await expect(week).toContainText(`${zone} (L)`);
    // the wall says the same wherever it hangs; the instants are those of the zone
    await expect(week.getByText('0000–2345L')).toHaveCount(3);
    for (const days of [0, 1, 2]) {
      const date = Temporal.Now.plainDateISO(zone).add({ days });
      const [start, end] = ['00:00', '23:45'].map((time) =>
        clock(date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant(), 'UTC'),
      );
      await expect(week).toContainText(`${start}–${end}Z`);
    }
    await expect(page.getByRole('article', { name: 'Op Fixed Star' }).getByRole('time').first()).toContainText(
      `${clock(launch, 'UTC')}Z ${clock(launch, zone)}L`,
    );
  };
  const change = async (take: () => Promise<unknown>, preview: string): Promise<void> => {
    await page.goto('/profile');
    const panel = region(page, 'Who you are');
    await expect(panel).toContainText('Changing it moves your weekly availability with you, and never a mission.');
    await take();
    await expect(panel).toContainText(preview);
    await button(page, 'Save Profile').click();
    await expect(toasts(page)).toContainText('Profile saved');
  };

  await page.goto('/home');
  await expectHome('Asia/Tokyo');
  await change(async () => {
    // the browser of these tests says it is in New York
    await expect(region(page, 'Who you are')).toContainText('Detected America/New_York');
    await button(page, 'Use it').click();
  }, 'Mon 00:00 in America/New_York');
  await expectHome('America/New_York');
  await change(
    () => page.getByLabel('Time Zone', { exact: true }).selectOption('Asia/Tokyo'),
    'Mon 00:00 in Asia/Tokyo 1500Z, before',
  );
  await expectHome('Asia/Tokyo');
});

test('aircraft: found by name, rated and saved by keys alone; what is not saved is not lost', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, pilot);
  const panel = region(page, 'Aircraft I fly');
  const level = (name: string) => page.getByLabel(`Level in ${name}`);
  const saved = async () =>
    (await pilot.client.call('GET', `/users/${pilot.id}/proficiencies`)).body.map(
      (row: { aircraftName: string; level: string }) => `${row.aircraftName} ${row.level}`,
    );
  await expect(panel).toContainText('No aircraft yet.');

  const picker = page.getByRole('combobox', { name: 'Add an aircraft' });
  await picker.focus();
  await page.keyboard.type('zeppelin');
  await expect(panel).toContainText('No aircraft is called "zeppelin".');
  await picker.fill('f-1');
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await picker.fill('f16');
  await page.keyboard.press('Enter');
  // Enter picked, it saved nothing, and the keyboard stands where the level is chosen.
  await expect(level('F-16C Viper')).toBeFocused();
  expect(await saved()).toEqual([]);
  await expect(level('F-16C Viper')).toHaveValue('basic');
  await page.keyboard.type('Exp');
  await expect(level('F-16C Viper')).toHaveValue('expert');
  await expect(level('F-16C Viper')).toHaveAccessibleDescription('I know it in depth and teach others.');
  await expect(panel).toContainText('Unsaved: 1 change');

  await page.getByRole('link', { name: 'Home' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(dialog).toContainText('Not saved yet: Aircraft I fly.');
  await dialog.getByRole('button', { name: 'Stay' }).click();

  const mend = await cutOff(page, 'pilot.setProficiency');
  await button(page, 'Save Aircraft').click();
  await expect(panel.getByRole('alert')).toHaveText('Failed to save your aircraft');
  await expect(level('F-16C Viper')).toHaveValue('expert');
  await mend();
  const release = await holdBack(page, 'pilot.setProficiency');
  await button(page, 'Save Aircraft').click();
  await expect(panel.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  release();
  await expect(toasts(page)).toContainText('Aircraft saved');
  await expect(panel.getByRole('alert')).toHaveCount(0);
  expect(await saved()).toEqual(['F-16C Viper expert']);

  // several at once: one added by the mouse, one taken off
  await picker.fill('hornet');
  await page.getByRole('option', { name: 'F/A-18C Hornet' }).click();
  await button(page, 'Remove F-16C Viper').click();
  await expect(button(page, 'Remove F/A-18C Hornet')).toBeFocused();
  await expect(panel).toContainText('Unsaved: 2 changes');
  await button(page, 'Save Aircraft').click();
  await expect(panel.getByText('Aircraft saved')).toBeVisible();
  expect(await saved()).toEqual(['F/A-18C Hornet basic']);
});

test("an admin's level is shown with its reason and not to be changed, nor when it comes while the page is open", async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const path = (aircraftId: number) => `/users/${pilot.id}/proficiencies/${aircraftId}`;
  await admin.client.call('PUT', path(4), { level: 'learning' });
  await pilot.client.call('PUT', path(2), { level: 'basic' });
  const page = await openProfile(browser, pilot);
  const row = page.getByRole('listitem').filter({ hasText: 'F-14B Tomcat' });
  await expect(row).toContainText('set by an admin');
  await expect(row).toContainText('learning');
  await expect(row).toContainText('An admin set this level; only an admin can change it.');
  await expect(row.getByRole('combobox').or(row.getByRole('button'))).toHaveCount(0);

  await page.getByLabel('Level in F-16C Viper').selectOption('expert');
  await admin.client.call('PUT', path(2), { level: 'proficient' });
  await button(page, 'Save Aircraft').click();
  await expect(region(page, 'Aircraft I fly').getByRole('alert')).toHaveText(
    'An admin set this level; only an admin can change it.',
  );
  const viper = page.getByRole('listitem').filter({ hasText: 'F-16C Viper' });
  await expect(viper).toContainText('set by an admin');
  await expect(viper).toContainText('proficient');
});

/** One more sign-in of the person, elsewhere. */
async function signIn(person: Person, userAgent: string): Promise<Client> {
  const client = createClient(service);
  await client.call('POST', '/auth/login', { email: person.email, password: PASSWORD }, { 'user-agent': userAgent });
  expect(await isSignedIn(client)).toBe(true);
  return client;
}
const isSignedIn = async (client: Client) => (await client.call('GET', '/auth/me')).status === 200;

test('password: every refusal in its words at its field; the new one ends the other sessions', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const elsewhere = await signIn(pilot, FIREFOX);
  const page = await openProfile(browser, pilot);
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
  await expect(panel.getByText('Password changed. Your other sessions have ended.')).toBeVisible();
  await expect(toasts(page)).toContainText('Password changed. Your other sessions have ended.');
  await expect(page.getByLabel('Current Password', { exact: true })).toHaveValue('');
  await expect(region(page, 'Sessions')).toContainText('You are signed in nowhere else.');
  expect([await isSignedIn(elsewhere), await isSignedIn(pilot.client)]).toEqual([false, true]);
});

test('sessions: named by device, ended one by one or all at once after a question', async ({ browser }) => {
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin' });
  const clients = [await signIn(pilot, FIREFOX), await signIn(pilot, 'curl/8.14.1'), await signIn(pilot, 'Mystery/1')];
  const page = await openProfile(browser, pilot);
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
  await expect(dialog).toContainText('2 other sessions have to sign in again. This one stays.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(endAll).toBeFocused();
  await endAll.click();
  await dialog.getByRole('button', { name: 'End Sessions' }).click();
  await expect(toasts(page)).toContainText('All other sessions have ended');
  await expect(panel).toContainText('You are signed in nowhere else.');
  expect(await Promise.all([...clients, pilot.client].map(isSignedIn))).toEqual([false, false, false, true]);
});

test('notifications: three choices in plain words, kept until they are saved, and after', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, pilot);
  const panel = region(page, 'Notify me about');
  const choice = (name: string) => panel.getByRole('checkbox', { name });
  await expect(choice('New frag orders')).toBeChecked();
  await expect(choice('Changes to my seats')).toBeChecked();
  const news = choice('Open missions and community news');
  await expect(news).not.toBeChecked();
  await expect(news).toHaveAccessibleDescription('Beyond your own orders. It never changes which missions find you.');
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
  });
  await page.reload();
  await expect(news).toBeChecked();
  await expect(choice('Changes to my seats')).not.toBeChecked();
});

test('colours: chosen by keys, kept in this browser, there before the first paint and never another', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, pilot, { colorScheme: 'dark' });
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

test('a suspended account keeps its own side of the page', async ({ browser }) => {
  const pilot = await givenPerson(service, { roles: [] });
  const page = await openProfile(browser, pilot);
  await expect(page.getByRole('main')).toContainText('Your account is suspended. Please ask an admin.');
  for (const name of ['Who you are', 'Password', 'Sessions', 'Appearance']) {
    await expect(region(page, name)).toBeVisible();
  }
  for (const name of ['Aircraft I fly', 'Notify me about']) {
    await expect(region(page, name)).toHaveCount(0);
  }
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Call Sign', { exact: true }).fill('Grounded');
  await button(page, 'Save Profile').click();
  await expect(toasts(page)).toContainText('Profile saved');
});

test('with errors shown and the list open nothing overflows and axe finds nothing, at any width in both schemes', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: `${'Longname'.repeat(12)} of the Line` });
  await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/4`, { level: 'learning' });
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'basic' });
  await signIn(pilot, FIREFOX);
  const page = await openProfile(browser, pilot, { viewport: { width: 1440, height: 800 }, colorScheme: 'dark' });
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await page.getByLabel('Time Zone', { exact: true }).selectOption('Australia/Sydney');
  await button(page, 'Change Password').click();
  await expect(page.getByText('Password is required').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Add an aircraft' }).fill('f');
  await expect(page.getByRole('listbox')).toBeVisible();
  for (const { width, colorScheme } of [
    { width: 1440, colorScheme: 'dark' },
    { width: 768, colorScheme: 'dark' },
    { width: 320, colorScheme: 'dark' },
    { width: 360, colorScheme: 'light' },
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    if (width === 1440 || width === 360) {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  }
  for (const target of await page.getByRole('main').getByRole('button').all()) {
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  }
});
