/** Time fields in an en-US browser: 24 hours on every screen, typed as digits alone, and kept when mistyped. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { PHONE, block, cell, givenWeek, openWeek, save, slot } from './weeks.ts';

const NO_TIME = 'Please enter a time as HH:mm';

let service: Service;
let admin: Person;

test.use({ locale: 'en-US' });
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** Reads the accessibility tree: the AM/PM part of a native time field is found nowhere else. */
async function hasMeridiem(page: Page): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  return JSON.stringify(await session.send('Accessibility.getFullAXTree')).includes('AM/PM');
}

/** The fields hold these times, and nothing on the page asks for AM or PM; a planted native field does. */
async function expect24Hours(page: Page, times: readonly (readonly [Locator, string])[]): Promise<void> {
  for (const [field, time] of times) {
    await expect(field).toHaveValue(time);
    await expect(field).toHaveAttribute('inputmode', 'numeric');
  }
  expect(await hasMeridiem(page)).toBe(false);
  await page.evaluate(() => {
    const place = document.querySelector('dialog[open]') ?? document.body;
    place.insertAdjacentHTML('beforeend', '<input id="native" type="time" value="19:00" aria-label="Native">');
  });
  expect(await hasMeridiem(page)).toBe(true);
  await page.evaluate(() => document.querySelector('#native')?.remove());
}

const openMissionForm = async (page: Page): Promise<void> => {
  await page.goto('/admin/missions');
  await expect(page.getByLabel('Mission name')).toBeVisible();
};

test('the mission form shows 24 hours', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await openMissionForm(page);
  await expect24Hours(page, [
    [page.getByLabel('Start time'), '19:00'],
    [page.getByLabel('End time'), '22:00'],
  ]);
});

test('the week, a slot and a dated exception show 24 hours', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(5, '13:00', '23:30')]);
  const page = await openWeek(browser, service, pilot);
  await page.getByText('Whole day').click();
  const exception = page.getByRole('form', { name: 'Add a dated exception' });
  await expect24Hours(page, [
    [page.getByLabel('Friday start'), '13:00'],
    [page.getByLabel('Friday end'), '23:30'],
    [exception.getByLabel('Start'), '18:00'],
    [exception.getByLabel('End'), '22:00'],
  ]);
  await block(page, 'Friday 13:00 to 23:30, Any Aircraft').click();
  const dialog = page.getByRole('dialog', { name: 'Friday time slot' });
  await expect24Hours(page, [
    [dialog.getByLabel('Start'), '13:00'],
    [dialog.getByLabel('End'), '23:30'],
  ]);
});

test('digits alone are a time, and typing replaces the current one', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await openMissionForm(page);
  const [start, end] = [page.getByLabel('Start time'), page.getByLabel('End time')];
  await start.click();
  await page.keyboard.type('2030');
  await expect(start).toHaveValue('20:30');
  await page.getByLabel('End date').focus();
  await page.keyboard.press('Tab');
  for (const [typed, left] of [
    ['21:15', '21:15'],
    ['730', '07:30'],
    ['23.45', '23:45'],
    ['7', '07:00'],
  ] as const) {
    await end.focus();
    await page.keyboard.type(typed);
    await end.blur();
    await expect(end).toHaveValue(left);
  }
});

test('a phone opens its number keys, and a tap and four digits change a time of the week', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(1, '18:00', '22:00')]);
  const page = await openWeek(browser, service, pilot, { ...PHONE, view: '?view=list' });
  const end = page.getByLabel('Monday end');
  await end.tap();
  await page.keyboard.type('0130');
  await expect(end).toHaveValue('01:30');
  await expect(page.getByTitle('ends the next day')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(end).toHaveValue('22:00');
  await page.keyboard.press('Control+y');
  await expect(end).toHaveValue('01:30');
  expect(await save(page)).toEqual([slot(1, '18:00', '01:30')]);
});

test('a mistyped time of a mission shows an error at its field and is kept', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await openMissionForm(page);
  await page.getByLabel('Mission name').fill('Op Late');
  await page.getByLabel('Theater').selectOption('Syria');
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  const end = page.getByLabel('End time');
  await end.fill('25:00');
  await end.press('Enter');
  const group = page.getByRole('group', { name: 'End' });
  await expect(group).toContainText(NO_TIME);
  await expect(group).toHaveAccessibleDescription(new RegExp(NO_TIME));
  await expect(end).toBeFocused();
  await expect(end).toHaveValue('25:00');
  await end.blur();
  await expect(end).toHaveValue('25:00');
});

test('a slot, a row and an exception refuse a mistyped time and keep it', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, service, pilot);
  await cell(page, 'Saturday 20:00 to 21:00').click();
  await block(page, 'Saturday 20:00 to 21:00, Any Aircraft').click();
  const dialog = page.getByRole('dialog', { name: 'Saturday time slot' });
  await dialog.getByLabel('Start').fill('8pm');
  await dialog.getByLabel('Start').press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText(NO_TIME);
  await expect(dialog.getByLabel('Start')).toHaveValue('8pm');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByLabel('Saturday end').fill('2460');
  await page.getByRole('button', { name: 'Save Availability' }).click();
  await expect(page.getByRole('alert')).toHaveText(NO_TIME);
  await expect(page.getByLabel('Saturday end')).toBeFocused();
  await expect(page.getByLabel('Saturday end')).toHaveValue('2460');

  const exception = page.getByRole('form', { name: 'Add a dated exception' });
  await exception.getByLabel('Date').fill(Temporal.Now.plainDateISO().add({ days: 3 }).toString());
  await exception.getByText('Whole day').click();
  await exception.getByLabel('Start').fill('25:00');
  await exception.getByLabel('Start').press('Enter');
  await expect(exception.getByText(NO_TIME)).toBeVisible();
  await expect(exception.getByLabel('Start')).toHaveValue('25:00');
  // a whole day has its own times, which replace those in the hidden fields
  await exception.getByText('Whole day').click();
  await exception.getByRole('button', { name: 'Add exception' }).click();
  await expect(page.getByText('whole day', { exact: true })).toBeVisible();
});
