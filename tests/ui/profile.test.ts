/** The profile's sections Me, Aircraft and Notifications: every panel by mouse and keyboard, its refusals, and kept input. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, holdBack, openAs } from './pages.ts';
import { button, expectRefused, openProfile, region, toasts } from './profiles.ts';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('identity: labels and hints, errors at their fields, values kept, and the new name everywhere', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: 'Goose', timeZone: 'Asia/Kathmandu' });
  const page = await openProfile(browser, service, pilot, '/profile/me');
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

test('two pages that change different parts of a profile keep both; the same part is asked about', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: 'Goose', timeZone: 'UTC' });
  const [one, two] = [
    await openProfile(browser, service, pilot, '/profile/me'),
    await openProfile(browser, service, pilot, '/profile/me'),
  ];
  const zone = (page: Page) => page.getByLabel('Time Zone', { exact: true });
  const callSign = (page: Page) => page.getByLabel('Call Sign', { exact: true });
  const stored = async () => {
    const { displayName, timeZone } = (await pilot.client.call('GET', '/auth/me')).body;
    return [displayName, timeZone];
  };
  const save = async (page: Page): Promise<void> => {
    await button(page, 'Save Profile').click();
    await expect(region(page, 'Who you are').getByText('Profile saved')).toBeVisible();
  };
  await zone(one).selectOption('Asia/Tokyo');
  await save(one);
  await callSign(two).fill('Maverick');
  await save(two);
  expect(await stored()).toEqual(['Maverick', 'Asia/Tokyo']);
  await expect(zone(two)).toHaveValue('Asia/Tokyo');

  await callSign(one).fill('Iceman');
  await zone(two).selectOption('Europe/Paris');
  await save(two);
  await button(one, 'Save Profile').click();
  const question = region(one, 'Who you are').getByRole('alert');
  await expect(question).toContainText('Your profile was saved somewhere else while this page was open.');
  await expect(question).toContainText('MineIceman');
  await expect(question).toContainText('TheirsMaverick');
  await expect(question).not.toContainText('Europe/Paris');
  for (const width of [1440, 390]) {
    await one.setViewportSize({ width, height: 900 });
    expect(await findInSchemes(one)).toEqual([]);
    expect(await overflowOf(one)).toBeLessThanOrEqual(0);
  }
  await expect(callSign(one)).toHaveValue('Iceman');
  expect(await stored()).toEqual(['Maverick', 'Europe/Paris']);
  await button(one, 'Keep mine').click();
  await expect(region(one, 'Who you are').getByText('Profile saved')).toBeVisible();
  expect(await stored()).toEqual(['Iceman', 'Europe/Paris']);

  await callSign(two).fill('Jester');
  await button(two, 'Save Profile').click();
  await button(two, 'Take theirs').click();
  await expect(callSign(two)).toHaveValue('Iceman');
  await expect(button(two, 'Save Profile')).toBeFocused();
  await expect(region(two, 'Who you are').getByRole('alert')).toHaveCount(0);
  expect(await stored()).toEqual(['Iceman', 'Europe/Paris']);
});

test('two pages that change different notifications keep both', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const [one, two] = [
    await openProfile(browser, service, pilot, '/profile/notifications'),
    await openProfile(browser, service, pilot, '/profile/notifications'),
  ];
  const switchOff = async (page: Page, label: string): Promise<void> => {
    const panel = region(page, 'Notify me about');
    await panel.getByRole('checkbox', { name: label, exact: true }).uncheck();
    await panel.getByRole('button', { name: 'Save Notifications' }).click();
    await expect(toasts(page)).toContainText('Notifications saved');
  };
  await expect(region(two, 'Notify me about').getByRole('checkbox', { name: 'New frag orders' })).toBeChecked();
  await switchOff(one, 'New frag orders');
  await switchOff(two, 'Changes to my seats');
  const { body } = await pilot.client.call('GET', `/users/${pilot.id}/notifications`);
  expect([body.notifyOrders, body.notifyChanges]).toEqual([false, false]);
});

test('the question about unsaved changes goes away once the save has ended', async ({ browser }) => {
  const page = await openAs(browser, service, await givenPerson(service));
  await page.goto('/profile/me');
  await page.getByLabel('Call Sign').fill('Slow Saver');
  const release = await holdBack(page, 'pilot.updateProfile');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Home' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(question).toContainText('Not saved yet: Who you are.');
  release();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Me');
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Slow Saver');
});

test('a new time zone moves the week but no mission, and so does changing it back', async ({ browser }) => {
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
    // the wall times stay the same, and the instants are those of the new zone
    await expect(week.getByText('0000–2345L')).toHaveCount(3);
    for (const days of [0, 1, 2]) {
      const date = Temporal.Now.plainDateISO(zone).add({ days });
      const [start, end] = ['00:00', '23:45'].map((time) =>
        clock(date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant(), 'UTC'),
      );
      await expect(week).toContainText(new RegExp(`${start}(−1)?–${end}Z`));
    }
    await expect(page.getByRole('article', { name: 'Op Fixed Star' }).getByRole('time').first()).toContainText(
      `${clock(launch, 'UTC')}Z ${clock(launch, zone)}L`,
    );
  };
  const change = async (take: () => Promise<unknown>, preview: string): Promise<void> => {
    await page.goto('/profile/me');
    const panel = region(page, 'Who you are');
    await expect(panel).toContainText("Your weekly hours keep their local time. Missions don't move.");
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

test('aircraft: found by name, rated and saved by keyboard alone; unsaved levels are not lost', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, service, pilot, '/profile/aircraft');
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
  // Enter picked the aircraft without saving, and the focus is on its level.
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

test('step 2 of the registration asks for aircraft: optional, stored with the profile, kept when saving fails', async ({
  browser,
}) => {
  const veteran = await givenPerson(service);
  await veteran.client.call('PUT', `/users/${veteran.id}/proficiencies/12`, { level: 'expert' });
  const pilot = await givenPerson(service, { displayName: 'Rookie' });
  const saved = async () => (await pilot.client.call('GET', `/users/${pilot.id}/proficiencies`)).body;
  const page = await openAs(browser, service, pilot);
  const release = await holdBack(page, 'availability.aircraft');
  await page.goto('/register/profile');
  const group = page.getByRole('group', { name: 'Aircraft you fly (optional)' });
  await expect(group).toContainText('Loading aircraft...');
  release();
  const popular = group.getByRole('group', { name: 'Most flown here' }).getByRole('button');
  const viggen = popular.filter({ hasText: 'AJS-37 Viggen' });
  await expect(viggen).toBeVisible();
  const placeInGroup = async () => {
    const [inner, outer] = [await viggen.boundingBox(), await group.boundingBox()];
    return inner && outer && inner.y - outer.y;
  };
  const place = await placeInGroup();
  await popular.filter({ hasText: 'F/A-18C Hornet' }).click();
  await viggen.click();
  await page.getByRole('combobox', { name: 'Add an aircraft' }).fill('f16');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Lea');
  await viggen.click();
  // choosing aircraft does not move the buttons
  expect(place).toBeGreaterThan(0);
  expect(await placeInGroup()).toBe(place);

  const mend = await cutOff(page, 'pilot.setProficiency');
  await button(page, 'Continue').click();
  await expect(page.getByRole('alert')).toHaveText('Failed to save your aircraft');
  await expect(page.getByLabel('Level in F-16C Viper')).toHaveValue('learning');
  await mend();
  await button(page, 'Continue').click();
  await page.waitForURL('**/register/preferences');
  expect(await saved()).toMatchObject([
    { aircraftName: 'F-16C Viper', level: 'learning' },
    { aircraftName: 'F/A-18C Hornet', level: 'basic' },
  ]);
});

test('a level set by an admin is read-only and says why, also when it is set while the page is open', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const path = (aircraftId: number) => `/users/${pilot.id}/proficiencies/${aircraftId}`;
  await admin.client.call('PUT', path(4), { level: 'learning' });
  await pilot.client.call('PUT', path(2), { level: 'basic' });
  const page = await openProfile(browser, service, pilot, '/profile/aircraft');
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
