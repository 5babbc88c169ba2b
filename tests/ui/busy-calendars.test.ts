/** Busy calendars: added, read, failing and removed on the profile; shown over the week, in a list, and to admins as times only. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { calendarOf, startCalendarServer, type CalendarServer } from '#tests/harness/calendar-server.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { button, openProfile, region, toasts } from './profiles.ts';

let service: Service;
let server: CalendarServer;
test.beforeAll(async () => {
  server = await startCalendarServer();
  service = await startService({ withClient: true, env: { CALENDARS_ALLOW_PRIVATE: 'on' } });
});
test.afterAll(async () => {
  await service.stop();
  await server.stop();
});
closePagesAfterEach();

const HOUR_MS = 3_600_000;
const MIDNIGHT = new Date(new Date().setUTCHours(0, 0, 0, 0)).getTime();
/** A time on a date some days from today, UTC. */
const time = (days: number, from: number, to: number) => {
  const midnight = MIDNIGHT + days * 24 * HOUR_MS;
  return { startMs: midnight + from * HOUR_MS, endMs: midnight + to * HOUR_MS };
};
const TITLE = 'Busy calendars';
const rowsOf = (page: Page) =>
  region(page, TITLE).getByRole('list', { name: 'Your busy calendars' }).getByRole('listitem');

async function givenEvenings(): Promise<Person> {
  const pilot = await givenPerson(service);
  const evening = { startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0 };
  const slots = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ ...evening, weekday }));
  expect((await pilot.client.call('PUT', `/users/${pilot.id}/availability/week`, { slots })).status).toBe(200);
  return pilot;
}
async function give({ client }: Person, calendar: string, name: string | null = null): Promise<void> {
  const { status } = await client.call('POST', '/pilot/busy-calendars', { url: server.url(calendar), name });
  expect(status).toBe(201);
}

test('a calendar is added by keyboard, read again, and removed', async ({ browser }) => {
  server.serve('work.ics', calendarOf([time(1, 19, 20), time(2, 9, 10)]));
  const page = await openProfile(browser, service, await givenEvenings(), '/profile/calendar');
  const panel = region(page, TITLE);
  await expect(panel).toContainText('No calendars yet.');
  await panel.getByText('Where is the secret address?').click();
  await expect(panel.getByText('Secret address in iCal format')).toBeVisible();
  await button(page, 'Add calendar').focus();
  await page.keyboard.press('Enter');
  const address = panel.getByLabel('Secret address');
  await address.fill(server.url('missing.ics'));
  await page.keyboard.press('Enter');
  await expect(address).toHaveAccessibleDescription(/There is no calendar at this address any more/);
  await address.fill(server.url('work.ics'));
  await panel.getByLabel('Name (optional)').fill('Work');
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page)).toContainText('Work');
  await expect(rowsOf(page)).toContainText('2 busy times in the next 120 days');
  await expect(button(page, 'Add calendar')).toBeFocused();

  server.react('work.ics', (_request, response) => response.writeHead(503).end());
  await button(page, 'Read Work now').click();
  await expect(rowsOf(page)).toContainText('The last try failed, and Marshal will try again.');
  server.serve('work.ics', calendarOf([time(1, 19, 20)]));
  await button(page, 'Read Work now').click();
  await expect(toasts(page)).toContainText('Work: read just now');
  await expect(rowsOf(page)).toContainText('1 busy time in');
  await expect(rowsOf(page)).not.toContainText('The last try failed');

  await button(page, 'Remove Work').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(panel).toContainText('No calendars yet.');
});

test('a calendar that has failed for a day says so, and that its times still count', async ({ browser }) => {
  const pilot = await givenEvenings();
  server.serve('old.ics', calendarOf([time(1, 19, 20)]));
  await give(pilot, 'old.ics', 'Family');
  await query(
    service.app.orm.em.fork(),
    sql`update busy_calendar set problem = 'gone', failures = 9, failing_since = now() - interval '2 days' where user_id = ${pilot.id}`,
  );
  const page = await openProfile(browser, service, pilot, '/profile/calendar');
  await expect(rowsOf(page)).toContainText('Out of date');
  await expect(rowsOf(page)).toContainText('the times from before still count');
  expect(await findInSchemes(page)).toEqual([]);
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflowOf(page), `${width} px`).toBe(0);
  }
});

test('busy times are marked over the week and listed, and admins see the times alone', async ({ browser }) => {
  const pilot = await givenEvenings();
  server.serve('evenings.ics', calendarOf([time(1, 19, 20.5), time(3, 0, 24), time(9, 21, 23)]));
  await give(pilot, 'evenings.ics');
  const page = await openAs(browser, service, pilot, { timezoneId: 'UTC' });
  await page.goto('/availability');
  const list = page.getByRole('list', { name: 'Busy times' }).getByRole('listitem');
  await expect(list).toHaveCount(3);
  await expect(list.first()).toContainText('1900–2030Z');
  const grid = page.getByRole('grid', { name: /Week grid/ });
  await expect(grid.getByText('Busy', { exact: true })).toHaveCount(2);
  // the marks let the pointer through to the blocks
  const tomorrow = new Date(time(1, 0, 0).startMs).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  await grid.getByRole('button', { name: new RegExp(`^${tomorrow} 18:00 to 22:00, Any`) }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await findInSchemes(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toBe(0);
  await expect(list.first()).toBeVisible();

  const admin = await openAs(browser, service, await givenAdmin(service));
  await admin.goto(`/admin/users/${pilot.id}/availability`);
  const windows = admin.getByRole('table', { name: /Availability windows/ });
  await expect(windows).toContainText('Busy, from their calendar');
  await expect(admin.locator('main')).not.toContainText('A title that nobody may see');
});
