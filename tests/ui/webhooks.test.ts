/** /admin/webhooks: add a webhook, its secret once, a delivery sent again, pause, rotate and delete; every width and scheme. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#tests/harness/webhook-receiver.ts';
import { findInSchemes, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let receiver: WebhookReceiver;
let admin: Person;

test.beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startService({ withClient: true, withJobs: true, env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } });
  admin = await givenAdmin(service);
});
test.afterAll(async () => {
  await service.stop();
  await receiver.stop();
});
closePagesAfterEach();

const host = () => new URL(receiver.url).host;
const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, action: string): Promise<void> {
  await button(page, `Actions for ${host()}`).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

test('from an empty page to a delivered event, by keyboard where it matters', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/home');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks');
  await expect(page.getByText('No webhooks yet')).toBeVisible();

  await button(page, 'Add Webhook').first().press('Enter');
  await dialog(page).getByRole('button', { name: 'Add Webhook' }).click();
  await expect(dialog(page).getByText('Please enter the address of the receiver')).toBeVisible();
  await expect(dialog(page).getByText('Please choose at least one event')).toBeVisible();
  await dialog(page).getByLabel('Address').fill('https://user:word@receiver.example/');
  await dialog(page).getByLabel('mission.published').press('Space');
  await dialog(page).getByRole('button', { name: 'Add Webhook' }).click();
  await expect(dialog(page).getByText('The address must not contain a user name or password').first()).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await dialog(page).getByLabel('Address').fill(receiver.url);
  await dialog(page).getByLabel('Note').fill('Relay to the game server');
  await dialog(page).getByLabel('Address').press('Enter');

  const secret = dialog(page).getByLabel('Signing secret', { exact: true });
  await expect(secret).toHaveValue(/^whsec_/);
  receiver.secrets.push(await secret.inputValue());
  await button(page, 'Done').click();
  await expect(page.getByRole('row', { name: host() })).toContainText('Active');

  await choose(page, 'Send a test event');
  const log = page.getByRole('region', { name: `Deliveries to ${host()}` });
  await expect(log).toContainText('Delivered', { timeout: 30_000 });
  await log.getByRole('button', { name: 'Send webhook.test again' }).click();
  await expect(log).toContainText('sent again by an admin', { timeout: 30_000 });
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(2);
  expect(receiver.forged).toEqual([]);
});

test('pause, enable, rotate and delete ask first', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/webhooks');
  const row = page.getByRole('row', { name: host() });
  await choose(page, 'Pause');
  await dialog(page).getByRole('button', { name: 'Pause' }).click();
  await expect(row).toContainText('Paused');
  await choose(page, 'Enable');
  await expect(row).toContainText('Active');
  await choose(page, 'Rotate secret');
  await dialog(page).getByRole('button', { name: 'Rotate' }).click();
  await expect(dialog(page).getByLabel('Signing secret', { exact: true })).toHaveValue(/^whsec_/);
  await expect(dialog(page)).toContainText('signed by both secrets');
  await page.keyboard.press('Escape');
  await expect(row).toContainText('Old secret valid until');
  await choose(page, 'Edit');
  await dialog(page).getByLabel('Note').fill('Relay');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(row.getByText('Relay', { exact: true })).toBeVisible();

  await page.goto('/admin/audit');
  await page.getByRole('link', { name: host() }).first().click();
  await expect(page.getByRole('region', { name: `Deliveries to ${host()}` })).toBeVisible();
});

test('the page and its log fit 1440 and 360 px in both schemes, without violations', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/webhooks');
  await choose(page, 'Show deliveries');
  await expect(page.getByRole('region', { name: `Deliveries to ${host()}` })).toContainText('Delivered');
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }
});

test('a webhook is deleted', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/webhooks');
  await choose(page, 'Delete');
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await page.goto('/admin/audit');
  await expect(page.getByText('Deleted the webhook')).toBeVisible();
});
