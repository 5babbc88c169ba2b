/**
 * A mission file on the form of a new mission and in the dialog of a mission: found groups, missing types, a large file, what is
 * replaced.
 */
import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { copy } from '#shared/copy.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { writeMission, type SampleGroup } from '#tests/harness/mission-file.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { smallTargets } from './targets.ts';

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

/** Types that the aircraft list does not have. */
const MISSING = [
  'Bf-109K-4',
  'FW-190A8',
  'FW-190D9',
  'P-47D-40',
  'P-51D',
  'SpitfireLFMkIX',
  'SpitfireLFMkIXCW',
  'TF-51D',
];

const several = (count: number, aircraft: number, { name, ...group }: SampleGroup): SampleGroup[] =>
  Array.from({ length: count }, (_one, index) => ({
    ...group,
    name: `${name}-${index + 1}`,
    units: Array.from({ length: aircraft }, () => ({})),
  }));

/** 60 groups with 204 seats, of which 96 are of eight missing types. */
const LARGE: SampleGroup[] = [
  ...several(8, 4, { name: 'Wolf', type: 'F-16C_50', callsign: 'Viper', task: 'SEAD' }),
  ...several(8, 3, { name: 'Bee', type: 'FA-18C_hornet', callsign: 'Colt', task: 'CAP' }),
  ...several(8, 2, { name: 'Cat', type: 'F-14B', callsign: 'Dodge', task: 'CAP' }),
  ...several(6, 4, { name: 'Bear', type: 'MiG-29S', side: 'red', task: 'CAP' }),
  ...several(6, 2, { name: 'Crane', type: 'Su-27', side: 'red', task: 'CAP' }),
  ...MISSING.flatMap((type, index) =>
    several(3, 4, { name: `Old ${type}`, type, side: index < 4 ? 'red' : 'blue', task: 'CAS' }),
  ),
];

const heightOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
const box = (page: Page, name: string | RegExp) => page.getByRole('checkbox', { name, exact: true });

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
  await expect(page.getByText("P-51D-30-NA isn't in your aircraft list: 1 group, 3 seats.")).toBeVisible();
  expect(await findInSchemes(page)).toEqual([]);
  await expect(button(page, 'Fill in (3 seats)')).toBeVisible();
  await button(page, 'Add P-51D-30 Mustang').click();
  await expect(button(page, 'Fill in (6 seats)')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Viper flight' }).uncheck();
  await page.getByRole('checkbox', { name: 'Add a seat for the second crew member of Tomcats' }).check();
  await button(page, 'Fill in (5 seats)').click();

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
  expect((await saved).suggestedFilename()).toMatch(/^anvil\.marshal-[0-9a-f]{12}\.miz$/);
  const hook = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Hook for the game server' }).click();
  expect((await hook).suggestedFilename()).toBe('marshal-slots.lua');
  expect(await readFile(await (await hook).path(), 'utf8')).toContain('onPlayerTryChangeSlot');

  await choose(page, 'Changed mission file', writeMission({ groups: [VIPER, TOMCAT] }), 'anvil 2.miz');
  await expect(page.getByRole('list', { name: 'Differences' })).toHaveText(
    'Mustangs is removed, with 3 seats in P-51D-30-NA.',
  );
  await button(page, 'Apply the differences').click();
  await expect(page.getByText('The file anvil 2.miz is kept')).toBeVisible();
  await button(page, 'Files of Iron Anvil').click();
  await expect(page.getByRole('list', { name: 'Versions' }).getByRole('listitem')).toHaveCount(2);
});

test('a large file fills in the form in four actions, on a page of at most 1,800 px', async ({ browser }) => {
  const page = await openAs(browser, service, admin, { viewport: { width: 1440, height: 900 } });
  // at any hour of the day: the form's own 19:00 may be over
  await page.goto(`/admin/missions?start=${hoursFromNow(72)}&end=${hoursFromNow(75)}`);
  await page.getByLabel('Mission name').fill('My own name');
  // 1
  await choose(page, 'Mission file', writeMission({ groups: LARGE }));
  await expect(page.getByText("8 types aren't in your aircraft list: 24 groups, 96 seats.")).toBeVisible();
  await expect(button(page, 'Fill in (108 seats)')).toBeInViewport();
  expect(await heightOf(page)).toBeLessThanOrEqual(1_800);
  expect(await findInSchemes(page)).toEqual([]);
  // 2
  await button(page, 'Add the 8 missing types').click();
  await expect(button(page, 'Fill in (204 seats)')).toBeInViewport();
  await expect(page.getByText('in your aircraft list')).toBeHidden();
  await expect(page.getByText('60 of 60 groups: 120 Blue, 84 Red')).toBeVisible();
  expect(await heightOf(page)).toBeLessThanOrEqual(1_800);
  // 3
  await button(page, 'Fill in (204 seats)').click();
  // 4
  await button(page, 'Replace').click();
  await expect(page.getByLabel('Mission name')).toHaveValue('Iron Anvil');
  await expect(page.getByText('total 204 seats')).toBeVisible();
  await expect(page.getByText('If issued now, 0 of 204 seats fill.')).toBeVisible();
  expect(await heightOf(page)).toBeLessThanOrEqual(1_800);
  await expect(slot(page, 1)).toHaveCount(0);
  await button(page, 'Show the slots').click();
  await expect(slot(page, 60).getByLabel('Additional notes')).toHaveValue(/^In the game: Old P-47D-40-3,/);
});

test('a box takes and leaves all groups below it that a search shows', async ({ browser }) => {
  const page = await openAs(browser, service, admin, { viewport: { width: 1440, height: 900 } });
  await page.goto('/admin/missions');
  const known = LARGE.filter(({ type }) => type !== undefined && !MISSING.includes(type));
  await choose(page, 'Mission file', writeMission({ groups: known }));
  const side = box(page, 'Blue · 24 groups, 72 seats');
  const vipers = box(page, 'Blue · F-16C Viper · 8 groups, 32 seats');
  await expect(side).toBeChecked();
  await button(page, 'Show groups of Blue F-16C Viper').click();
  await box(page, 'Wolf-1').uncheck();
  await expect(vipers).toBeChecked({ indeterminate: true });
  await expect(side).toBeChecked({ indeterminate: true });
  await expect(button(page, 'Fill in (104 seats)')).toBeVisible();

  await vipers.press('Space');
  await expect(box(page, 'Wolf-1')).toBeChecked();
  await expect(side).toBeChecked({ indeterminate: false });
  await expect(button(page, 'Fill in (108 seats)')).toBeVisible();
  await vipers.uncheck();
  await expect(box(page, 'Wolf-8')).not.toBeChecked();
  await expect(button(page, 'Fill in (76 seats)')).toBeVisible();
  await side.check();
  await side.uncheck();
  await expect(button(page, 'Fill in (36 seats)')).toBeVisible();

  const search = page.getByRole('searchbox', { name: 'Find groups of the file' });
  await search.fill('cat-2');
  await expect(page.getByText('1 of 36 groups')).toBeVisible();
  await expect(box(page, 'Cat-2')).toBeVisible();
  // the group, its aircraft, its side; and the mission's secret sides
  await expect(page.getByRole('checkbox')).toHaveCount(4);
  await search.press('Enter');
  await box(page, 'Blue · 1 group, 2 seats').check();
  await expect(button(page, 'Fill in (38 seats)')).toBeVisible();
  await search.fill('');
  await expect(side).toBeChecked({ indeterminate: true });

  await side.check();
  await button(page, 'Show groups of Blue F-14B Tomcat').click();
  await page.getByText('Seats for second crew members').click();
  await box(page, 'Add a seat for the second crew member of Cat-3').check();
  const every = box(page, 'Add a seat for the second crew member of every F-14B Tomcat');
  await expect(every).toBeChecked({ indeterminate: true });
  await every.check();
  await expect(button(page, 'Fill in (124 seats)')).toBeVisible();
});

test('a missing type that is refused is named, and the others are added', async ({ browser }) => {
  const taken = { code: 'Sabre', name: 'F-86F Sabre', seats: 1, roles: ['CAP'] };
  expect((await admin.client.call('POST', '/admin/aircraft', taken)).status).toBe(201);
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/missions');
  const types = ['F-86F Sabre', 'MiG-15bis', 'La-7'];
  await choose(page, 'Mission file', writeMission({ groups: types.map((type) => ({ name: `Old ${type}`, type })) }));
  await button(page, 'Add the 3 missing types').click();
  await expect(page.getByRole('alert')).toHaveText(`F-86F Sabre was not added: ${copy.aircraftNameTaken('Sabre')}`);
  await expect(page.getByText("F-86F Sabre isn't in your aircraft list: 1 group, 2 seats.")).toBeVisible();
  await expect(button(page, 'Fill in (4 seats)')).toBeVisible();
});

test('what was typed is replaced only after a question', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/missions');
  await page.getByLabel('Mission name').fill('My own name');
  await choose(page, 'Mission file', writeMission({ groups: [VIPER] }));
  await button(page, 'Fill in (2 seats)').click();
  await button(page, 'Keep it').click();
  await expect(page.getByLabel('Mission name')).toHaveValue('My own name');
  await button(page, 'Fill in (2 seats)').click();
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
  await expect(button(page, 'Fill in (3 seats)')).toBeVisible();
  expect(await overflowOf(page)).toBe(0);
});

test('a phone shows a large file with collapsed sides and targets of 44 px', async ({ browser }) => {
  const page = await openAs(browser, service, admin, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto('/admin/missions');
  await choose(page, 'Mission file', writeMission({ groups: LARGE }));
  const fill = button(page, /^Fill in \(/);
  await expect(fill).toBeInViewport();
  await expect(box(page, /^Blue · F-16C/)).toHaveCount(0);
  expect(await heightOf(page)).toBeLessThanOrEqual(2_600);
  await button(page, 'Show groups of Blue').click();
  await button(page, 'Show groups of Blue F-14B Tomcat').click();
  await page.getByText('Seats for second crew members').click();
  await expect(box(page, 'Add a seat for the second crew member of Cat-3')).toBeVisible();
  await expect(fill).toBeInViewport();
  await box(page, 'Cat-1').focus();
  for (let press = 0; press < 8; press += 1) await page.keyboard.press('Tab');
  const bottom = await page.locator(':focus').evaluate((one) => one.getBoundingClientRect().bottom);
  const bar = await fill.boundingBox();
  expect(bottom).toBeLessThanOrEqual(bar?.y ?? 0);
  expect(await smallTargets(page, 44)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  // so tall that the bar at the bottom covers nothing, which axe would take for a small target
  await page.setViewportSize({ width: 390, height: 4_000 });
  expect(await findInSchemes(page)).toEqual([]);
});
