/** /admin/missions: the dry run next to the form, drafts, copies, and a form that is only sent once. */
import { expect, test, type Browser, type Page, type Request } from '@playwright/test';
import { createTemplate } from '#server/availability/availability.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, holdBack, openAs } from './pages.ts';

const ZONE = 'Europe/Berlin';
const VIPER = 2;
const DAY_MS = 86_400_000;

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: ZONE });
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(() => retirePilots(service));

const inDays = (days: number) => Temporal.Now.plainDateISO(ZONE).add({ days });
const short = (date: Temporal.PlainDate) =>
  date.toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' });

async function openForm(browser: Browser, search = ''): Promise<Page> {
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions${search}`);
  await expect(page.getByLabel('Mission name')).toBeVisible();
  return page;
}

const panel = (page: Page) => page.getByRole('region', { name: 'Dry run' });
const createButton = (page: Page) => page.getByRole('button', { name: 'Create Mission' });
const success = (page: Page) => page.getByRole('region', { name: 'Mission Created Successfully!' });
const fact = (page: Page, label: string) =>
  success(page).getByText(label, { exact: true }).locator('xpath=following-sibling::dd');

async function addSlot(page: Page, label: string, count: number): Promise<void> {
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  const row = page.getByRole('group', { name: /^Aircraft \d+$/ }).last();
  await row.getByLabel('Aircraft', { exact: true }).selectOption({ label });
  await row.getByLabel('Slots').fill(String(count));
}

async function fillForm(page: Page, name: string): Promise<void> {
  await page.getByLabel('Mission name').fill(name);
  await page.getByLabel('Theater').selectOption('Syria');
  await addSlot(page, 'F-16C Viper (F-16C_50)', 1);
}

async function givenPilot(displayName: string): Promise<Person> {
  const pilot = await givenPerson(service, { displayName });
  await givenAlwaysFree(service, pilot.id, VIPER);
  return pilot;
}

const missionsNamed = (name: string) =>
  query<{ id: string }>(service.app.orm.em.fork(), sql`select id from mission where name = ${name}`);

test('the dry run shows who would be asked and why seats stay open; an alternative time fills the form and as many seats as promised', async ({
  browser,
}) => {
  await givenPilot('Maverick');
  const [asked, good] = [inDays(2), inDays(3)];
  const iceman = await givenPerson(service, { displayName: 'Iceman', timeZone: ZONE });
  await createTemplate(service.app.orm.em.fork(), {
    id: iceman.id,
    name: 'One evening',
    isActive: true,
    slots: [{ weekday: good.dayOfWeek % 7, startLocal: '20:00', endLocal: '23:00', aircraftCodeId: 0, notes: null }],
  });
  const page = await openForm(browser, `?start=${asked.toString()}T18:00`);
  await expect(panel(page)).toContainText('No dry run yet');
  await page.getByLabel('Mission name').fill('Op Mirror');
  await page.getByLabel('Theater').selectOption('Syria');
  await addSlot(page, 'F-16C Viper (F-16C_50)', 2);
  await addSlot(page, 'F-14B Tomcat (F-14B)', 1);
  await expect(panel(page).getByRole('status')).toHaveText('If issued now, 1 of 3 seats fills.');
  const slots = panel(page).getByRole('list', { name: 'Seats by aircraft' }).locator(':scope > li');
  await expect(slots.nth(0)).toContainText('▮▯');
  await expect(slots.nth(0)).toContainText('1 of 2');
  await expect(slots.nth(0)).toContainText(
    '1 open. The only free F-16C Viper pilot already has a seat in this mission.',
  );
  await expect(slots.nth(1)).toContainText('1 open. No free pilot flies the F-14B Tomcat.');
  await expect(panel(page)).toContainText("Not seated: 2 aren't free for the whole mission.");
  await slots.nth(0).getByText('Maverick', { exact: true }).click();
  await expect(slots.nth(0)).toContainText('You asked for this aircraft.');
  expect(await findViolations(page, 'aside')).toEqual([]);

  const start = good.toZonedDateTime({ timeZone: ZONE, plainTime: '20:00' }).withTimeZone('UTC');
  const digits = start.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
  await panel(page)
    .getByRole('button', { name: `Use ${short(good)} ${digits}Z 2000L, fills 2` })
    .click();
  await expect(page.getByLabel('Start date')).toHaveValue(good.toString());
  await expect(page.getByLabel('Start time')).toHaveValue('20:00');
  await expect(page.getByLabel('End time')).toHaveValue('23:00');
  await expect(panel(page).getByRole('status')).toHaveText('If issued now, 2 of 3 seats fill.');
  await expect(panel(page).getByRole('button', { name: /^Use / })).toHaveCount(0);
  await expect.poll(() => panel(page).evaluate((box) => box.contains(document.activeElement))).toBe(true);

  await createButton(page).click();
  await expect(fact(page, 'Orders issued')).toHaveText('2');
  await expect(fact(page, 'Open seats')).toHaveText('1');
});

test('a dry run that fails says so and can be tried again', async ({ browser }) => {
  await givenPilot('Maverick');
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  await page.goto(`/admin/missions?date=${inDays(2).toString()}`);
  const mend = await cutOff(page, 'admin.mission.dryRun');
  const release = await holdBack(page, 'admin.mission.dryRun');
  await addSlot(page, 'F-16C Viper (F-16C_50)', 1);
  await expect(panel(page).getByText('Checking who could fly...')).toBeVisible();
  release();
  await expect(panel(page).getByRole('alert')).toContainText('The dry run failed');
  await mend();
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('If issued now, the seat fills.');
});

test('an outdated dry run is marked while it reloads, and changes by others reload it', async ({ browser }) => {
  await givenPilot('Maverick');
  const page = await openForm(browser, `?date=${inDays(2).toString()}`);
  await addSlot(page, 'F-16C Viper (F-16C_50)', 1);
  await expect(panel(page).getByRole('status')).toHaveText('If issued now, the seat fills.');
  const release = await holdBack(page, 'admin.mission.dryRun');
  await page.getByRole('button', { name: 'One slot more' }).click();
  await expect(panel(page).getByText('Checking again...')).toBeVisible();
  release();
  await expect(panel(page).getByRole('status')).toHaveText('If issued now, 1 of 2 seats fills.');
  await expect(panel(page).getByText('Checking again...')).toBeHidden();

  // a mission created by somebody else takes the pilot, and the panel reloads
  await givenMission(service, admin, {
    startLocal: `${inDays(2).toString()}T19:30`,
    endLocal: `${inDays(2).toString()}T20:00`,
    timeZone: ZONE,
  });
  await expect(panel(page).getByRole('status')).toHaveText('If issued now, 0 of 2 seats fill.');
  await expect(panel(page)).toContainText(
    '2 open. Nobody is free for the whole mission. 1 F-16C Viper pilot is on another mission.',
  );
});

test('a draft issues no orders until it is published', async ({ browser }) => {
  const pilot = await givenPilot('Maverick');
  const page = await openForm(browser, `?date=${inDays(4).toString()}`);
  const draft = page.getByRole('button', { name: 'Save as draft' });
  await expect(draft).toBeDisabled();
  await fillForm(page, 'Op Quiet');
  const release = await holdBack(page, 'admin.createMission');
  await draft.click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await expect(createButton(page)).toBeDisabled();
  release();
  await expect(success(page)).toContainText("This is a draft: no orders have gone out, and pilots can't see it.");
  await expect(success(page)).not.toContainText('Orders go out as soon as');
  const inbox = async () => (await pilot.client.call('GET', '/pilot/inbox')).body.length;
  expect(await inbox()).toBe(0);
  await success(page).getByRole('button', { name: 'Publish now' }).click();
  await expect(success(page)).toContainText('Published: 1 order issued, 0 seats open.');
  await expect(fact(page, 'Orders issued')).toHaveText('1');
  expect(await inbox()).toBe(1);
});

test('a form creates one mission, also after two clicks or a retry after a lost answer; a changed form creates another', async ({
  browser,
}) => {
  const page = await openForm(browser, `?date=${inDays(5).toString()}`);
  await fillForm(page, 'Op Once');
  const keys: (string | undefined)[] = [];
  page.on('request', (request: Request) => {
    if (request.url().includes('admin.createMission')) keys.push(request.headers()['idempotency-key']);
  });
  const isCreation = (url: URL): boolean => url.pathname.includes('admin.createMission');
  await page.route(
    isCreation,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await createButton(page).dblclick();
  await expect(page.getByRole('alert')).toHaveText('Error: Unknown error occurred');
  expect(await missionsNamed('Op Once')).toHaveLength(1);
  await createButton(page).dblclick();
  await expect(success(page)).toContainText('Op Once');
  expect(await missionsNamed('Op Once')).toHaveLength(1);
  await expect.poll(() => keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);

  // the same form again, on purpose
  await page.getByRole('button', { name: 'Create another' }).click();
  await fillForm(page, 'Op Once');
  await createButton(page).click();
  await expect(success(page)).toContainText('Op Once');
  expect(await missionsNamed('Op Once')).toHaveLength(2);
  await expect.poll(() => keys).toHaveLength(3);
  expect(keys[2]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[2]).not.toBe(keys[0]);
});

test('a mission can be repeated: the same aircraft, weekday and hours, in the next week that is still ahead', async ({
  browser,
}) => {
  const then = new Date(Date.now() - 10 * DAY_MS);
  const first = Temporal.Now.plainDateISO(ZONE).subtract({ days: 9 });
  const { mission } = await givenMission(
    service,
    admin,
    {
      name: 'Op Every Week',
      theater: 'Sinai',
      notes: 'Bring smoke',
      startLocal: `${first.toString()}T21:00`,
      endLocal: `${first.toString()}T01:00`,
      timeZone: ZONE,
      aircraftSlots: [
        { aircraftId: 2, slotCount: 3, side: 0, notes: 'SEAD', additionalNotes: 'HARM' },
        { aircraftId: 3, slotCount: 2, side: 1, notes: 'CAS' },
      ],
    },
    then,
  );
  const page = await openForm(browser, `?from=${mission.id}`);
  const next = first.add({ days: 14 });
  await expect(page.getByText(`Copied from Op Every Week of ${short(first)}`)).toContainText(
    `to the same weekday and hours on ${short(next)}.`,
  );
  await expect(page.getByLabel('Mission name')).toHaveValue('Op Every Week');
  await expect(page.getByLabel('Theater')).toHaveValue('Sinai');
  await expect(page.getByLabel('Start date')).toHaveValue(next.toString());
  await expect(page.getByLabel('Start time')).toHaveValue('21:00');
  await expect(page.getByLabel('End date')).toHaveValue(next.add({ days: 1 }).toString());
  await expect(page.getByLabel('End time')).toHaveValue('01:00');
  await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Bring smoke');
  const rows = page.getByRole('group', { name: /^Aircraft \d+$/ });
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0).getByLabel('Aircraft', { exact: true })).toHaveValue('2');
  await expect(rows.nth(0).getByLabel('Slots')).toHaveValue('3');
  await expect(rows.nth(0).getByLabel('Role')).toHaveValue('SEAD');
  await expect(rows.nth(0).getByLabel('Additional notes')).toHaveValue('HARM');
  await expect(rows.nth(1).getByRole('radio', { name: 'Red' })).toBeChecked();

  await page.goto('/admin/missions?from=00000000-0000-7000-8000-000000000000');
  await expect(page.getByRole('alert')).toContainText('Mission not found');
  await page.getByRole('link', { name: 'Start with an empty form' }).click();
  await expect(page.getByLabel('Mission name')).toHaveValue('');
});

test('leaving a form with input asks first', async ({ browser }) => {
  const page = await openForm(browser);
  const home = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Home' });
  await page.getByLabel('Mission name').fill('Op Unsaved');
  await home.click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(dialog).toContainText('This mission has not been created yet.');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Mission name')).toHaveValue('Op Unsaved');
  await home.click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/home$/);
});
