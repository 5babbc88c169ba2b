/** Pilots' track record on their profile and their page for admins, and missions short of pilots on the board. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { LIVE_PATH } from '#shared/live.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, inbox, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, hearComplaints, openAs } from './pages.ts';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(async () => {
  await retirePilots(service);
  await query(em(), sql`delete from mission`);
});

const em = () => service.app.orm.em.fork();
const seats = (slotCount: number) => [{ aircraftId: 2, slotCount, side: 0 as const, notes: 'CAP' as const }];
const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const board = (page: Page): Locator => panel(page, 'Needs you');
const fact = (part: Locator, name: string): Locator => part.locator(`dt:text-is("${name}") + dd`);

/** Opens a page with its live stream: later changes show without a reload. */
async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === LIVE_PATH);
  await page.goto(path);
  expect((await stream).status()).toBe(200);
}

/** The mission is over, its seats with it. */
async function end(missionId: string): Promise<void> {
  for (const [table, key] of [
    ['mission', 'id'],
    ['seat', 'mission_id'],
  ] as const) {
    await query(
      em(),
      sql`update ${sql.raw(table)} set starts_at = now() - interval '3 hours', ends_at = now() - interval '1 hour'
          where ${sql.raw(key)} = ${missionId}`,
    );
  }
}

/** A pilot who held a seat in a past mission, while another had none. */
async function givenVeteran(): Promise<{ pilot: Person; missionId: string; orderId: string }> {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 30, { aircraftSlots: seats(1) });
  const order = await orderOf(pilot);
  await respond(pilot, order, 'Accepted');
  const other = await givenPerson(service);
  await query(em(), sql`insert into willing_pilot (mission_id, pilot_id) values (${mission.id}, ${other.id})`);
  await end(mission.id);
  return { pilot, missionId: mission.id, orderId: order.id };
}
const mark = (missionId: string, orderId: string, attendance: string) =>
  admin.client.call('PUT', `/admin/missions/${missionId}/attendance`, { attendance: [{ orderId, attendance }] });

test('a pilot reads their track record on My record, and an admin’s mark appears without a reload', async ({
  browser,
}) => {
  const { pilot, missionId, orderId } = await givenVeteran();
  const page = await openAs(browser, service, pilot);
  const complaints = hearComplaints(page);
  await openLive(page, '/profile/record');
  const trackRecord = panel(page, 'Reliability');
  await expect(trackRecord).toContainText('80 % likely to show up');
  await expect(trackRecord).toContainText('New pilots start at 80 %. None of your missions count yet.');
  await expect(trackRecord).toContainText("You've had about 0.5 seats more than average, so others get seats first.");
  await expect(trackRecord).toContainText('Only you and the admins see this.');
  for (const name of ['Flown', 'No-shows', 'Given back late', 'Excused'])
    await expect(fact(trackRecord, name)).toHaveText('0');

  expect((await mark(missionId, orderId, 'no_show')).status).toBe(200);
  // (0.8 * 2 + 0) / (2 + 1), on the day of the mission and, after midnight, on the next
  await expect(trackRecord).toContainText('53 % likely to show up');
  await expect(fact(trackRecord, 'No-shows')).toHaveText('1');
  await expect(trackRecord).toContainText('Missions flown raise it; no-shows and seats given back less than 24 h');
  await mark(missionId, orderId, 'attended');
  await expect(trackRecord).toContainText('87 % likely to show up');
  await expect(fact(trackRecord, 'Flown')).toHaveText('1');
  await expect(fact(trackRecord, 'No-shows')).toHaveText('0');
  expect(complaints).toEqual([]);
});

test('an admin reads the track record on the pilot’s page; on a phone it is its own tab', async ({ browser }) => {
  const { pilot, missionId, orderId } = await givenVeteran();
  await mark(missionId, orderId, 'excused');
  for (const [width, colorScheme] of [
    [1440, 'dark'],
    [360, 'light'],
  ] as const) {
    const page = await openAs(browser, service, admin, { viewport: { width, height: 900 }, colorScheme });
    await page.goto(`/admin/users/${pilot.id}/availability`);
    if (width === 360) await page.getByRole('tab', { name: 'Reliability' }).click();
    const trackRecord = panel(page, 'Reliability');
    await expect(trackRecord).toContainText('80 % likely to show up');
    await expect(fact(trackRecord, 'Excused')).toHaveText('1');
    await expect(trackRecord).toContainText('This pilot has had about 0.5 seats more than average');
    await expect(trackRecord).not.toContainText('Only you');
    expect(await findViolations(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  }
});

test('a track record that fails to load says so, and Retry loads it', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  const mend = await cutOff(page, 'pilot.standing');
  await page.goto('/profile/record');
  const trackRecord = panel(page, 'Reliability');
  await expect(trackRecord.getByRole('alert')).toContainText('Failed to load reliability');
  await mend();
  await trackRecord.getByRole('button', { name: 'Retry' }).click();
  await expect(trackRecord).toContainText('80 % likely to show up');
});

test('the board names missions short of pilots, live, and leads to them; with none it says so', async ({ browser }) => {
  const pilots = [await givenPilot(service), await givenPilot(service), await givenPilot(service)];
  const page = await openAs(browser, service, admin);
  const complaints = hearComplaints(page);
  await openLive(page, '/admin');
  await expect(page.getByRole('group', { name: 'Day' })).toBeVisible();
  await expect(page.getByText('Loading dashboard...')).toHaveCount(0);
  await expect(board(page)).toContainText('missions of the next 7 days have enough pilots');

  const { mission } = await givenMissionIn(service, admin, 22.5, { name: 'Op Iron Hound', aircraftSlots: seats(4) });
  const alert = board(page).getByRole('listitem').filter({ hasText: 'Op Iron Hound' });
  await expect(alert).toContainText('within 24 hours');
  await expect(alert).toContainText(
    'Op Iron Hound, in 22 h: 0 of 4 accepted, 3 not answered, 2 needed. Likely short (35 % chance of enough).',
  );
  for (const [index, pilot] of pilots.entries()) {
    await respond(pilot, await orderOf(pilot), 'Accepted');
    if (index === 0)
      await expect(alert).toContainText(
        '1 of 4 accepted, 2 not answered, 2 needed. May be short (54 % chance of enough).',
      );
    if (index === 1)
      await expect(alert).toContainText(
        '2 of 4 accepted, 1 not answered, 2 needed. May be short (76 % chance of enough).',
      );
  }
  await expect(board(page)).toContainText('missions of the next 7 days have enough pilots');

  // two of them cannot come after all
  for (const pilot of pilots.slice(1)) {
    const [order] = await inbox(pilot, true);
    await respond(pilot, order, 'Declined');
  }
  await expect(alert).toContainText('1 of 4 accepted, 2 needed. Likely short (under 1 %).');
  await alert.getByRole('link', { name: 'Op Iron Hound', exact: true }).click();
  await expect(page).toHaveURL(
    new RegExp(`/admin/missions/${mission.startLocal.slice(0, 10)}\\?mission=${mission.id}$`),
  );
  await expect(page.getByRole('heading', { name: 'Op Iron Hound' }).first()).toBeVisible();
  expect(complaints).toEqual([]);
});

for (const [width, colorScheme] of [
  [1440, 'dark'],
  [360, 'light'],
] as const) {
  test(`alerts of every stage are above the board and shift nothing down, ${width} px`, async ({ browser }) => {
    for (const [hours, name] of [
      [20, 'Op Near'],
      [40, 'Op Far'],
      [100, 'Op Farther with a name that takes more than one line on a phone'],
      [120, 'Op Farthest'],
    ] as const) {
      await givenMissionIn(service, admin, hours, { name, aircraftSlots: seats(4) });
    }
    const page = await openAs(browser, service, admin, { viewport: { width, height: 900 }, colorScheme });
    await page.goto('/admin');
    const alerts = board(page).getByRole('listitem');
    await expect(alerts).toHaveCount(1);
    await expect(alerts).toContainText('Op Near');
    await board(page).getByRole('button', { name: 'Show all 4' }).click();
    await expect(alerts).toHaveCount(4);
    for (const [index, [stage, name]] of [
      ['within 24 hours', 'Op Near'],
      ['within 48 hours', 'Op Far'],
    ].entries()) {
      await expect(alerts.nth(index)).toContainText(stage ?? '');
      await expect(alerts.nth(index)).toContainText(name ?? '');
    }
    await expect(alerts.nth(2)).toContainText('within 7 days');
    await expect(alerts.nth(3)).toContainText('Op Farthest');
    const above = await board(page).boundingBox();
    const days = await panel(page, 'Next 7 Days').boundingBox();
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(days?.y ?? 0);
    expect(await findViolations(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });
}

test('silent pilots are nudged from the board by keyboard, and the line goes', async ({ browser }) => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 60, { name: 'Op Silent', aircraftSlots: seats(1) });
  const order = await orderOf(pilot);
  await query(em(), sql`update frag_order set issued_at = issued_at - interval '4 hours' where id = ${order.id}`);
  const page = await openAs(browser, service, admin);
  await page.goto('/admin');
  await board(page).getByRole('button', { name: 'Show all 2' }).click();
  const line = board(page).getByRole('listitem').filter({ hasText: '1 pilot has not answered.' });
  await expect(line).toContainText('Op Silent, in 2 d');
  expect(await findViolations(page)).toEqual([]);
  await line.getByRole('button', { name: 'Nudge 1 pilot of Op Silent' }).press('Enter');
  await expect(page.getByText('1 pilot asked again')).toBeVisible();
  await expect(line).toHaveCount(0);
  await expect(board(page).getByRole('link', { name: 'Find pilots for Op Silent' })).toHaveAttribute(
    'href',
    `/admin/missions/board/${mission.id}`,
  );
});

test('alerts that fail to load say so, and the board still works', async ({ browser }) => {
  await givenMissionIn(service, admin, 20, { name: 'Op Near', aircraftSlots: seats(4) });
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  await page.route(/admin\.dashboard\.needs/, (route) => route.abort('connectionrefused'));
  await page.goto('/admin');
  // Calls that travel with it in one request fail too, and have alerts of their own.
  const failed = board(page)
    .getByRole('alert')
    .filter({ hasText: 'Error loading what missions need: Unknown error occurred' });
  await expect(failed).toBeVisible();
  await page.unroute(/admin\.dashboard\.needs/);
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(board(page).getByRole('listitem')).toHaveCount(1);
});
