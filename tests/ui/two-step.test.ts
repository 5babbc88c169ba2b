/** Two-step sign-in in the browser: set-up, the second step, recovery codes, remembered devices, admins who need it. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, givenAuthenticator, wrongCode } from '#tests/harness/second-factor.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { button, expectRefused, openProfile, region, toasts } from './profiles.ts';
import { choose, done, openUsers } from './users-page.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const TITLE = 'Two-step sign-in';
const dialog = (page: Page) => page.getByRole('dialog');
const code = (page: Page) => page.getByLabel('Code', { exact: true });

/** A page that notices that its session is gone would go to /login by itself, and come back after the sign-in. */
const leave = (page: Page) => page.goto('about:blank');

/** The first step on /login. */
async function enterPassword(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function expectSecondStep(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm that it is you');
}

test('an app is set up by keyboard, and asked for at the next sign-in, which leads back to the page', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, service, pilot, '/profile/security');
  const panel = region(page, TITLE);
  await expect(panel).toContainText('Off');
  await panel.getByRole('button', { name: 'Set up' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveAccessibleName('Set up an authenticator app');
  await dialog(page).getByLabel('Current Password', { exact: true }).focus();
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Current Password', { exact: true })).toHaveAccessibleDescription(
    'The current password is not correct',
  );
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: 'QR code with the key' })).toBeVisible();
  const key = (await dialog(page).getByRole('definition').innerText()).replaceAll(/[^A-Z2-7]/g, '');
  expect(key).toHaveLength(32);
  await expect(page.getByLabel(/Code that the app shows/)).toBeFocused();
  await page.keyboard.type(wrongCode(key));
  await page.keyboard.press('Enter');
  await expectRefused(page, '2. Code that the app shows now', 'This code is not correct', wrongCode(key));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(codeOf(key, -1));
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('Two-step sign-in is on.');
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10);
  const recoveryCode = await dialog(page).getByRole('listitem').first().innerText();
  await dialog(page).getByRole('button', { name: 'I have saved them' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(panel).toContainText('10 of 10 left');
  await expect(region(page, 'Recent sign-ins')).toContainText('Turned two-step sign-in on');

  await page.context().clearCookies();
  await page.goto('/availability');
  await enterPassword(page, pilot);
  await expectSecondStep(page);
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code(page)).toHaveAttribute('inputmode', 'numeric');
  await page.keyboard.press('Enter');
  await expect(code(page)).toHaveAccessibleDescription(/Please enter the 6 digits that the app shows/);
  await page.keyboard.type(wrongCode(key));
  await page.keyboard.press('Enter');
  await expect(code(page)).toHaveAccessibleDescription(/This code is not correct, or was already used/);
  await expect(code(page)).toBeFocused();
  await page.keyboard.type(codeOf(key).replace(/^(...)/, '$1 '));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/availability`);
  const remembered = await page.context().cookies();

  // this device is remembered, so the next sign-in takes one step
  await leave(page);
  await page.context().clearCookies();
  await page.context().addCookies(remembered.filter(({ name }) => name === 'remembered'));
  await page.goto('/login');
  await enterPassword(page, pilot);
  await expect(page).toHaveURL(`${service.url}/home`);
  await page.goto('/profile/security');
  const devices = page.getByRole('list', { name: 'Remembered devices' });
  await expect(devices).toContainText('This device');
  await devices.getByRole('button', { name: /^Forget / }).click();
  await expect(toasts(page)).toContainText('Device forgotten');
  await expect(devices).toHaveCount(0);

  await leave(page);
  await page.context().clearCookies({ name: 'session' });
  await page.goto('/login');
  await enterPassword(page, pilot);
  await expectSecondStep(page);
  await button(page, 'Use a recovery code').click();
  const field = page.getByLabel('Recovery code', { exact: true });
  await expect(field).toBeFocused();
  await field.fill(recoveryCode);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/home`);
  await page.goto('/profile/security');
  await expect(panel).toContainText('9 of 10 left');
});

test('new codes replace the old ones, and removing the app turns the second step off', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const { recoveryCodes } = await givenAuthenticator(pilot);
  const page = await openProfile(browser, service, pilot, '/profile/security');
  const panel = region(page, TITLE);
  const prove = async (submit: string): Promise<void> => {
    await dialog(page).getByLabel('Current Password', { exact: true }).fill(PASSWORD);
    await dialog(page).getByRole('button', { name: submit }).click();
  };
  await panel.getByRole('button', { name: 'Make new codes' }).click();
  await prove('Make new codes');
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10);
  await expect(dialog(page)).not.toContainText(recoveryCodes[0] ?? '');
  await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
  await expect(panel.getByRole('button', { name: 'Make new codes' })).toBeFocused();

  await panel.getByRole('button', { name: 'Remove the authenticator app' }).click();
  await expect(dialog(page)).toContainText('This is your last second factor');
  await prove('Remove');
  await expect(dialog(page)).toHaveCount(0);
  await expect(panel).toContainText('Off');
  await expect(panel.getByRole('button', { name: 'Set up' })).toBeFocused();
  const again = await openAs(browser, service, null);
  await again.goto('/login');
  await enterPassword(again, pilot);
  await expect(again).toHaveURL(`${service.url}/home`);
});

test('going back, or waiting too long, leads to the first step', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const { key } = await givenAuthenticator(pilot);
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await enterPassword(page, pilot);
  await expectSecondStep(page);
  await button(page, 'Back').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign In');
  await enterPassword(page, pilot);
  await expectSecondStep(page);
  await code(page).fill(codeOf(key));
  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign In');
  await expect(page.getByRole('alert')).toHaveText(/This sign-in took too long/);
});

test('an admin resets the second factor of a pilot who has lost it', async ({ browser }) => {
  const admin = await givenAdmin(service);
  const pilot = await givenPerson(service, { displayName: 'Lost Phone' });
  await givenAuthenticator(pilot);
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=Lost');
  await choose(page, 'Lost Phone', 'Reset two-step sign-in…');
  await dialog(page).getByRole('button', { name: 'Reset' }).click();
  await expect(done(page)).toContainText('Two-step sign-in reset');
  const again = await openAs(browser, service, null);
  await again.goto('/login');
  await enterPassword(again, pilot);
  await expect(again).toHaveURL(`${service.url}/home`);
  await again.goto('/profile/security');
  await expect(region(again, 'Recent sign-ins')).toContainText('By an admin');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing overflows and axe finds nothing, at any width in the ${colorScheme} scheme`, async ({ browser }) => {
    const pilot = await givenPerson(service);
    const page = await openProfile(browser, service, pilot, '/profile/security', { colorScheme });
    const check = async (state: string): Promise<void> => {
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflowOf(page), `${state} at ${width} px`).toBe(0);
      }
      expect(await findViolations(page), state).toEqual([]);
    };
    await region(page, TITLE).getByRole('button', { name: 'Set up' }).click();
    await dialog(page).getByLabel('Current Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('definition')).toBeVisible();
    await check('the QR code');
    const key = (await dialog(page).getByRole('definition').innerText()).replaceAll(/[^A-Z2-7]/g, '');
    await page.getByLabel(/Code that the app shows/).fill(codeOf(key, -1));
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toContainText('Two-step sign-in is on.');
    await check('the recovery codes');
    await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
    await check('the panel');
    await leave(page);
    await page.context().clearCookies();
    await page.goto('/login');
    await enterPassword(page, pilot);
    await expect(code(page)).toBeFocused();
    await code(page).fill(wrongCode(key));
    await page.keyboard.press('Enter');
    await expect(code(page)).toHaveAttribute('aria-invalid', 'true');
    await check('the second step');
  });
}

test.describe('where admins need a second factor', () => {
  let strict: Service;
  test.beforeAll(async () => {
    strict = await startService({ withClient: true, env: { REQUIRE_ADMIN_2FA: '1' } });
  });
  test.afterAll(() => strict.stop());

  test('one without it is led to set it up, and then back to work', async ({ browser }) => {
    const admin = await givenAdmin(strict);
    const page = await openAs(browser, strict, admin);
    await page.goto('/admin/users');
    await expect(page).toHaveURL(`${strict.url}/profile/security#two-step`);
    await expect(region(page, TITLE)).toContainText('Admins need a second factor here.');
    await expect(region(page, TITLE)).toBeInViewport();
    await region(page, TITLE).getByRole('button', { name: 'Set up' }).click();
    await dialog(page).getByLabel('Current Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    const key = (await dialog(page).getByRole('definition').innerText()).replaceAll(/[^A-Z2-7]/g, '');
    await page.getByLabel(/Code that the app shows/).fill(codeOf(key, -1));
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
    await page.goto('/admin/users');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Users/);
  });
});
