/** The API reference page, as authors of scripts read it. */
import { expect, test } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
import { OPERATIONS } from '#tests/api/http/operations.ts';
import { findViolations } from './faults.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('the API reference lists every call with its parameters, body and answer, without signing in or console errors', async ({
  browser,
}) => {
  const page = await openAs(browser, service, null, { viewport: { width: 360, height: 700 } });
  const complaints = hearComplaints(page);
  await page.goto('/api/v1/docs');
  await expect(page).toHaveTitle('Marshal API reference');
  const shown = await page.locator('details').evaluateAll((calls) => calls.map(({ id }) => id));
  expect(Object.keys(OPERATIONS).filter((name) => !shown.includes(name))).toEqual([]);

  const rsvp = page.locator('details[id="pilot.rsvp"]');
  await rsvp.locator('summary').click();
  await expect(rsvp.getByRole('row', { name: /^id path required/ })).toBeVisible();
  await expect(rsvp).toContainText('"pending" | "accepted" | "standby" | "declined"');
  const missions = page.locator('details[id="admin.createMission"]');
  await missions.locator('summary').click();
  await expect(missions).toContainText('Answer 201');
  await expect(missions).toContainText('slotCount: integer 1 to 64');

  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await findViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
