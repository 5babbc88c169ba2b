/** Signing in and registering: the specification's words, places of errors, and redirects. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, holdBack, openAs } from './pages.ts';

let service: Service;
let pilot: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  pilot = await givenPerson(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** A refused field is marked for assistive technology, with its sentence. */
async function expectRefused(page: Page, label: string, sentence: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(new RegExp(sentence));
}

test('sign-in shows field errors at the field and errors of the server above the form', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign In');
  await page.getByLabel('Email').fill('nobody');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expectRefused(page, 'Email', 'Invalid email address');
  await expectRefused(page, 'Password', 'Password is required');
  await expect(page.getByLabel('Email')).toBeFocused();

  await page.getByLabel('Email').fill(pilot.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
  await expect(page.getByLabel('Email')).toHaveValue(pilot.email);
});

test('a password is masked, may be pasted, and is known to password managers', async ({ browser }) => {
  for (const [path, known] of [
    ['/login', 'current-password'],
    ['/register/account', 'new-password'],
  ] as const) {
    const page = await openAs(browser, service, null, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(path);
    const field = page.getByLabel('Password', { exact: true });
    await expect(field).toHaveAttribute('type', 'password');
    await expect(field).toHaveAttribute('autocomplete', known);
    await page.evaluate((text) => navigator.clipboard.writeText(text), PASSWORD);
    await field.focus();
    await page.keyboard.press('ControlOrMeta+V');
    await expect(field).toHaveValue(PASSWORD);
    await page.getByRole('button', { name: 'Show or hide password' }).first().click();
    await expect(field).toHaveAttribute('type', 'text');
  }
});

test('a wide screen shows what awaits a pilot beside the form, and a phone the form alone', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  const order = page.getByRole('figure').filter({ hasText: 'A sample frag order' });
  const heading = page.getByRole('heading', { level: 1 });
  for (const width of [1440, 1100]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(order).toContainText('Viper 1-2, F-16C');
    const [beside, form] = [await order.boundingBox(), await heading.boundingBox()];
    expect(beside?.x).toBeGreaterThan(width / 2 - 100);
    expect(form?.x).toBeLessThan(width / 2);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(heading).toBeVisible();
  await expect(order).toBeHidden();
});

test('the button says so while it signs in', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await page.getByLabel('Email').fill(pilot.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const release = await holdBack(page, 'auth.login');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeDisabled();
  release();
  await expect(page).toHaveURL(`${service.url}/home`);
});

test('a guarded page leads to the sign-in and back with its search, and the history keeps no sign-in page', async ({
  browser,
}) => {
  const admin = await givenAdmin(service);
  const page = await openAs(browser, service, null);
  await page.goto('/demo');
  await page.goto('/admin/missions/2026-12-01?from=link');
  await expect(page).toHaveURL(`${service.url}/login`);
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/admin\/missions\/2026-12-01/);
  await page.goBack();
  await expect(page).toHaveURL(`${service.url}/demo`);
});

test("'Loading...' is shown while the session is checked", async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  const release = await holdBack(page, 'auth.viewer');
  await page.goto('/home');
  await expect(page.getByText('Loading...')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome,');
});

test('signing out ends the session, also for the next page', async ({ browser }) => {
  const leaver = await givenPerson(service);
  const page = await openAs(browser, service, leaver);
  await page.goto('/home');
  await page.getByRole('button', { name: 'Logout' }).first().click();
  await expect(page).toHaveURL(/\/(login)?$/);
  await page.goto('/home');
  await expect(page).toHaveURL(`${service.url}/login`);
  expect((await leaver.client.call('GET', '/auth/me')).status).toBe(401);
});

test('the wizard shows its labels, hints, errors and busy texts', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Register here' }).click();
  await expect(page).toHaveURL(`${service.url}/register/account`);
  for (const step of ['1. Account', '2. Profile', '3. Preferences', '4. Status']) {
    await expect(page.getByText(step, { exact: true })).toBeVisible();
  }
  await page.getByLabel('Email').fill('new@example');
  await page.getByLabel('Password', { exact: true }).fill('seven77');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectRefused(page, 'Email', 'Invalid email address');
  await expectRefused(page, 'Password', 'Password must be at least 8 characters');
  await expectRefused(page, 'Confirm Password', 'Please confirm your password');
  await page.getByLabel('Email').fill(pilot.email.toUpperCase());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(`${PASSWORD}!`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('An account with this email already exists').first()).toBeVisible();

  await page.getByLabel('Email').fill('new-pilot@example.org');
  const releaseRegister = await holdBack(page, 'auth.register');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled();
  releaseRegister();

  await expect(page).toHaveURL(`${service.url}/register/profile`);
  await expect(page.getByText("This is how you'll be identified in missions and the roster")).toBeVisible();
  await expect(page.getByText('Used for scheduling missions at convenient times')).toBeVisible();
  await expect(page.getByLabel('Time Zone')).toHaveValue('America/New_York');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Call sign is required')).toBeVisible();
  await page.getByLabel('Call Sign').fill('x'.repeat(201));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Call sign too long')).toBeVisible();
  await page.getByLabel('Call Sign').fill('Merlin');
  const releaseProfile = await holdBack(page, 'pilot.updateProfile');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  releaseProfile();

  await expect(page).toHaveURL(`${service.url}/register/preferences`);
  // the address changes before the page does, and both have a Back
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly Availability');
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(`${service.url}/register/profile`);
  await expect(page.getByLabel('Call Sign')).toHaveValue('Merlin');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${service.url}/register/preferences`);
  await page.getByRole('button', { name: '+ Add Time Slot, Friday' }).click();
  await expect(page.getByLabel('Friday start')).toHaveValue('18:00');
  await expect(page.getByLabel('Friday end')).toHaveValue('22:00');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(
    page.getByText(
      'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).',
    ),
  ).toBeVisible();
  await page.getByLabel('Friday aircraft').selectOption('Any Aircraft');
  await page.getByLabel('Friday end').fill('01:00');
  await expect(page.getByText('+1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();

  await expect(page).toHaveURL(`${service.url}/register/status`);
  await page.getByRole('radio', { name: 'Available Now' }).click();
  const minutes = page.getByLabel('Minutes');
  await expect(minutes).toHaveValue('60');
  for (const [name, value] of [
    ['min', '15'],
    ['max', '480'],
    ['step', '15'],
  ] as const) {
    await expect(minutes).toHaveAttribute(name, value);
  }
  await minutes.fill('');
  await page.getByRole('button', { name: 'Complete Registration' }).click();
  await expect(page.getByText('Minutes required when selecting "Available Now"')).toBeVisible();
  await minutes.fill('90');
  await page.getByRole('button', { name: 'Complete Registration' }).click();
  await expect(page).toHaveURL(`${service.url}/home`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Merlin');

  await page.goto('/availability');
  await expect(page.getByLabel('Friday end')).toHaveValue('01:00');
});

test('saved availability is updated, not duplicated', async ({ browser }) => {
  const regular = await givenPerson(service);
  const page = await openAs(browser, service, regular);
  for (const [day, name] of [
    ['Monday', 'Any Aircraft'],
    ['Tuesday', 'A-10C II Warthog'],
  ] as const) {
    await page.goto('/availability');
    await page.getByRole('button', { name: `+ Add Time Slot, ${day}` }).click();
    await page.getByLabel(`${day} aircraft`).selectOption(name);
    await page.getByRole('button', { name: 'Save Availability' }).click();
    await expect(page).toHaveURL(`${service.url}/home`);
  }
  const { body } = await regular.client.call('GET', `/users/${regular.id}/availability/templates`);
  expect(body).toMatchObject([
    {
      name: 'Default Weekly Availability',
      isActive: true,
      slots: [
        { weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null },
        { weekday: 2, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 3, notes: null },
      ],
    },
  ]);
});
