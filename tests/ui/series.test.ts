/** Templates and series: a mission from a template in few actions, and a mission that repeats. */
import { expect, test, type Page } from '@playwright/test';
import { createTemplate } from '#server/availability/availability.ts';
import { givenAdmin, givenMission, type Person } from '#tests/harness/given.ts';
import { inDays } from '#tests/harness/series.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true, withJobs: true });
  admin = await givenAdmin(service);
  // every day from 18:00 to 20:00 in UTC
  await createTemplate(service.app.orm.em.fork(), {
    id: admin.id,
    name: 'Evenings',
    isActive: true,
    slots: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
      weekday,
      startLocal: '18:00',
      endLocal: '20:00',
      aircraftCodeId: 0,
      notes: null,
    })),
  });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** A draft at noon in UTC, with the page of its date open. */
async function openMission(page: Page, name: string, days: number): Promise<string> {
  const { mission } = await givenMission(service, admin, {
    name,
    startLocal: `${inDays(days)}T12:00`,
    endLocal: `${inDays(days)}T14:00`,
    publish: false,
    notes: 'Brief on channel 3',
    aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'SEAD', additionalNotes: 'Bring four HARM' }],
  });
  await page.goto(`/admin/missions/${inDays(days)}?mission=${mission.id}`);
  return mission.id;
}

test('a mission is saved as a template, and another one made from it with at most eight actions', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await openMission(page, 'Op Pattern', 20);
  await page.getByRole('button', { name: 'Save Op Pattern as template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as template' });
  await dialog.getByLabel('Name of the template').fill('Wednesday strike');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved as the template Wednesday strike.')).toBeVisible();

  await page.goto('/home');
  // the page listens to its keys once it is drawn
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  let actions = 0;
  const act = async (action: Promise<unknown>): Promise<void> => {
    actions += 1;
    await action;
  };
  await act(page.keyboard.press('Control+k'));
  await act(page.getByRole('combobox').fill('create mission'));
  await act(page.keyboard.press('Enter'));
  const choice = page.getByLabel('Start from a template');
  await expect(choice.locator('optgroup[label="Starters"] option')).toHaveCount(3);
  await act(choice.selectOption({ label: 'Wednesday strike (Syria, 4 seats)' }));
  await expect(page.getByText('Filled in from Wednesday strike.')).toBeVisible();
  await expect(page.getByLabel('Mission name')).toHaveValue('Op Pattern');
  await expect(page.getByLabel('Start time')).toHaveValue('12:00');
  await expect(page.getByLabel('Additional notes')).toHaveValue('Bring four HARM');
  await act(page.getByLabel('Start date').fill(inDays(30)));
  await act(page.getByRole('button', { name: 'Create Mission' }).click());
  await expect(page.getByText('Op Pattern').first()).toBeVisible();
  await expect(page.getByLabel('Mission name')).toBeHidden();
  expect(actions).toBeLessThanOrEqual(8);
});

test('nothing typed is lost without a question when another template is chosen', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/missions');
  await page.getByLabel('Mission name').fill('Op Typed');
  await page.getByLabel('Start from a template').selectOption('starter-flag');
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Mission name')).toHaveValue('Op Typed');
  await expect(page.getByLabel('Start from a template')).toHaveValue('');
  await page.getByLabel('Start from a template').selectOption('starter-flag');
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByLabel('Mission name')).toHaveValue('8v8 capture the flag');
});

test('a mission repeats: its dates appear, one is moved to its best hour, one is skipped, all are edited, it ends', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await openMission(page, 'Op Weekly', 7);
  await page.getByRole('button', { name: 'Repeat Op Weekly' }).click();
  const dialog = page.getByRole('dialog', { name: 'Repeat Op Weekly' });
  await dialog.getByLabel('Create missions').selectOption('3');
  await dialog.getByRole('button', { name: 'Create series' }).click();
  await expect(page.getByText(/Part of Op Weekly, every \w+day at 1200L \(UTC\)/)).toBeVisible();

  await page.goto('/admin/series');
  const series = page.getByRole('region', { name: 'Op Weekly' });
  await expect(series.getByText('Draft', { exact: true })).toHaveCount(3);

  expect(await findInSchemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });

  // as the board recommends for these seats
  const advice = await admin.client.call(
    'GET',
    `/admin/missions/recommended-time?date=${inDays(7)}&minDuration=120&seats=2x4&limit=1`,
  );
  expect(advice.body.recommendations[0]).toMatchObject({ startLocal: `${inDays(7)}T18:00`, fillableSeats: 1 });
  const moved = page.waitForResponse((response) => response.url().includes('admin.mission.edit'));
  await series
    .getByRole('button', { name: /^Move this one: Op Weekly on .* to 1800L$/ })
    .first()
    .click();
  expect((await moved).ok()).toBe(true);
  await expect(series.getByText('edited separately')).toHaveCount(1);
  await expect(series.getByText('As planned, 1 of 4 seats')).toBeVisible();

  await series
    .getByRole('button', { name: /^Skip Op Weekly/ })
    .nth(1)
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
  await expect(series.getByText('Skipped', { exact: true })).toBeVisible();

  await series
    .getByRole('row')
    .filter({ has: page.getByText('Draft', { exact: true }) })
    .last()
    .getByRole('link')
    .click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Mission name').fill('Op Renamed');
  await page.getByLabel('Save for').selectOption('all');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText(/Part of Op Renamed/)).toBeVisible();

  await page.goto('/admin/series');
  const renamed = page.getByRole('region', { name: 'Op Renamed' });
  await renamed.getByRole('button', { name: 'End series' }).click();
  await expect(page.getByRole('dialog').getByText('Its coming drafts go.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'End series' }).click();
  await expect(page.getByText('No series yet')).toBeVisible();
});
