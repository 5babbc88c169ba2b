/** Drafts seated together from the form and from a mission's day, and the pilots without a seat. */
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { query, sql } from '#server/schema/query.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { dateIn, givenFlight, openMission } from './mission-cards.ts';
import { closePagesAfterEach, cutOff, openAs } from './pages.ts';

const HORNET = 1;
const VIPER = 2;
const HORNET_SLOT = [{ aircraftId: HORNET, slotCount: 1, side: 0 as const, notes: 'CAP' as const }];

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: 'UTC' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.beforeEach(async () => {
  await retirePilots(service);
  // the better lead flies both aircraft, the other only the Viper: the order of missions decides what is left
  const [all, viper] = [await givenPilot('Everything', 0), await givenPilot('Viper only', VIPER)];
  await admin.client.call('PUT', `/users/${all.id}/proficiencies/${VIPER}`, { level: 'expert' });
  await admin.client.call('PUT', `/users/${all.id}/proficiencies/${HORNET}`, { level: 'basic' });
  expect(viper.id).not.toBe(all.id);
});

async function givenPilot(displayName: string, aircraftId: number): Promise<Person> {
  const pilot = await givenPerson(service, { displayName });
  await givenAlwaysFree(service, pilot.id, aircraftId);
  return pilot;
}

const statusOf = async (id: string): Promise<string> =>
  (await admin.client.call('GET', `/admin/missions/${id}`)).body.status;
const short = (date: string) =>
  new Date(date).toLocaleDateString('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
const together = (place: Page | Locator) => place.getByRole('region', { name: 'Plan together with other drafts' });

/** The form for one Viper at the hours of the flights given here. */
async function openForm(browser: Browser, date: string, name: string): Promise<Page> {
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions?start=${date}T18:00`);
  await page.getByLabel('Mission name').fill(name);
  await page.getByLabel('Theater').selectOption('Syria');
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await page.getByLabel('Aircraft', { exact: true }).selectOption({ label: 'F-16C Viper (F-16C_50)' });
  return page;
}

test('the dry run names the draft that competes for pilots; published together both fill more seats', async ({
  browser,
}) => {
  const date = dateIn(10);
  const draft = await givenFlight(service, admin, 'Op Hornet', date, 1, {
    publish: false,
    startLocal: `${date}T19:00`,
    aircraftSlots: HORNET_SLOT,
  });
  const page = await openForm(browser, date, 'Op Viper');
  const offer = together(page);
  const box = offer.getByRole('checkbox', { name: `“Op Hornet” (draft, ${short(date)} 1900Z)` });
  await expect(box).toBeChecked();
  await expect(offer).toContainText('Needs 1 of the same pilots.');
  await expect(offer.getByRole('status')).toHaveText('Planned together, 2 of 2 seats fill; planned separately, 1.');
  await box.click();
  await expect(offer).toContainText('Choose a draft to plan them together.');
  await expect(offer.getByRole('button')).toHaveCount(0);
  await box.click();
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 900 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await offer.getByRole('button', { name: 'Create and publish together' }).click();
  const created = page.getByRole('region', { name: 'Mission Created Successfully!' });
  await expect(created).toContainText('Published together with “Op Hornet”: 2 orders issued, 0 seats open in all.');
  await expect(created).not.toContainText('This is a draft');
  expect(await statusOf(draft)).toBe('scheduled');
});

test('a failed publication leaves a draft, says so, and can be retried', async ({ browser }) => {
  const date = dateIn(12);
  const draft = await givenFlight(service, admin, 'Op Rival', date, 1, { publish: false });
  const page = await openForm(browser, date, 'Op Halfway');
  await expect(together(page).getByRole('status')).toBeVisible();
  const mend = await cutOff(page, 'admin.mission.publishWeek');
  await together(page).getByRole('button', { name: 'Create and publish together' }).click();
  const created = page.getByRole('region', { name: 'Mission Created Successfully!' });
  await expect(created.getByRole('alert')).toContainText(
    'The mission is saved as a draft, but was not published together with “Op Rival”:',
  );
  expect(await statusOf(draft)).toBe('draft');
  await mend();
  await created.getByRole('button', { name: 'Publish together again' }).click();
  await expect(created).toContainText('Published together with “Op Rival”: 2 orders issued, 0 seats open in all.');
  expect(await statusOf(draft)).toBe('scheduled');
  const made = await query(service.app.orm.em.fork(), sql`select 1 from mission where name = 'Op Halfway'`);
  expect(made).toHaveLength(1);
});

test('a draft is published from its day, alone or together with competing drafts', async ({ browser }) => {
  const date = dateIn(14);
  await givenFlight(service, admin, 'Op First', date, 1, { publish: false });
  const rival = await givenFlight(service, admin, 'Op Second', date, 1, { publish: false, aircraftSlots: HORNET_SLOT });
  const [page, card] = await openMission(browser, service, admin, date, 'Op First');
  await card.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish Op First?' });
  await expect(dialog.getByRole('button', { name: 'Publish alone' })).toBeVisible();
  await expect(together(dialog).getByRole('status')).toContainText('Planned together, 2 of 2 seats fill');
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Publish together with “Op Second”' }).click();
  await expect(card.getByRole('status').filter({ hasText: 'Published together' })).toHaveText(
    /Published together with “Op Second”: 2 orders issued, 0 seats open\./,
  );
  await expect(page.getByRole('region', { name: 'Op Second' }).getByText('scheduled')).toBeVisible();
  expect(await statusOf(rival)).toBe('scheduled');
});

test('pilots without a seat are counted, named and grouped by reason; seated pilots show why they were chosen', async ({
  browser,
}) => {
  const date = dateIn(16);
  await givenPerson(service, { displayName: 'Never free' });
  await givenPilot('Hornet only', HORNET);
  const nearly = await givenPerson(service, { displayName: 'Nearly free' });
  const free = { dateLocal: date, kind: 'available', startLocal: '18:00', endLocal: '20:30', aircraftCodeId: 0 };
  await nearly.client.call('POST', `/users/${nearly.id}/availability/overrides`, free);
  await givenFlight(service, admin, 'Op Single', date, 1);
  const [page, card] = await openMission(browser, service, admin, date, 'Op Single');
  await card.getByText('Not seated', { exact: true }).click();
  const table = (reason: string) =>
    card.getByRole('table', { name: `${reason}: pilots without a seat in Op Single`, exact: true });
  // the near miss comes first
  await expect(card.getByRole('tabpanel').getByRole('heading')).toHaveText([
    'Near misses 1',
    'Not available 2',
    'Other aircraft 1',
    'Ready 1',
  ]);
  await expect(table('Near misses')).toContainText('Nearly free is not available from 2030Z to 2100Z.');
  await expect(table('Not available')).toContainText('Never free is not available from 1800Z to 2100Z.');
  await expect(table('Other aircraft')).toContainText('Hornet only is not available in the F-16C Viper');
  await expect(table('Ready')).toContainText('The only seat that fits Viper only is taken.');
  await expect(page).toHaveURL(/tab=unseated/);
  await page.reload();
  await expect(table('Near misses')).toBeVisible();

  await card.getByRole('tab', { name: 'Roster' }).click();
  const seat = card.getByRole('list', { name: 'Seats of Viper 1' }).getByRole('listitem');
  await seat.getByText('Why', { exact: true }).click();
  await expect(seat).toContainText("You're an expert in the F-16C Viper.");
  await card.getByRole('tab', { name: /^Orders/ }).click();
  const orders = card.getByRole('table', { name: 'Pending orders of Op Single' });
  await orders.getByText('Why', { exact: true }).click();
  await expect(orders).toContainText("You're an expert in the F-16C Viper.");
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 900 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
});
