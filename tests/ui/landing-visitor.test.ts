/** The front page leads visitors to an account, also from the request form, and shows the product moving. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const form = (page: Page) => page.getByRole('form', { name: 'Pick Your Slot' });

/** The front page with its form, which arrives last. */
async function open(page: Page): Promise<Page> {
  await page.goto('/');
  await expect(form(page)).toBeVisible();
  return page;
}

/** Fill in the required fields and send the request. */
async function requestSlot(page: Page, handle: string, email: string): Promise<void> {
  await form(page).getByLabel('Pilot handle').fill(handle);
  await form(page).getByLabel('Email').fill(email);
  await form(page).getByRole('button', { name: 'Request slot' }).click();
  await expect(page.getByRole('alert')).toHaveText("Request submitted! We'll email you your slot options.");
}

test('the header and the hero lead to the registration, which says who may register', async ({ browser }) => {
  const admin = await givenAdmin(service);
  const page = await open(await openAs(browser, service, null));
  const ways = [
    page.getByRole('banner').getByRole('link', { name: 'Join', exact: true }),
    section(page, 'Fly with a flight, not a lobby.').getByRole('link', { name: 'Create your account' }),
  ];
  const community = (registration: string) => admin.client.call('PUT', '/admin/community', { registration, name: '' });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 740 });
    for (const way of ways) {
      await way.click();
      await expect(page).toHaveURL(`${service.url}/register/account`);
      await expect(page.getByLabel('Email')).toHaveValue('');
      await page.goBack();
    }
  }
  try {
    for (const [mode, sentence] of [
      ['approval', 'An admin approves new accounts before they fly.'],
      ['invite', 'Registration is by invite here. Please ask an admin for an invite link.'],
    ] as const) {
      expect((await community(mode)).status).toBe(200);
      await page.goto('/');
      await ways[0]?.click();
      await expect(page.getByText(sentence)).toBeVisible();
      await expect(page.getByLabel('Email')).toBeVisible({ visible: mode === 'approval' });
    }
    // Who cannot register is told so at the form, without a call after the request.
    await open(page);
    await requestSlot(page, 'Slider', 'slider@example.org');
    await expect(page.getByText('Registration is by invite here.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Create your account with this' })).toHaveCount(0);
  } finally {
    await community('open');
  }

  const signedIn = await open(await openAs(browser, service, await givenPerson(service)));
  await expect(signedIn.getByRole('banner').getByRole('link', { name: /→$/ })).toHaveText('Go to Dashboard →');
  await expect(
    signedIn.locator('header a[href="/register/account"], [aria-labelledby="hero-title"] a[href^="/register"]'),
  ).toHaveCount(0);
});

test('a request becomes an account with its email, call sign and aircraft, and the address shows none of them', async ({
  browser,
}) => {
  const page = await open(await openAs(browser, service, null));
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  page.on('request', (request) => addresses.push(request.url()));
  await form(page).getByLabel('Primary module').selectOption('F-14B');
  await form(page).getByLabel('Skill level').selectOption('Advanced');
  await form(page).getByLabel('Notes').fill('Carrier qualified');
  await requestSlot(page, 'Slider', 'slider@example.org');
  await page.getByRole('link', { name: 'Create your account with this' }).click();
  await expect(page).toHaveURL(`${service.url}/register/account`);
  await page.reload();
  await expect(page.getByLabel('Email')).toHaveValue('slider@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${service.url}/register/profile`);
  await expect(page.getByLabel('Call Sign')).toHaveValue('Slider');
  await expect(page.getByRole('group', { name: 'Aircraft you fly (optional)' })).toContainText('F-14B Tomcat');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/register/preferences');

  const stored = await query<{ name: string; aircraft: string; level: string }>(
    service.app.orm.em.fork(),
    sql`select u.display_name as name, a.name as aircraft, p.level from app_user u
        join proficiency p on p.user_id = u.id join aircraft a on a.id = p.aircraft_id where u.email = 'slider@example.org'`,
  );
  expect(stored).toEqual([{ name: 'Slider', aircraft: 'F-14B Tomcat', level: 'proficient' }]);
  expect(addresses.filter((address) => /slider|F-14|qualified/i.test(address))).toEqual([]);
});

test('the product is shown moving once, with a pause; with reduced motion it is a still picture', async ({
  browser,
}) => {
  const page = await open(await openAs(browser, service, null, { reducedMotion: 'no-preference' }));
  const work = section(page, 'See it work');
  const seat = work.getByText('your seat: Viper 1-2');
  /** states of the drawing's animations; buttons have transitions of their own */
  const running = (): Promise<string[]> =>
    work
      .locator('[data-phase]')
      .evaluate((stage) => stage.getAnimations({ subtree: true }).map(({ playState }) => playState));
  const states = async () => [...new Set(await running())].sort();
  const control = (name: string) => work.getByRole('button', { name, exact: true });
  // nothing moves before it is on the screen
  await expect(control('Replay')).toBeAttached();
  expect(await running()).toEqual([]);
  await work.scrollIntoViewIfNeeded();
  await expect(control('Pause')).toBeVisible();
  await control('Pause').click();
  await expect(control('Play')).toBeFocused();
  expect(await states()).toContain('paused');
  expect(await states()).not.toContain('running');
  await control('Play').click();
  expect(await states()).toContain('running');
  // to its end, without waiting for the seconds
  await work.locator('[data-phase]').evaluate((stage) => {
    for (const animation of stage.getAnimations({ subtree: true })) animation.finish();
  });
  await expect(control('Replay')).toBeVisible();
  await expect.poll(running).toEqual([]);
  await expect(seat).toBeVisible();
  await control('Replay').click();
  await expect(control('Pause')).toBeVisible();
  await expect.poll(async () => (await running()).length).toBeGreaterThan(8);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await expect(page.getByLabel('Pilot handle')).toBeVisible();
  await work.scrollIntoViewIfNeeded();
  await expect(work.getByRole('button')).toHaveCount(0);
  expect(await running()).toEqual([]);
  await expect(seat).toBeVisible();
  for (const step of ['You paint the evenings', 'Marshal matches every pilot', 'the seat is yours: Viper 1-2']) {
    await expect(work.getByRole('listitem').filter({ hasText: step })).toHaveCount(1);
  }
});
