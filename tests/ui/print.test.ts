/** Paper: one A4 sheet for a mission and one for an order, with everything to fly by and nothing of the web page. */
import { expect, test, type Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { dateIn, givenFlight, givenFree, openMission, orderIn } from './mission-cards.ts';
import { closePagesAfterEach, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: 'Europe/Berlin' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.beforeEach(() => retirePilots(service));

/** A4 in points; the browser rounds it up to whole pixels. */
const A4 = [595, 842] as const;

/** Prints the page, and reads the paper. */
async function printed(page: Page): Promise<{ pages: number; text: string }> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' })));
  const [, , width = 0, height = 0] = (await pdf.getPage(1)).view;
  expect(Math.abs(width - A4[0])).toBeLessThan(2);
  expect(Math.abs(height - A4[1])).toBeLessThan(2);
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  return { pages: totalPages, text };
}

/** There is no printer: a test prints the page that the button prepares. @returns whether the page has called it */
async function hearPrint(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => {
    window.print = () => Reflect.set(window, 'wasPrinted', true);
  });
  return () => page.evaluate(() => Reflect.get(window, 'wasPrinted') === true);
}

/** Words of the bars, menus and buttons around a page. */
const CHROME = /Dashboard|Operations|Availability|Sign out|Logout|Home|Edit|Duplicate|Cancel|Skip to/;

test('a mission is one sheet: times, packages, flights, comm ladder and roster', async ({ browser }) => {
  const date = dateIn(10);
  const [accepts] = [await givenFree(service, 'Ember'), await givenFree(service, 'Vesper')];
  await givenFlight(service, admin, 'Op Paper', date, 16, {
    notes: 'Lights out after the push.',
    aircraftSlots: [
      { aircraftId: 2, slotCount: 8, side: 0, notes: 'CAP', additionalNotes: 'Two bags' },
      { aircraftId: 3, slotCount: 4, side: 0, notes: 'Strike' },
      { aircraftId: 4, slotCount: 4, side: 1, notes: 'CAP' },
    ],
  });
  await givenFlight(service, admin, 'Op Other Paper', date, 1);
  await respond(accepts, await orderIn(accepts, 'Op Paper'), 'accepted');
  const [page, card] = await openMission(browser, service, admin, date, 'Op Paper');
  const wasPrinted = await hearPrint(page);
  await card.getByRole('button', { name: 'Print roster of Op Paper' }).click();
  await expect.poll(wasPrinted).toBe(true);
  await page.emulateMedia({ media: 'print' });
  const sheet = page.getByRole('article', { name: 'Sheet of Op Paper' });
  await expect(sheet).toBeVisible();
  const { pages, text } = await printed(page);
  expect(pages).toBe(1);
  const { missions } = (await admin.client.call('GET', `/admin/missions/by-date?date=${date}`)).body;
  const mission = missions.find(({ name }: { name: string }) => name === 'Op Paper');
  const clock = (iso: string): string => `${iso.slice(11, 16).replace(':', '')}Z`;
  for (const pack of mission.packages) {
    expect(text).toContain(`${pack.callsign}: ${pack.objective}`);
    for (const flight of pack.flights) {
      for (const fact of [flight.callsign, flight.aircraftName, flight.role, flight.radioFreq]) {
        expect(text).toContain(fact);
      }
      for (const instant of [flight.launchUtc, flight.totUtc]) expect(text).toContain(clock(instant));
    }
  }
  for (const part of ['Op Paper', 'Syria', 'Ember', 'Vesper (asked)', 'Lights out after the push.', 'Two bags']) {
    expect(text).toContain(part);
  }
  expect(text.match(/\bopen\b/g)).toHaveLength(14);
  expect(text).toMatch(/COMM LADDER|Comm ladder/);
  expect(text).not.toContain('Op Other Paper');
  expect(text).not.toMatch(CHROME);

  // the browser's own print command prints a sheet for each mission of the day
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  await expect(sheet).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('article', { name: 'Sheet of Op Other Paper' })).toBeVisible();
  expect((await printed(page)).pages).toBe(2);
});

test('a sheet names who was asked, however late that loads, and calls no seat open before', async ({ browser }) => {
  const date = dateIn(14);
  await givenFree(service, 'Late');
  await givenFlight(service, admin, 'Op Late Paper', date, 2);
  const page = await openAs(browser, service, admin);
  const release = await holdBack(page, 'admin.mission.orders');
  await page.goto(`/admin/missions/${date}`);
  await expect(page.getByRole('button', { name: 'Print roster of Op Late Paper' })).toBeVisible();
  const wasPrinted = await hearPrint(page);
  await page.emulateMedia({ media: 'print' });
  const sheet = page.getByRole('article', { name: 'Sheet of Op Late Paper' });
  await expect(sheet).toContainText('Printed before the asked pilots had loaded');
  await expect(sheet.getByRole('listitem').getByRole('listitem')).toHaveText(['–', '–']);
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('button', { name: 'Print roster of Op Late Paper' }).click();
  expect(await wasPrinted()).toBe(false);
  release();
  await expect.poll(wasPrinted).toBe(true);
  await page.emulateMedia({ media: 'print' });
  await expect(sheet.getByRole('listitem').getByRole('listitem')).toHaveText([/^Late \(asked\)FRAG-/, 'open']);
});

test('an accepted order is one sheet', async ({ browser }) => {
  const pilot = await givenFree(service, 'Ember');
  await givenFlight(service, admin, 'Op Kneeboard', dateIn(12), 4, { notes: 'Lights out after the push.' });
  const order = await orderIn(pilot, 'Op Kneeboard');
  await respond(pilot, order, 'accepted');
  const page = await openAs(browser, service, pilot);
  await page.goto(`/orders/${order.id}`);
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: `Kneeboard card of ${order.label}` })).toBeVisible();
  const { pages, text } = await printed(page);
  expect(pages).toBe(1);
  for (const part of [order.label, 'Op Kneeboard', order.flightCallsign, 'Lights out after the push.', 'Ember']) {
    expect(text).toContain(part);
  }
  expect(text).not.toMatch(CHROME);
});
