/** Email on the pages: a forgotten password, verification, choices, unsubscribing, invites, and the admins' panel. */
import { expect, test } from '@playwright/test';
import { givenAdmin, givenPerson } from '#tests/harness/given.ts';
import { startMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let server: MailServer;
test.beforeAll(async () => {
  server = await startMailServer();
  service = await startService({
    withClient: true,
    withJobs: true,
    env: { SMTP_URL: server.url, MAIL_FROM: 'Marshal <marshal@example.org>' },
  });
});
test.afterAll(async () => {
  await service.stop();
  await server.stop();
});
closePagesAfterEach();

test('the sign-in page leads to a link by email, which sets a password and signs in', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Viper' });
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?');
  await page.getByRole('button', { name: 'Send the Link' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Invalid email address/);
  await page.getByLabel('Email').fill(pilot.email);
  await page.getByRole('button', { name: 'Send the Link' }).click();
  await expect(page.getByText(`If ${pilot.email} belongs to an account`)).toBeVisible();

  await expect.poll(() => server.to(pilot.email).length).toBe(1);
  // the email itself, opened as a page: its button leads on
  const html = server.to(pilot.email)[0]?.parsed.html;
  const mail = await page.context().newPage();
  await mail.setContent(html === false || html === undefined ? '' : html);
  await expect(mail.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  const href = await mail.getByRole('link', { name: 'Choose a password' }).getAttribute('href');
  await mail.close();

  await page.goto(String(href));
  await page.getByLabel('Password', { exact: true }).fill('three blind mice 7');
  await page.getByLabel('Confirm Password', { exact: true }).fill('three blind mice 7');
  await page.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect(page).toHaveURL(/\/(home|register\/preferences)$/);
});

test('an unknown address reads the same sentence', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByRole('button', { name: 'Send the Link' }).click();
  await expect(page.getByText('If nobody@example.org belongs to an account')).toBeVisible();
});

test('without an SMTP server the sign-in page offers nothing, and the address says what to do', async ({ browser }) => {
  const plain = await startService({ withClient: true });
  try {
    const page = await openAs(browser, plain, null);
    const ways = page.waitForResponse((response) => response.url().includes('auth.ways'));
    await page.goto('/login');
    await ways;
    await expect(page.getByRole('link', { name: 'Register here' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Forgot your password?' })).toHaveCount(0);
    await page.goto('/forgot-password');
    await expect(page.getByText('Ask an admin for a new password')).toBeVisible();
    await page.close();
  } finally {
    await plain.stop();
  }
});

test('the profile shows whether the address is verified, and the link of the email changes it', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  await page.goto('/profile/me');
  const panel = page.getByRole('region', { name: 'Who you are' });
  await expect(panel).toContainText('Not verified');
  await panel.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => server.to(pilot.email).length).toBe(1);
  const link = /http\S+\/email\/verify\/\S+/.exec(server.to(pilot.email)[0]?.parsed.text ?? '')?.[0];
  await page.goto(String(link));
  await expect(page.getByText('Your address is verified.')).toBeVisible();
  await page.getByRole('link', { name: 'Open Profile' }).click();
  await expect(panel).toContainText('Verified');
  await expect(panel).not.toContainText('Not verified');
});

test('the choices for email are kept, and the page of a link ends one of them, with undo', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const choices = async () => (await pilot.client.call('GET', `/users/${pilot.id}/notifications`)).body;
  const page = await openAs(browser, service, pilot);
  await page.goto('/profile/notifications');
  const panel = page.getByRole('region', { name: 'Notify me about' });
  const changes = panel.getByRole('checkbox', { name: 'Email about changes to my seats' });
  await expect(changes).toBeChecked();
  await changes.click();
  const digest = panel.getByRole('checkbox', { name: 'Weekly digest' });
  await expect(digest).not.toBeChecked();
  await digest.click();
  await panel.getByRole('button', { name: 'Save Notifications' }).click();
  await expect.poll(choices).toMatchObject({ emailOrders: true, emailChanges: false, emailDigest: true });

  // in another browser, signed out
  const stranger = await openAs(browser, service, null);
  await stranger.goto(service.app.mailLinks.unsubscribeUrl({ choice: 'orders', subject: pilot.id }));
  await expect(stranger.getByText('You no longer get email about new frag orders.')).toBeVisible();
  expect(await choices()).toMatchObject({ emailOrders: false });
  await stranger.getByRole('button', { name: 'Undo' }).click();
  await expect(stranger.getByText('You get email about new frag orders again.')).toBeVisible();
  expect(await choices()).toMatchObject({ emailOrders: true });
  await stranger.goto('/email/unsubscribe/none');
  await expect(stranger.getByText("This link doesn't work")).toBeVisible();
});

test('an invite is sent to pasted addresses, and the dialog names who gets none', async ({ browser }) => {
  const admin = await givenAdmin(service);
  const member = await givenPerson(service);
  await admin.client.call('POST', '/admin/invites', { name: 'Autumn' });
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/invites');
  await page.getByRole('button', { name: 'Actions for Autumn' }).click();
  await page.getByRole('menuitem', { name: 'Send by email…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Addresses').fill('newcomer@example.org\nnot an address');
  await dialog.getByRole('button', { name: 'Send to 2' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('not an address: Invalid email address');
  await dialog.getByLabel('Addresses').fill(`Newcomer <newcomer@example.org>, ${member.email}`);
  await dialog.getByRole('button', { name: 'Send to 2' }).click();
  await expect(page.getByRole('dialog')).toContainText('The invite is on its way to 1 address.');
  await expect(page.getByRole('dialog')).toContainText(`${member.email} has an account`);
  await expect.poll(() => server.to('newcomer@example.org').length).toBe(1);
});

test('the settings show counts and failures, and send a test', async ({ browser }) => {
  const admin = await givenAdmin(service);
  server.reactTo((to) => (to === admin.email ? { atRecipient: 550 } : 'take'));
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/settings');
  const panel = page.getByRole('region', { name: 'Email' });
  await expect(panel).toContainText('Sent as marshal@example.org through 127.0.0.1:');
  await panel.getByRole('button', { name: 'Send a test email to yourself' }).click();
  const row = panel.getByRole('row').filter({ hasText: admin.email });
  await expect(row).toContainText('The mail server answered: 550 no such mailbox', { timeout: 20_000 });
  await expect(row).toContainText('None, given up');
  server.react('take');
  await panel.getByRole('button', { name: 'Send a test email to yourself' }).click();
  await expect.poll(() => server.to(admin.email).length).toBe(1);
});
