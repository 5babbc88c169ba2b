/** The browser's time zone in every form that asks for one, on a phone in New York: preselected, and UTC only if it is meant. */
import { expect, test, type BrowserContextOptions, type Page } from '@playwright/test';
import { issueRegistrationSession, registrationUrl } from '#server/discord/registration/registration.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const IPHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const IN_NEW_YORK = { ...IPHONE, timezoneId: 'America/New_York' };
const IN_DUBAI = { ...IPHONE, timezoneId: 'Asia/Dubai' };

const zone = (page: Page) => page.getByLabel('Time Zone');
const tap = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).tap();
const question = (page: Page) => page.getByRole('dialog', { name: 'Keep UTC?' });

async function storedZone(email: string): Promise<string | undefined> {
  const [row] = await query<{ zone: string }>(
    service.app.orm.em.fork(),
    sql`select time_zone as zone from app_user where email = ${email}`,
  );
  return row?.zone;
}

/** Step 1 of the wizard, to the page of call sign and zone. */
async function createAccount(page: Page, email: string): Promise<void> {
  await page.goto('/register/account');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await tap(page, 'Continue');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile');
}

/** The first Wednesday of a month of next year. */
function wednesdayIn(month: string): string {
  const year = new Date().getUTCFullYear() + 1;
  const first = new Date(`${year}-${month}-01T00:00:00Z`);
  return new Date(first.getTime() + ((10 - first.getUTCDay()) % 7) * 86_400_000).toISOString().slice(0, 10);
}

test('a pilot in New York who only taps on flies from 1800 to 2200 of the own evening, in winter and in summer', async ({
  browser,
}) => {
  const page = await openAs(browser, service, null, IN_NEW_YORK);
  await createAccount(page, 'tapper@example.org');
  await expect(zone(page)).toHaveValue('America/New_York');
  await expect(page.getByText(/America\/New_York, now \d{4}L(−1)?\./)).toBeVisible();
  await page.getByLabel('Call Sign').fill('Tapper');
  await tap(page, 'Continue');

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly Availability');
  // in the standard time of New York, UTC−5, or in its daylight time, UTC−4
  await expect(page.getByText(/18:00 here is 2[32]00Z/)).toBeVisible();
  await tap(page, 'Presets');
  await tap(page, 'Weeknights 18–22');
  await tap(page, 'Continue');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Initial Status');
  await tap(page, 'Complete Registration');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Tapper');

  // 18:00 in New York is 23:00Z in January and 22:00Z in July: who is free then gets an order, and an hour earlier does not
  const admin = await givenAdmin(service);
  for (const [month, start, end] of [
    ['01', '23:00', '03:00'],
    ['07', '22:00', '02:00'],
  ] as const) {
    const date = wednesdayIn(month);
    const next = new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    const hourEarlier = `${date}T${Number(start.slice(0, 2)) - 1}:00`;
    const early = await givenMission(service, admin, { startLocal: hourEarlier, endLocal: `${date}T23:59` });
    const whole = await givenMission(service, admin, { startLocal: `${date}T${start}`, endLocal: `${next}T${end}` });
    const seated = await query<{ id: string }>(
      service.app.orm.em.fork(),
      sql`select s.mission_id as id from seat s join app_user u on u.id = s.pilot_id
          where u.email = 'tapper@example.org' and s.mission_id in (${early.mission.id}, ${whole.mission.id})`,
    );
    expect(seated).toEqual([{ id: whole.mission.id }]);
  }
});

test('UTC is asked about once, and kept if it is meant', async ({ browser }) => {
  const page = await openAs(browser, service, null, IN_NEW_YORK);
  await createAccount(page, 'zulu@example.org');
  await page.getByLabel('Call Sign').fill('Zulu');
  await zone(page).selectOption('UTC');
  await tap(page, 'Continue');
  await expect(question(page)).toContainText('Your browser is in America/New_York');
  // Escape goes back to the form, and nothing is saved
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  expect(await storedZone('zulu@example.org')).toBe('UTC');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile');
  await tap(page, 'Continue');
  await question(page).getByRole('button', { name: 'Keep UTC' }).tap();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly Availability');
  await expect(page.getByText('Your browser is in America/New_York')).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).tap();
  await expect(zone(page)).toHaveValue('UTC');
  await tap(page, 'Continue');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly Availability');
  await expect(question(page)).toHaveCount(0);
});

test("the question's other answer saves the browser's zone", async ({ browser }) => {
  const page = await openAs(browser, service, null, IN_DUBAI);
  await createAccount(page, 'dubai@example.org');
  await expect(zone(page)).toHaveValue('Asia/Dubai');
  await page.getByLabel('Call Sign').fill('Monsoon');
  await zone(page).selectOption('UTC');
  await tap(page, 'Continue');
  await question(page).getByRole('button', { name: 'Use Asia/Dubai' }).tap();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly Availability');
  expect(await storedZone('dubai@example.org')).toBe('Asia/Dubai');
  await expect(page.getByText('18:00 here is 1400Z')).toBeVisible();
});

test('a wrong guess is corrected from the list of all zones', async ({ browser }) => {
  const page = await openAs(browser, service, null, IN_NEW_YORK);
  await createAccount(page, 'traveller@example.org');
  await expect(zone(page).locator('option[value="Pacific/Auckland"]')).toHaveCount(0);
  await tap(page, 'Not right?');
  await expect(zone(page)).toBeFocused();
  await zone(page).selectOption('Pacific/Auckland');
  await page.getByLabel('Call Sign').fill('Kiwi');
  await tap(page, 'Continue');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly Availability');
  expect(await storedZone('traveller@example.org')).toBe('Pacific/Auckland');
});

test('a browser in UTC leaves UTC, without a question', async ({ browser }) => {
  const page = await openAs(browser, service, null, { ...IPHONE, timezoneId: 'UTC' });
  await createAccount(page, 'greenwich@example.org');
  await expect(zone(page)).toHaveValue('UTC');
  await page.getByLabel('Call Sign').fill('Greenwich');
  await tap(page, 'Continue');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly Availability');
  expect(await storedZone('greenwich@example.org')).toBe('UTC');
});

test('the first admin, whose profile nobody has filled in, gets the zone on the profile; a saved zone stays', async ({
  browser,
}) => {
  const fresh = await givenPerson(service, { roles: ['admin', 'user'] });
  await query(service.app.orm.em.fork(), sql`update app_user set display_name = null where id = ${fresh.id}`);
  const page = await openAs(browser, service, fresh, IN_NEW_YORK);
  await page.goto('/profile/me');
  await expect(zone(page)).toHaveValue('America/New_York');
  await page.getByLabel('Call Sign').fill('Boss');
  await tap(page, 'Save Profile');
  await expect(page.getByText('Profile saved').first()).toBeVisible();
  expect(await storedZone(fresh.email)).toBe('America/New_York');

  const settled = await givenPerson(service, { timeZone: 'UTC' });
  const other = await openAs(browser, service, settled, IN_NEW_YORK);
  await other.goto('/profile/me');
  await expect(zone(other)).toHaveValue('UTC');
  await other.getByLabel('Call Sign').fill('Settled');
  await tap(other, 'Save Profile');
  await expect(other.getByText('Profile saved').first()).toBeVisible();
  expect(await storedZone(settled.email)).toBe('UTC');
  await zone(other).selectOption('Asia/Tokyo');
  await tap(other, 'Save Profile');
  await expect.poll(() => storedZone(settled.email)).toBe('Asia/Tokyo');
  await zone(other).selectOption('UTC');
  await tap(other, 'Save Profile');
  await question(other).getByRole('button', { name: 'Keep UTC' }).tap();
  await expect.poll(() => storedZone(settled.email)).toBe('UTC');
});

test('the registration from Discord preselects it, too', async ({ browser }) => {
  const guildId = '889900112233445577';
  await query(
    service.app.orm.em.fork(),
    sql`insert into guild (id, name, status, installed_at, accepted_at, last_seen_at)
        values (${guildId}, 'Lantern Wing', 'active', now(), now(), now())`,
  );
  const request = { guildId, discordUserId: '123456789012345699', discordUsername: 'dune', campaignId: null };
  const session = await issueRegistrationSession(service.app.orm.em.fork(), request, new Date());
  const page = await openAs(browser, service, null, IN_DUBAI);
  await page.goto(registrationUrl(service.url, request, session));
  await expect(zone(page)).toHaveValue('Asia/Dubai');
  await page.getByLabel('Call Sign').fill('Dune');
  await zone(page).selectOption('UTC');
  await tap(page, 'Complete Registration');
  await question(page).getByRole('button', { name: 'Use Asia/Dubai' }).tap();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registration Complete');
  const [stored] = await query<{ zone: string }>(
    service.app.orm.em.fork(),
    sql`select time_zone as zone from app_user where display_name = 'Dune'`,
  );
  expect(stored?.zone).toBe('Asia/Dubai');
});
