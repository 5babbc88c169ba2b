/** A forgotten password, from the sign-in page through the email to a new session. */
import { expect, test } from '@playwright/test';
import { givenPerson } from '#tests/harness/given.ts';
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
