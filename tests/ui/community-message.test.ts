/** The panel by which an admin sends a message to pilots. */
import { expect, test } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenDevice, startPushService, type PushService } from '#tests/harness/push-service.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let push: PushService;
let service: Service;
let admin: Person;
test.beforeAll(async () => {
  push = await startPushService();
  service = await startService({ withClient: true, withJobs: true, env: { PUSH_EXTRA_ORIGINS: push.origin } });
  admin = await givenAdmin(service);
});
test.afterAll(async () => {
  await service.stop();
  await push.stop();
});
closePagesAfterEach();

test('an admin sees whom a message reaches, confirms it, and it is sent and listed', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/settings');
  const panel = page.getByRole('region', { name: 'Message to pilots' });
  await expect(panel).toContainText('Nobody would get it yet');
  await expect(panel.getByRole('button', { name: 'Send Message' })).toBeDisabled();

  const pilot = await givenPerson(service);
  const device = givenDevice(push);
  await pilot.client.call('POST', '/pilot/push/subscriptions', device.subscription);
  await query(service.app.orm.em.fork(), sql`update app_user set wants_global_events = true where id = ${pilot.id}`);
  await page.reload();
  await expect(panel).toContainText('Goes to 1 pilot who asked');
  const text = 'Fly-in on **Saturday**.\nBring a friend.';
  await panel.getByRole('textbox', { name: 'Message' }).fill(text);
  await panel.getByRole('button', { name: 'Send Message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this message to 1 pilot?' });
  await expect(dialog.locator('strong')).toHaveText('Saturday');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(device.messages()).toEqual([]);
  await panel.getByRole('button', { name: 'Send Message' }).click();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(panel.getByRole('list', { name: 'Sent messages' }).getByRole('listitem')).toContainText(
    'Bring a friend.',
  );
  await expect(panel.getByRole('textbox', { name: 'Message' })).toHaveValue('');
  await expect(panel).toContainText('2 left today');
  await expect.poll(() => device.messages().map(({ body }) => body)).toEqual(['Fly-in on Saturday.\nBring a friend.']);

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowOf(page)).toBe(0);
  expect(await findViolations(page, 'main')).toEqual([]);
});
