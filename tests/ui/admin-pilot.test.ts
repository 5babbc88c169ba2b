/** /admin/users/{userId}/availability and /admin/audit against a real server. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, inbox, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, hearComplaints, holdBack, openAs } from './pages.ts';

const NOBODY = '0192c0de-0000-7000-8000-000000000000';
/** Seven hours behind Zulu, all year. */
const PILOT_ZONE = 'America/Phoenix';
/** Nine hours ahead of it, all year. */
const ADMIN_ZONE = 'Asia/Tokyo';

let service: Service;
let admin: Person;
let pilot: Person;
let newcomer: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Air Boss', timeZone: ADMIN_ZONE });
  pilot = await givenPerson(service, { displayName: 'Kestrel', timeZone: PILOT_ZONE });
  newcomer = await givenPerson(service, { displayName: 'Newcomer' });
  const everyDay = Array.from({ length: 7 }, (_, weekday) => ({
    weekday,
    startLocal: '00:00',
    endLocal: '23:00',
    aircraftCodeId: 0,
    notes: weekday === 5 ? 'Friday is flight night' : null,
  }));
  await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, {
    name: 'Week',
    isActive: true,
    slots: [...everyDay, { weekday: 6, startLocal: '22:00', endLocal: '02:00', aircraftCodeId: 2, notes: null }],
  });
  await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, {
    dateLocal: Temporal.Now.plainDateISO(PILOT_ZONE).add({ days: 2 }).toString(),
    kind: 'available',
    startLocal: '23:00',
    endLocal: '23:30',
    notes: 'Day off',
  });
  // two that start on a whole hour inside the pilot's times of today and tomorrow, whatever the clock says
  for (const [name, day] of [
    ['Op Tomorrow', 2],
    ['Op Yesterday', 4],
  ] as const) {
    const date = Temporal.Now.plainDateISO('UTC').add({ days: day }).toString();
    await givenMissionIn(service, admin, 30, {
      name,
      theater: 'Kola',
      startLocal: `${date}T16:00`,
      endLocal: `${date}T18:00`,
    });
  }
  for (const order of await inbox(pilot)) await respond(pilot, order, 'Accepted');
  // after the orders, because a pilot with a list is ordered into nothing else
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/3`, { level: 'learning' });
  const em = service.app.orm.em.fork();
  for (const table of ['mission', 'seat']) {
    const key = table === 'mission' ? 'id' : 'mission_id';
    await query(
      em,
      sql`update ${sql.raw(table)} set starts_at = ${hoursFromNow(-26)}::timestamp at time zone 'UTC',
            ends_at = ${hoursFromNow(-24)}::timestamp at time zone 'UTC'
          where ${sql.raw(key)} = (select id from mission where name = 'Op Yesterday')`,
    );
  }
});
test.afterAll(() => service.stop());
closePagesAfterEach();

async function openPilot(browser: Browser, person: Person, search = '', options = {}): Promise<Page> {
  const page = await openAs(browser, service, admin, options);
  await page.goto(`/admin/users/${person.id}/availability${search}`);
  return page;
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const panel = (page: Page, name: string) => page.getByRole('region', { name });
/** The rows of a table under its header. */
const rows = (page: Page, caption: string | RegExp) => page.getByRole('table', { name: caption }).getByRole('row');

async function expectClean(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
}

test('the page of a pilot shows identity, availability, levels and assignments, with times in Zulu and a named zone', async ({
  browser,
}) => {
  const page = await openPilot(browser, pilot);
  const complaints = hearComplaints(page);
  await expect(heading(page)).toHaveText('Kestrel');
  const asked = page.waitForRequest(/admin\.pilot\.schedule/);
  await page.reload();
  expect(decodeURIComponent((await asked).url())).toContain(`"tz":"${PILOT_ZONE}"`);
  await expect(page).toHaveTitle(/^Availability of Kestrel/);
  const header = page.getByRole('main').getByRole('banner').or(page.locator('main header')).first();
  for (const text of [pilot.email, `${PILOT_ZONE}, now`, 'user']) await expect(header).toContainText(text);
  await expect(header).toContainText(/now \d{4}Z \d{4}L/);

  const week = rows(page, `Weekly schedule in ${PILOT_ZONE}`);
  await expect(week).toHaveCount(9);
  await expect(week.nth(1)).toContainText('Sunday');
  await expect(week.nth(1)).toContainText('0000–2300L');
  await expect(week.nth(1)).toContainText('0700–0600Z');
  await expect(week.nth(6)).toContainText('Friday is flight night');
  await expect(week.nth(8)).toContainText('2200–0200L+1');
  await expect(week.nth(8)).toContainText('0500–0900Z+1');
  await expect(week.nth(8)).toContainText('F-16C Viper');

  const { body } = await admin.client.call(
    'GET',
    `/admin/users/${pilot.id}/availability-summary?upcomingDays=14&tz=${ADMIN_ZONE}`,
  );
  const windows = rows(page, `Availability windows of the next 14 days in ${ADMIN_ZONE}`);
  await expect(windows).toHaveCount(body.availabilityWindows.length + 1);
  const override = windows.filter({ hasText: 'Dated override' });
  await expect(override).toHaveCount(1);
  // 23:00 in Phoenix is 06:00Z and 15:00 in Tokyo
  for (const text of ['0600–0630Z', '1500–1530L', 'Any Aircraft', 'Day off'])
    await expect(override).toContainText(text);
  await expect(windows.filter({ hasText: 'Weekly template' })).toHaveCount(body.availabilityWindows.length - 1);

  const [coming] = body.upcomingMissions;
  const upcoming = rows(page, 'Upcoming assignments').nth(1);
  for (const text of [
    'Op Tomorrow',
    'Kola',
    coming.packageCallsign,
    coming.flightCallsign,
    'F-16C Viper',
    'Seat 1',
    '1600–1800Z',
    '0100–0300L+1',
    'scheduled',
    'accepted',
  ]) {
    await expect(upcoming).toContainText(text);
  }
  const [past] = body.previousMissions;
  const previous = rows(page, 'Previous assignments').nth(1);
  for (const text of ['Op Yesterday', past.flightCallsign, 'completed']) await expect(previous).toContainText(text);
  const link = upcoming.getByRole('link', { name: 'Op Tomorrow' });
  await expect(link).toHaveAttribute('href', `/admin/missions/${coming.startLocal.slice(0, 10)}`);
  await expectClean(page);
  expect(complaints).toEqual([]);
});

test('the address holds 7, 14 or 30 days; any other value means 14', async ({ browser }) => {
  const page = await openPilot(browser, pilot, '?days=5');
  const chosen = (days: number) => page.getByRole('radio', { name: `${days} days` });
  await expect(chosen(14)).toBeChecked();
  const table = (days: number) =>
    page.getByRole('table', { name: `Availability windows of the next ${days} days in ${ADMIN_ZONE}` });
  for (const days of [30, 7]) {
    await page.getByText(`${days} days`, { exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`\\?days=${days}$`));
    await expect(table(days)).toBeVisible();
  }
  await page.reload();
  await expect(chosen(7)).toBeChecked();
  await page.goBack();
  await expect(chosen(30)).toBeChecked();
  await expect(table(30)).toBeVisible();
});

test('an admin sets, changes and removes a level, and the audit log records it', async ({ browser }) => {
  const page = await openPilot(browser, newcomer);
  await expect(panel(page, 'Aircraft proficiencies')).toContainText('No aircraft listed');
  for (const sentence of [
    'No weekly availability yet',
    'Not available on any of these days',
    'No upcoming assignments',
    'No previous assignments',
  ]) {
    await expect(page.getByText(sentence)).toBeVisible();
  }
  const dialog = page.getByRole('dialog');
  const open = page.getByRole('button', { name: 'Set a level' });
  await open.click();
  await dialog.getByRole('button', { name: 'Set level' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please choose an aircraft');
  await dialog.getByLabel('Aircraft').selectOption('F-16C Viper');
  await dialog.getByLabel('Level').selectOption('expert');
  await expect(dialog).toContainText("The pilot can't change a level that an admin has set.");
  const mend = await cutOff(page, 'pilot.setProficiency');
  await dialog.getByRole('button', { name: 'Set level' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to set the level');
  await mend();
  await dialog.getByRole('button', { name: 'Set level' }).click();
  await expect(dialog).toHaveCount(0);
  const viper = rows(page, 'Aircraft proficiencies').nth(1);
  for (const text of ['F-16C Viper', 'expert', 'by an admin']) await expect(viper).toContainText(text);
  await expect(open).toBeFocused();

  await page.getByRole('button', { name: 'Change the level in F-16C Viper' }).click();
  await dialog.getByLabel('Level').selectOption('proficient');
  await dialog.getByRole('button', { name: 'Set level' }).click();
  await expect(viper).toContainText('proficient');
  const levels = await newcomer.client.call('GET', `/users/${newcomer.id}/proficiencies`);
  expect(levels.body).toMatchObject([{ level: 'proficient', setByAdmin: true }]);
  await page.getByRole('button', { name: 'Change the level in F-16C Viper' }).click();
  await dialog.getByRole('button', { name: 'Remove from list' }).click();
  await expect(panel(page, 'Aircraft proficiencies')).toContainText('No aircraft listed');

  await page.getByRole('link', { name: 'History' }).click();
  await expect(heading(page)).toHaveText('Audit Log');
  const entries = rows(page, 'Audit log');
  // these, below them that the newcomer signed in, and the head
  await expect(entries).toHaveCount(5);
  for (const [index, sentence] of [
    'Removed F-16C Viper from the list of aircraft',
    'Set F-16C Viper to proficient',
    'Set F-16C Viper to expert',
  ].entries()) {
    await expect(entries.nth(index + 1)).toContainText(`Air Boss${sentence}Newcomer`);
    await expect(entries.nth(index + 1)).toContainText(/\d{4}Z \d{4}L/);
  }
  await entries.nth(1).getByRole('link', { name: 'Newcomer' }).click();
  await expect(heading(page)).toHaveText('Newcomer');
});

test('a load that fails says so and comes back with Retry; an unknown user is not found', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  const mend = await cutOff(page, 'admin.pilot.availabilitySummary');
  const release = await holdBack(page, 'admin.pilot.availabilitySummary');
  await page.goto(`/admin/users/${pilot.id}/availability`);
  await expect(page.getByText('Loading user availability...')).toBeVisible();
  release();
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('Error loading user availability: User not found');
  await mend();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(heading(page)).toHaveText('Kestrel');

  await page.goto(`/admin/users/${NOBODY}/availability`);
  await expect(alert).toContainText('Error loading user availability: User not found');
  await page.goto('/admin/users/nobody/availability');
  await expect(alert).toContainText('Error loading user availability: This id is not valid');
  await page.getByRole('link', { name: '← Users' }).click();
  await expect(page).toHaveURL(/\/admin\/users$/);
});

test('on a phone the sections are tabs with counts, usable by touch and by keyboard', async ({ browser }) => {
  const phone = { viewport: { width: 320, height: 740 }, hasTouch: true, isMobile: true };
  const page = await openPilot(browser, pilot, '?tab=nonsense', phone);
  const tab = (name: string) => page.getByRole('tab', { name });
  await expect(tab('Weekly 8')).toHaveAttribute('aria-selected', 'true');
  await expect(panel(page, 'Weekly schedule')).toBeVisible();
  await tab('Upcoming 1').click();
  await expect(panel(page, 'Upcoming assignments')).toContainText('Op Tomorrow');
  await expect(panel(page, 'Weekly schedule')).toHaveCount(0);
  await expect(page).toHaveURL(/tab=upcoming/);
  await page.keyboard.press('ArrowLeft');
  await expect(tab('Reliability')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(tab('Aircraft 1')).toBeFocused();
  await expect(panel(page, 'Aircraft proficiencies')).toContainText('A-10C II Warthog');
  for (const name of ['Windows', 'Previous 1']) {
    await tab(name).click();
    await expect(tab(name)).toHaveAttribute('aria-selected', 'true');
  }
  await expectClean(page);
});

test('the audit log is filtered and paged by the address, newest first', async ({ browser }) => {
  const target = await givenPerson(service, { displayName: 'Target' });
  await query(
    service.app.orm.em.fork(),
    sql`insert into audit_entry (id, actor_id, action, subject_type, subject_id, detail, occurred_at)
        select gen_random_uuid(), ${admin.id}, case when n % 2 = 0 then 'role_added' else 'role_removed' end, 'user',
               ${target.id}, '{"role": "admin"}', now() - n * interval '1 minute' from generate_series(1, 45) n`,
  );
  // the sign-in of this pilot is listed, too
  await query(service.app.orm.em.fork(), sql`delete from audit_entry where action = 'signed_in'`);
  const page = await openAs(browser, service, admin);
  const complaints = hearComplaints(page);
  await page.goto(`/admin/audit?subject=${target.id}&page=-3&action=nonsense&actor=nobody`);
  const entries = rows(page, 'Audit log');
  await expect(entries).toHaveCount(21);
  await expect(page.getByText(`45 entries · L is ${ADMIN_ZONE}`)).toBeVisible();
  await expect(entries.nth(1)).toContainText('Removed the role admin');
  await expect(entries.nth(2)).toContainText('Added the role admin');
  await page.getByRole('link', { name: 'Page 3' }).click();
  await expect(entries).toHaveCount(6);
  await expect(page).toHaveURL(/page=3/);
  await page.getByLabel('Action', { exact: true }).selectOption('Role added');
  await expect(page.getByText('22 entries')).toBeVisible();
  await expect(page).not.toHaveURL(/page=3/);
  await expect(entries).toHaveCount(21);
  await page.goBack();
  await expect(entries).toHaveCount(6);
  await page.goForward();
  await expect(entries).toHaveCount(21);
  await page.getByLabel('Action', { exact: true }).selectOption('Password reset');
  await expect(page.getByText('No entries match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Action', { exact: true })).toHaveValue('');
  const created = entries.filter({ hasText: 'Created the mission' }).first();
  await page.getByLabel('Action', { exact: true }).selectOption('Mission created');
  await expect(page.getByText('2 entries')).toBeVisible();
  await expect(created.getByRole('link', { name: /^Op / })).toHaveAttribute(
    'href',
    /^\/admin\/missions\/\d{4}-\d\d-\d\d$/,
  );
  await page.getByLabel('Admin', { exact: true }).selectOption('Air Boss');
  await expect(page).toHaveURL(new RegExp(`actor=${admin.id}`));
  await expectClean(page);
  expect(complaints).toEqual([]);
});

test('the audit log shows successful and refused sign-ins, and the board warns of an untrusted proxy', async ({
  browser,
}) => {
  const target = await givenPerson(service, { displayName: 'Sandman' });
  await target.client.call('POST', '/auth/login', { email: target.email, password: 'not this one' });
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/audit?subject=${target.id}`);
  const entries = rows(page, 'Audit log');
  await expect(entries).toHaveCount(3);
  await expect(entries.nth(1)).toContainText('not signed in');
  await expect(entries.nth(1)).toContainText('Tried a wrong password from 127.0.0.1 (Node.js)');
  await expect(entries.nth(2).getByRole('link', { name: 'Sandman' })).toHaveCount(2);
  await expect(entries.nth(2)).toContainText('Signed in with a password from 127.0.0.1 (Node.js)');

  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Operations board' })).toBeVisible();
  await expect(page.getByText('TRUST_PROXY')).toHaveCount(0);
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' });
  await page.reload();
  await expect(page.getByText('Please check the server.')).toBeVisible();
  await expect(page.getByText('A reverse proxy forwards your requests, but TRUST_PROXY is off')).toBeVisible();
  await expectClean(page);
});

test('an audit log that fails to load says so; an empty one explains its purpose', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  const mend = await cutOff(page, 'admin.audit');
  const release = await holdBack(page, 'admin.audit');
  await page.goto('/admin/audit');
  await expect(page.getByText('Loading audit log...')).toBeVisible();
  release();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Error loading audit log: Unknown error occurred',
  );
  await mend();
  await query(service.app.orm.em.fork(), sql`delete from audit_entry`);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No entries yet')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 740 });
  await expectClean(page);
});
