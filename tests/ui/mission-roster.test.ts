/** Exports of a mission's roster, and the display of a large one: Discord text, a table, paper, 256 seats. */
import { expect, test } from '@playwright/test';
import { readCsv } from '#tests/harness/csv.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { dateIn, givenFlight, givenFree, openMission, orderIn } from './mission-cards.ts';
import { closePagesAfterEach } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: 'UTC' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();
// Pilots of one test are no candidates in the next.
test.beforeEach(() => retirePilots(service));

test('the roster is exported as Discord text that pings nobody, and as a table with a row for each seat', async ({
  browser,
}) => {
  const date = dateIn(22);
  const pilot = await givenFree(service, '=SUM("A1"),@everyone');
  await givenFlight(service, admin, 'Op *Bold* @here', date, 2);
  await respond(pilot, await orderIn(pilot, 'Op *Bold* @here'), 'accepted');
  const [page, card] = await openMission(browser, service, admin, date, 'Op *Bold* @here', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { missions } = (await admin.client.call('GET', `/admin/missions/by-date?date=${date}`)).body;
  const [flight] = missions[0].packages[0].flights;
  const stamp = (iso: string, style: string): string => `<t:${Date.parse(iso) / 1000}:${style}>`;
  await card.getByRole('button', { name: /^Copy roster/ }).click();
  await expect(card.getByRole('button', { name: 'Roster copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      `**Op \\*Bold\\* @\u200bhere** (Syria) ${stamp(`${date}T18:00Z`, 'F')}`,
      `__ALPHA__ CAP, Syria, launch ${stamp(flight.launchUtc, 't')}, TOT ${stamp(flight.totUtc, 't')}`,
      `**Viper 1** F\\-16C Viper, CAP, Blue, ${flight.radioFreq}`,
      'Seat 1: =SUM\\("A1"\\),@\u200beveryone',
      '1 open',
    ].join('\n'),
  );

  const downloading = page.waitForEvent('download');
  await card.getByRole('button', { name: /^Download roster/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`op-bold-here-${date}.csv`);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  expect(text.codePointAt(0)).toBe(0xfeff);
  const [header = [], ...rows] = readCsv(text.slice(1));
  const column = (name: string): string[] => rows.map((row) => row[header.indexOf(name)] ?? '');
  expect(rows.every((row) => row.length === header.length)).toBe(true);
  expect(column('Seat')).toEqual(['1', '2']);
  // spreadsheets treat a cell that begins with an apostrophe as text
  expect(column('Pilot')).toEqual([`'${pilot.displayName}`, '']);
  expect(column('State')).toEqual(['accepted', 'open']);
  expect(column('Flight')).toEqual(['Viper 1', 'Viper 1']);
  expect(column('Start (Zulu)')).toEqual([`${date}T18:00:00.000Z`, `${date}T18:00:00.000Z`]);

  // the CSV writer is loaded on first use
  const [far, out] = await openMission(browser, service, admin, date, 'Op *Bold* @here');
  await expect(out.getByRole('button', { name: /^Download roster/ })).toBeEnabled();
  await far.context().setOffline(true);
  await out.getByRole('button', { name: /^Download roster/ }).click();
  await expect(far.getByText('Failed to save the roster')).toBeVisible();
});

test('pilots who are asked are named as such, and no count contradicts another', async ({ browser }) => {
  const date = dateIn(23);
  const [accepts, isAsked] = [await givenFree(service, 'Ember'), await givenFree(service, 'Vesper')];
  await givenFlight(service, admin, 'Op Counts', date, 4);
  const [page, card] = await openMission(browser, service, admin, date, 'Op Counts', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await expect(card.getByText('Pilots 0/4 · 2 asked')).toBeVisible();
  await expect(card.getByText('No pilots assigned yet, 2 asked')).toBeVisible();
  const answers = card.getByRole('group', { name: 'Answers in Op Counts' });
  await expect(answers.getByRole('listitem')).toHaveText(['0 accepted', '2 asked', '2 open', '0 on standby']);
  await respond(accepts, await orderIn(accepts, 'Op Counts'), 'accepted');
  await expect(card.getByText('Pilots 1/4 · 1 asked')).toBeVisible();
  await expect(card.getByText('No pilots assigned')).toHaveCount(0);
  await expect(answers.getByRole('listitem')).toHaveText(['1 accepted', '1 asked', '2 open', '0 on standby']);
  // the same in the rows of the seats
  const seats = card.getByRole('list', { name: 'Seats of Viper 1' }).getByRole('listitem');
  await expect(seats.filter({ hasText: 'pending' })).toHaveCount(1);
  await expect(seats.filter({ hasText: 'open' })).toHaveCount(2);
  await card.getByRole('button', { name: /^Copy roster/ }).click();
  await expect(card.getByRole('button', { name: 'Roster copied' })).toBeVisible();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n').slice(3);
  expect(lines.map((line) => line.replace(/^Seat \d: /, '')).toSorted()).toEqual(
    ['2 open', 'Ember', `${isAsked.displayName} (asked)`].toSorted(),
  );
});

test('a mission of 16 seats fits four screens in every tab, its answers stay in view, and a seat has its own row', async ({
  browser,
}) => {
  const date = dateIn(25);
  for (let index = 0; index < 30; index += 1) await givenFree(service, `Pilot of the line ${index}`);
  await givenFlight(service, admin, 'Op Sixteen', date, 16, {
    notes: 'Bring tanks.',
    aircraftSlots: [
      { aircraftId: 2, slotCount: 8, side: 0, notes: 'CAP', additionalNotes: 'Two bags' },
      { aircraftId: 3, slotCount: 4, side: 0, notes: 'Strike' },
      { aircraftId: 4, slotCount: 4, side: 1, notes: 'CAP' },
    ],
  });
  const [page, card] = await openMission(browser, service, admin, date, 'Op Sixteen', {
    viewport: { width: 1440, height: 900 },
  });
  const answers = card.getByRole('group', { name: 'Answers in Op Sixteen' });
  for (const tab of ['Roster', 'Orders', 'Not seated', 'Log']) {
    await card.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    await expect(card.getByRole('tabpanel')).not.toContainText('Loading');
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height, tab).toBeLessThanOrEqual(4 * 900);
  }
  await expect(card.getByRole('tabpanel').getByRole('listitem')).toContainText(['Goose']);
  await card.getByRole('tab', { name: 'Roster' }).click();
  const seats = card.locator('[data-seat]');
  await expect(seats).toHaveCount(16);
  const boxes = await seats.evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  expect(new Set(boxes).size).toBe(16);
  await expect(seats.first().getByRole('button')).toHaveText(['Replace', 'Remove']);
  await seats.last().scrollIntoViewIfNeeded();
  await expect(answers).toBeInViewport();
  // axe measures what the bar leaves of a covered row
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 740 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
});

test('256 seats stay folded until searched, all of them are printed, and axe finds nothing', async ({ browser }) => {
  const date = dateIn(24);
  const pilot = await givenFree(service, 'Needle');
  await givenFlight(service, admin, 'Op Horde', date, 64, {
    aircraftSlots: [
      { aircraftId: 2, slotCount: 64, side: 0, notes: 'CAP' },
      { aircraftId: 3, slotCount: 64, side: 1, notes: 'CAS' },
      { aircraftId: 4, slotCount: 64, side: 0, notes: 'Strike' },
      { aircraftId: 5, slotCount: 64, side: 1, notes: 'Training' },
    ],
  });
  const { flightCallsign } = await orderIn(pilot, 'Op Horde');
  const [page, card] = await openMission(browser, service, admin, date, 'Op Horde');
  await expect(card.getByRole('heading', { level: 4 })).toHaveCount(0);
  await card.getByRole('searchbox', { name: 'Find in Op Horde' }).fill('needle');
  await expect(card.getByRole('heading', { level: 4 })).toHaveText([flightCallsign]);
  await expect(card.getByText('1 flight', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: /^Replace Needle on/ }).click();
  await expect(page.getByRole('dialog').getByRole('option')).toContainText(['Goose']);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByRole('button', { name: 'Fields of Viper 1' }).click();
  await card.getByRole('tab', { name: /^Orders/ }).click();
  await expect(card.getByRole('table')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await card.getByRole('button', { name: 'Discard' }).click();
  await card.getByRole('tab', { name: 'Roster' }).click();

  await card.getByRole('searchbox', { name: 'Find in Op Horde' }).fill('');
  await page.emulateMedia({ media: 'print' });
  const sheet = page.getByRole('article', { name: 'Sheet of Op Horde' });
  await expect(sheet.getByRole('listitem').filter({ hasText: /^open$/ })).toHaveCount(255);
  await expect(sheet).toContainText('Needle (asked)');
  await expect(page.getByRole('navigation').first()).toBeHidden();
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});
