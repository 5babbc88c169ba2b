/** /admin/aircraft: find a type, switch types off and on, add, edit and delete the community's own; every width and scheme. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('row', { name });
const offered = (page: Page, name: string) => page.getByRole('switch', { name: `Offer ${name}`, exact: true });
const optionsOfForm = async (page: Page): Promise<string[]> => {
  await page.goto('/admin/missions');
  await button(page, 'Add Aircraft').click();
  return page.getByLabel('Aircraft', { exact: true }).locator('option').allTextContents();
};

test('a mod is added by keyboard, flown, renamed and deleted', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/home');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('link', { name: 'Aircraft', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Aircraft');

  await button(page, 'Add Aircraft').press('Enter');
  await dialog(page).getByRole('button', { name: 'Add Aircraft' }).click();
  await expect(dialog(page).getByText('Name is required')).toBeVisible();
  await expect(dialog(page).getByText('Please choose at least one role')).toBeVisible();
  await dialog(page).getByLabel('Name').fill('UH-60L Black Hawk');
  await dialog(page).getByLabel('Code').fill('uh-1h');
  await dialog(page).getByLabel('Seats').fill('four');
  await dialog(page).getByLabel('Training').press('Space');
  await dialog(page).getByLabel('Seats').press('Enter');
  await expect(dialog(page).getByText('Seats must be a whole number from 1 to 20')).toBeVisible();
  await dialog(page).getByLabel('Seats').fill('4');
  await dialog(page).getByLabel('Seats').press('Enter');
  await expect(dialog(page).getByText('The UH-1H Huey already has this code.').first()).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await dialog(page).getByLabel('Code').fill('UH-60L');
  await dialog(page).getByLabel('Code').press('Enter');
  await expect(row(page, 'UH-60L Black Hawk')).toContainText('own type');
  expect((await optionsOfForm(page)).join()).toContain('UH-60L Black Hawk (UH-60L)');

  await page.goto('/admin/aircraft?show=own');
  await expect(page.getByText('1 type, 1 offered')).toBeVisible();
  await button(page, 'Actions for UH-60L Black Hawk').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Name').fill('Black Hawk');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(offered(page, 'Black Hawk')).toBeChecked();
  await button(page, 'Actions for Black Hawk').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No aircraft match these filters')).toBeVisible();
});

test('types are switched off one by one and all that are shown, and the mission form follows', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/aircraft');
  await offered(page, 'C-101CC Aviojet').press('Space');
  await expect(offered(page, 'C-101CC Aviojet')).not.toBeChecked();
  await page.getByLabel('Search').fill('flanker');
  await expect(page.getByText('2 types, 2 offered')).toBeVisible();
  await button(page, 'Switch all off').click();
  await expect(dialog(page)).toContainText('Switch off 2 types?');
  await dialog(page).getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText('2 types, 0 offered')).toBeVisible();
  await expect(page).toHaveURL(/query=flanker/);
  const options = await optionsOfForm(page);
  expect(options.some((option) => /Flanker|Aviojet/.test(option))).toBe(false);

  await page.goto('/admin/aircraft?show=off');
  await expect(page.getByText('3 types, 0 offered')).toBeVisible();
  await button(page, 'Switch all on').click();
  await expect(page.getByText('No aircraft match these filters')).toBeVisible();
});

test('another page follows at once', async ({ browser }) => {
  const [page, other] = [await openAs(browser, service, admin), await openAs(browser, service, admin)];
  await page.goto('/admin/aircraft');
  await other.goto('/admin/aircraft');
  await expect(offered(other, 'L-39ZA Albatros')).toBeChecked();
  // what a mouse hits is the track over the input
  await row(page, 'L-39ZA Albatros').locator('label').click();
  await expect(offered(other, 'L-39ZA Albatros')).not.toBeChecked();
  await row(page, 'L-39ZA Albatros').locator('label').click();
  await expect(offered(other, 'L-39ZA Albatros')).toBeChecked();
});

test('the page fits 1440 and 360 px in both schemes, without violations, with targets for a thumb', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/aircraft');
  await expect(row(page, 'F-16C Viper')).toBeVisible();
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await findInSchemes(page)).toEqual([]);
  }
  const heights = await page
    .locator('table label')
    .filter({ hasText: /^(On|Off)$/ })
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(30);
  expect(heights.every((height) => height >= 44)).toBe(true);
});
