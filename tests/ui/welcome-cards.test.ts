/** The cards on /home after the registration: notifications, calendar and the next mission. */
import { expect, test } from '@playwright/test';
import { givenAdmin, givenPerson } from '#tests/harness/given.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('three cards follow the registration, stay on a reload, and go for good when they are closed', async ({
  browser,
}) => {
  const admin = await givenAdmin(service);
  const { mission } = await givenMissionIn(service, admin, 48, { name: 'Op First Flight' });
  const page = await openAs(browser, service, await givenPerson(service, { displayName: 'Rookie' }));
  const cards = page.getByRole('list', { name: 'Three things that help' });
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Rookie');
  await expect(cards).toHaveCount(0);

  await page.goto('/register/status');
  await page.getByRole('button', { name: 'Complete Registration' }).click();
  await expect(cards.getByRole('listitem')).toHaveCount(3);
  await expect(cards.getByRole('heading')).toHaveText(['Notifications', 'Calendar', 'Next mission']);
  await expect(cards).toContainText('Op First Flight');
  await page.reload();
  await expect(cards.getByRole('button', { name: 'Turn on notifications' })).toBeVisible();
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  }
  expect(await findInSchemes(page)).toEqual([]);

  await cards.getByRole('link', { name: 'Get calendar link' }).click();
  await expect(page).toHaveURL(/\/profile\/calendar#calendar$/);
  await page.goBack();
  await cards.getByRole('link', { name: 'Open mission' }).click();
  await expect(page).toHaveURL(new RegExp(`/missions/${mission.id}$`));
  await page.goBack();
  await page.getByRole('button', { name: 'Close these suggestions' }).click();
  await expect(cards).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('No orders waiting')).toBeVisible();
  await expect(cards).toHaveCount(0);
});
