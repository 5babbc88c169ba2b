/** A mission file on the form of a new mission and in the dialog of a mission: found groups, an unknown type, what is replaced. */
import { expect, test, type Page } from '@playwright/test';
import { copy } from '#shared/copy.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { writeMission, type SampleGroup } from '#tests/harness/mission-file.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const VIPER: SampleGroup = { name: 'Viper flight', callsign: 'Viper', task: 'SEAD', units: [{}, {}] };
const TOMCAT: SampleGroup = { name: 'Tomcats', type: 'F-14B', callsign: 'Colt', task: 'Escort', units: [{}] };
const MUSTANG: SampleGroup = { name: 'Mustangs', type: 'P-51D-30-NA', callsign: 'Dodge', units: [{}, {}, {}] };

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const choose = (page: Page, label: string, buffer: Buffer, name = 'anvil.miz') =>
  page.getByLabel(label, { exact: true }).setInputFiles({ name, mimeType: 'application/zip', buffer });
const slot = (page: Page, number: number) => page.getByRole('group', { name: `Aircraft ${number}`, exact: true });

test('a file fills in the form, with a choice for each group, and is kept with the mission', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/missions');
  await choose(page, 'Mission file', Buffer.from('not a zip'));
  await expect(page.getByRole('alert')).toHaveText(copy.missionFileNotZip);
  await choose(page, 'Mission file', writeMission({ groups: [VIPER, TOMCAT, MUSTANG] }));
  await expect(page.getByText('Marshal does not have P-51D-30-NA: 1 group, 3 seats.')).toBeVisible();
  expect(await findInSchemes(page)).toEqual([]);
  await expect(button(page, 'Fill in the form (3 seats)')).toBeVisible();
  await button(page, 'Add P-51D-30 Mustang').click();
  await expect(button(page, 'Fill in the form (6 seats)')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Viper flight' }).uncheck();
  await page.getByRole('checkbox', { name: 'Add a seat for the second crew member of Tomcats' }).check();
  await button(page, 'Fill in the form (5 seats)').click();

  await expect(page.getByLabel('Mission name')).toHaveValue('Iron Anvil');
  await expect(page.getByLabel('Theater')).toHaveValue('Syria');
  await expect(page.getByLabel('Notes', { exact: true })).toHaveValue(
    /^Hold the line\.\n\nThe game starts at 2016-06-21 06:30\./,
  );
  await expect(slot(page, 1).getByLabel('Additional notes')).toHaveValue(
    'In the game: Tomcats, Colt 2, 251.000 AM, Escort.',
  );
  await expect(slot(page, 2).getByLabel('Additional notes')).toHaveValue(/^Second crew station\./);
  await expect(slot(page, 3).getByRole('combobox', { name: 'Aircraft' })).toHaveValue(/^\d{4}$/);
  await expect(slot(page, 4)).toHaveCount(0);
  await page.getByLabel('Start date').fill(hoursFromNow(72).slice(0, 10));
  await page.getByLabel('End date').fill(hoursFromNow(72).slice(0, 10));
  await button(page, 'Create Mission').click();
  await expect(page.getByText('Mission Created Successfully!')).toBeVisible();

  await page.getByRole('link', { name: /^View missions/ }).click();
  await button(page, 'Files of Iron Anvil').click();
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('anvil.miz');
  expect(await findInSchemes(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Mission file with pilots' }).click();
  expect((await saved).suggestedFilename()).toBe('anvil.miz');

  await choose(page, 'Changed mission file', writeMission({ groups: [VIPER, TOMCAT] }), 'anvil 2.miz');
  await expect(page.getByRole('list', { name: 'Differences' })).toHaveText(
    'Mustangs is removed, with 3 seats in P-51D-30-NA.',
  );
  await button(page, 'Apply the differences').click();
  await expect(page.getByText('The file anvil 2.miz is kept')).toBeVisible();
  await button(page, 'Files of Iron Anvil').click();
  await expect(page.getByRole('list', { name: 'Versions' }).getByRole('listitem')).toHaveCount(2);
});

test('what was typed is replaced only after a question', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/missions');
  await page.getByLabel('Mission name').fill('My own name');
  await choose(page, 'Mission file', writeMission({ groups: [VIPER] }));
  await button(page, 'Fill in the form (2 seats)').click();
  await button(page, 'Keep it').click();
  await expect(page.getByLabel('Mission name')).toHaveValue('My own name');
  await button(page, 'Fill in the form (2 seats)').click();
  await button(page, 'Replace').click();
  await expect(page.getByLabel('Mission name')).toHaveValue('Iron Anvil');
  await button(page, 'Do not keep it').click();
  await expect(page.getByText('The form is filled in from')).toBeHidden();
});

test('a phone shows the groups without scrolling sideways, and the field takes the keyboard', async ({ browser }) => {
  const page = await openAs(browser, service, admin, { viewport: { width: 360, height: 740 } });
  await page.goto('/admin/missions');
  const field = page.getByLabel('Mission file', { exact: true });
  await field.focus();
  await expect(field).toBeFocused();
  await choose(page, 'Mission file', writeMission({ groups: [VIPER, TOMCAT] }));
  await expect(button(page, 'Fill in the form (3 seats)')).toBeVisible();
  expect(await overflowOf(page)).toBe(0);
});
