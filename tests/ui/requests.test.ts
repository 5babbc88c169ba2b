/** Visitors' requests on the pages: from the form to the admins, an invite by email or link, dismissal; every width and scheme. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, PASSWORD, type Person } from '#tests/harness/given.ts';
import { linkIn } from '#tests/harness/mail-service.ts';
import { startMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, noteCalls, openAs } from './pages.ts';
import { smallTargets } from './targets.ts';

let service: Service;
let server: MailServer;
let admin: Person;
test.beforeAll(async () => {
  server = await startMailServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: 'Marshal <marshal@example.org>' };
  service = await startService({ withClient: true, withJobs: true, env });
  admin = await givenAdmin(service);
});
test.afterAll(async () => {
  await service.stop();
  await server.stop();
});
closePagesAfterEach();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const list = (page: Page) => page.getByRole('region', { name: 'Requests' });
const row = (page: Page, name: string) => list(page).getByRole('row', { name });
const setRegistration = (registration: string) =>
  admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration });
const ask = (handle: string, values: object = {}) =>
  createClient(service).call('POST', '/slot-requests', {
    handle,
    email: `${handle.toLowerCase().replaceAll(' ', '.')}@example.org`,
    module: 'F-16C',
    level: 'proficient',
    slot: 'Flexible',
    notes: null,
    ...values,
  });

/** Fill in the form on the front page and send it. */
async function submit(page: Page, handle: string, email: string): Promise<void> {
  await page.goto('/');
  const form = page.getByRole('form', { name: 'Pick Your Slot' });
  await form.getByLabel('Pilot handle').fill(handle);
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Primary module').selectOption('F-14B');
  await form.getByLabel('Skill level').selectOption('Advanced');
  await form.getByLabel('Notes').fill('Carrier qualified');
  await form.getByRole('button', { name: 'Request slot' }).click();
  await expect(page.getByRole('alert')).toHaveText("Request submitted! We'll email you your slot options.");
}

test('a visitor who goes on to the registration tells the admins, who invite by email', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  await expect(list(page)).toContainText('No requests. Visitors make them with the form on the front page.');

  const visitor = await openAs(browser, service, null);
  const noted = await noteCalls(visitor);
  await submit(visitor, 'Slider', 'slider@example.org');
  const made = async () => (await noted()).calls.filter(({ url }) => url.includes('auth.requestSlot')).length;
  expect(await made()).toBe(0);
  await visitor.getByRole('link', { name: 'Create your account with this' }).click();
  await expect(visitor).toHaveURL(`${service.url}/register/account`);
  await expect.poll(made).toBe(1);

  // the open page hears of it
  await expect(row(page, 'Slider')).toContainText('slider@example.org');
  await expect(row(page, 'Slider')).toContainText('F-14B, Proficient');
  await expect(row(page, 'Slider')).toContainText('Carrier qualified');
  await expect(row(page, 'Slider')).toContainText(/under a minute ago|1 min ago/);
  await expect.poll(() => server.to(admin.email).map(({ parsed }) => parsed.subject)).toHaveLength(1);
  await page.goto(linkIn(server.to(admin.email)[0] as Parameters<typeof linkIn>[0], '/admin/invites'));

  // by the keyboard alone
  await button(page, 'Create an invite for Slider').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Name')).toHaveValue('Slider');
  await expect(dialog(page).getByLabel('Number of uses')).toHaveValue('1');
  await expect(dialog(page).getByLabel('Aircraft to start with').locator('option:checked')).toHaveText(/^F-14B/);
  await dialog(page).getByLabel('Name').press('Enter');
  await expect(dialog(page).getByLabel('Addresses')).toHaveValue('slider@example.org');
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await expect(dialog(page)).toContainText('The invite is on its way to 1 address.');
  await button(page, 'Done').press('Enter');
  await expect(row(page, 'Slider')).toContainText('Invited');
  await expect(button(page, 'Create an invite for Slider')).toHaveCount(0);

  await expect.poll(() => server.to('slider@example.org').length).toBe(1);
  await visitor.goto(linkIn(server.to('slider@example.org')[0] as Parameters<typeof linkIn>[0], '/join/'));
  await visitor.getByRole('link', { name: 'Create your account' }).click();
  await visitor.getByLabel('Email').fill('Slider@example.org');
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await visitor.getByLabel('Confirm Password').fill(PASSWORD);
  await button(visitor, 'Continue').click();
  await expect(visitor).toHaveURL(/register\/profile/);
  await expect(list(page)).toContainText('No requests.');
});

test('where registration is by invite, the visitor asks for one; a request is dismissed', async ({ browser }) => {
  await setRegistration('invite');
  try {
    const visitor = await openAs(browser, service, null, { viewport: { width: 360, height: 740 } });
    await submit(visitor, 'Sundown', 'sundown@example.org');
    await button(visitor, 'Ask for an invite').click();
    await expect(visitor.getByText('The admins have your request and can answer with an invite.')).toBeVisible();
    expect(await findInSchemes(visitor)).toEqual([]);
  } finally {
    await setRegistration('open');
  }
  expect((await ask('Merlin')).status).toBe(200);
  const page = await openAs(browser, service, admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: '2 visitors ask for a slot' }).click();
  await button(page, 'Dismiss the request of Sundown').click();
  await expect(row(page, 'Sundown')).toHaveCount(0);
  await expect(page.getByText('Request dismissed')).toBeVisible();

  // of two admins, the second is told, and the list is read again
  const { body } = await admin.client.call('GET', '/admin/slot-requests');
  await page.route('**/admin.community.dismissRequest*', async (route) => {
    await admin.client.call('DELETE', `/admin/slot-requests/${body.requests[0].id}`);
    await route.continue();
  });
  await button(page, 'Dismiss the request of Merlin').click();
  await expect(page.getByText('This request is no longer there')).toBeVisible();
  await expect(list(page)).toContainText('No requests.');
  await page.goto('/admin/audit');
  await expect(page.getByText("Dismissed a visitor's request").first()).toBeVisible();
});

test('the list fits 1440 and 320 px in both schemes, with targets for thumbs', async ({ browser }) => {
  const notes = 'Mostly night strikes.\nNot on Sundays, and never before nine in the evening, because of the children.';
  await ask('Hollywood', { notes, module: 'Mirage 2000C', slot: 'Weeknights UTC-5' });
  await ask('A handle that is much longer than any that a pilot would shout on the radio', {
    email: 'x'.repeat(60) + '@example.org',
    module: 'Other',
  });
  await ask('Wolfman');
  const { body } = await admin.client.call('GET', '/admin/slot-requests');
  const requestId = body.requests.find(({ handle }: { handle: string }) => handle === 'Wolfman').id;
  expect((await admin.client.call('POST', '/admin/invites', { name: 'Wolfman', maxUses: 1, requestId })).status).toBe(
    201,
  );
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  await expect(row(page, 'Wolfman')).toContainText('Invited');
  for (const width of [1440, 360, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const touched = await openAs(browser, service, admin, phone);
  await touched.goto('/admin/invites');
  await expect(row(touched, 'Wolfman')).toContainText('Invited');
  expect(await smallTargets(touched, 44)).toEqual([]);
});
