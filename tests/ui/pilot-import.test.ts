/** /admin/users/import: a file or pasted cells, the preview with its problems, the import with its progress, every width. */
import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { readCsv } from '#tests/harness/csv.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const choose = (page: Page, text: string | Buffer) =>
  page.getByLabel('CSV file').setInputFiles({ name: 'pilots.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
const count = async () => (await query<{ id: string }>(service.app.orm.em.fork(), sql`select id from app_user`)).length;

async function openImport(page: Page): Promise<void> {
  await page.goto('/admin/users');
  await page.getByRole('link', { name: 'Import CSV', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import pilots');
}

test('the template, opened and sent as it is, brings in its two pilots; the second time nothing is left to do', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await openImport(page);
  const saved = page.waitForEvent('download');
  await button(page, 'Template').click();
  const template = await readFile(await (await saved).path());
  expect(readCsv(template.toString('utf8').slice(1))).toHaveLength(3);
  await choose(page, template);
  await expect(rowOf(page, 'Viper')).toContainText('New');
  await expect(rowOf(page, 'Viper')).toContainText('Aircraft: A-10C II Warthog: learning; F-16C Viper: expert');
  await expect(rowOf(page, 'Magpie')).toContainText(
    'Weekly times: Mon 20:00-23:00; Tue 20:00-23:00; Wed 20:00-23:00; Thu 20:00-23:00; Fri 20:00-23:00',
  );
  expect(await count(), 'nothing is stored yet').toBe(1);
  await button(page, 'Import 2 pilots').click();
  await expect(page.getByText('2 pilots added.')).toBeVisible();
  expect(await count()).toBe(3);
  await button(page, 'Import another file').click();
  await choose(page, template);
  await expect(rowOf(page, 'Viper')).toContainText('Unchanged');
  await expect(button(page, 'Import 0 pilots')).toBeDisabled();
});

test('the links of an import are in a file; a pilot sets a password with one and goes on to the wizard', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await openImport(page);
  await choose(page, 'Call sign,Email\nLinked,linked@example.org\n,nameless@example.org');
  await button(page, 'Import 2 pilots').click();
  await expect(page.getByText('2 pilots have no password yet.')).toBeVisible();
  expect(await findInSchemes(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await button(page, 'Download sign-in links').click();
  const [header, linked = [], nameless = []] = readCsv(
    (await readFile(await (await saved).path())).toString('utf8').slice(1),
  );
  expect(header).toEqual(['Call sign', 'Email', 'Link', 'Valid until']);
  await expect(page.getByText('Saved. The links are only in that file.')).toBeVisible();

  const visitor = await (await browser.newContext({ baseURL: service.url })).newPage();
  await visitor.goto(linked[2] ?? '');
  await expect(visitor.getByText('Welcome, Linked. You sign in as linked@example.org.')).toBeVisible();
  expect(await findInSchemes(visitor)).toEqual([]);
  await visitor.getByLabel('Password', { exact: true }).fill('seven green kneeboards');
  await visitor.getByLabel('Confirm Password').fill('seven green kneeboard');
  await button(visitor, 'Save and Sign In').click();
  await expect(visitor.getByText('Passwords do not match')).toBeVisible();
  await visitor.getByLabel('Confirm Password').fill('seven green kneeboards');
  await button(visitor, 'Save and Sign In').click();
  await expect(visitor).toHaveURL(`${service.url}/register/preferences`);
  await visitor.goto(linked[2] ?? '');
  await expect(visitor.getByText("This link doesn't work any more")).toBeVisible();
  await visitor.goto(nameless[2] ?? '');
  await expect(visitor.getByText('You are signed in as Linked. This link is for nameless@example.org.')).toBeVisible();
  await visitor.getByLabel('Password', { exact: true }).fill('seven green kneeboards');
  await visitor.getByLabel('Confirm Password').fill('seven green kneeboards');
  await button(visitor, 'Save and Sign In').click();
  await expect(visitor).toHaveURL(`${service.url}/register/profile`);
  await visitor.context().close();

  await page.goto('/admin/users?query=linked');
  await button(page, 'Actions for Linked').click();
  await page.getByRole('menuitem', { name: 'Sign-in link', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByLabel('Personal link', { exact: true })).toHaveValue(/\/set-password\/[\w-]{43}$/);
  expect(await findViolations(page)).toEqual([]);
});

test('one pilot is added by a dialog, with a link, and is found without aircraft', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/users');
  await button(page, 'Add pilot').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Call sign').fill('Solo');
  await dialog.getByLabel('Email').fill('solo');
  await dialog.getByRole('button', { name: 'Add Pilot' }).click();
  await expect(dialog.getByRole('alert')).toContainText("“solo” isn't an email address.");
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel('Email').fill('solo@example.org');
  await dialog.getByRole('button', { name: 'Add Pilot' }).click();
  await expect(dialog.getByRole('heading')).toHaveText('Solo is added');
  await expect(dialog.getByLabel('Personal link', { exact: true })).toHaveValue(/\/set-password\//);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('Aircraft', { exact: true }).selectOption('none');
  await expect(page).toHaveURL(/aircraft=none/);
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Solo', exact: true }) });
  await expect(row).toContainText('None listed');
  await expect(row).toContainText('Never');
  // the list before the filter fades while the next one loads
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  expect(await findInSchemes(page)).toEqual([]);
  await button(page, 'Add pilot').click();
  await dialog.getByLabel('Email').fill('SOLO@example.org');
  await dialog.getByRole('button', { name: 'Add Pilot' }).click();
  await expect(dialog.getByRole('alert')).toContainText('A pilot with this email or Discord id already exists.');
});

test('the audit log is searched by words and dates, which the address keeps', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/audit');
  await page.getByLabel('Search', { exact: true }).fill('imported');
  await expect(page).toHaveURL(/query=imported/);
  await expect(page.getByRole('row').nth(1)).toContainText('Imported pilots:');
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('No entries match these filters')).toBeVisible();
  await expect(page).toHaveURL(/to=2020-01-01/);
  await page.reload();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-01');
  await button(page, 'Clear filters').click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByLabel('Search', { exact: true })).toHaveValue('');
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await overflowOf(page)).toBe(0);
  expect(await findInSchemes(page)).toEqual([]);
});

test('problems are shown, filtered and downloaded, and the mended file brings in the rest', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await openImport(page);
  await page
    .getByLabel('Or paste rows')
    .fill(
      'Call sign\tRank\tEmail\tTime zone\nBronco\tMajor\tbronco@example.org\tEurope/Berln\nGoose\t\tgoose@example.org\tUTC',
    );
  await button(page, 'Preview').click();
  await expect(page.getByText('This column is left out: Rank.')).toBeVisible();
  await page.getByLabel('Rows', { exact: true }).selectOption('bad');
  await expect(rowOf(page, 'Bronco')).toContainText("“Europe/Berln” isn't a time zone. Did you mean Europe/Berlin?");
  await expect(rowOf(page, 'Goose')).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await button(page, 'Download problems').click();
  const problems = (await readFile(await (await saved).path())).toString('utf8');
  expect(readCsv(problems.slice(1))[0]?.at(-1)).toBe('Problem');
  await button(page, 'Import 1 pilot').click();
  await expect(page.getByText('1 pilot added.')).toBeVisible();
  await expect(page.getByText('1 row was left out because of a problem.')).toBeVisible();
  await button(page, 'Import another file').click();
  await choose(page, problems.replace('Europe/Berln', 'Europe/Berlin'));
  await expect(page.getByText('This column is left out: Problem.')).toBeVisible();
  await button(page, 'Import 1 pilot').click();
  await expect(page.getByText('1 pilot added.')).toBeVisible();
});

test('a workbook, a file in another encoding and a file without our columns are refused with a sentence', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await openImport(page);
  const alert = page.getByRole('main').getByRole('alert');
  await choose(page, Buffer.from([0x50, 0x4b, 3, 4]));
  await expect(alert).toContainText('This is an Excel workbook.');
  await choose(page, Buffer.from('Email,Call sign\nm@example.org,M\u00fcller', 'latin1'));
  await expect(alert).toContainText('This file is not UTF-8.');
  await choose(page, 'Viper,Berlin\nGoose,Paris');
  await expect(alert).toContainText('The first row must name the columns');
  await choose(page, Buffer.from('\uFEFFEmail\tCall sign\nutf16@example.org\tM\u00fcller', 'utf16le'));
  await expect(rowOf(page, 'Müller')).toContainText('New');
});

test('an import that is cut off shows its progress, says so, and goes on with the rest', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await openImport(page);
  const file = `Call sign,Email\n${Array.from({ length: 150 }, (_, index) => `Wing ${index},wing${index}@example.org`).join('\n')}`;
  await choose(page, file);
  await expect(page.getByRole('row')).toHaveCount(51);
  await button(page, 'Show 50 more').click();
  await expect(page.getByRole('row')).toHaveCount(101);
  let calls = 0;
  const isImport = (url: URL): boolean => url.pathname.endsWith('admin.spreadsheet.import');
  await page.route(isImport, async (route) => {
    calls += 1;
    await (calls === 2 ? route.abort() : route.continue());
  });
  await button(page, 'Import 150 pilots').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The import stopped:');
  await expect(page.getByText('100 unchanged', { exact: true })).toBeVisible();
  await page.unroute(isImport);
  const release = await holdBack(page, 'admin.spreadsheet.import');
  await button(page, 'Import 50 pilots').click();
  await expect(page.getByRole('progressbar', { name: 'Imported pilots' })).toBeVisible();
  await expect(page.getByText('0 of 50 pilots')).toBeVisible();
  await page.getByRole('link', { name: '← Users' }).click();
  await expect(page.getByRole('dialog')).toContainText('The import stops.');
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  release();
  await expect(page.getByText('150 pilots added.')).toBeVisible();
});

test('what has changed since the preview is shown again instead of being overwritten', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await openImport(page);
  await choose(page, 'Call sign,Email\nOps Two,' + admin.email);
  await expect(rowOf(page, 'Ops Two')).toContainText('Call sign: Ops → Ops Two');
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Opera', timeZone: 'UTC' });
  await button(page, 'Import 1 pilot').click();
  await expect(
    page.getByText('Something has changed since the preview, so the rows were checked again.'),
  ).toBeVisible();
  await expect(rowOf(page, 'Ops Two')).toContainText('Call sign: Opera → Ops Two');
});

test('every step fits a phone, has no fault in either scheme, and can be used by touch', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.setViewportSize({ width: 320, height: 700 });
  await openImport(page);
  expect(await overflowOf(page)).toBe(0);
  expect(await findInSchemes(page)).toEqual([]);
  await choose(page, 'Call sign,Email\nPhone,phone@example.org\nBad,bad\nOps Two,' + admin.email);
  await expect(rowOf(page, 'Phone')).toContainText('New');
  expect(await overflowOf(page)).toBe(0);
  expect(await findInSchemes(page)).toEqual([]);
});
