/** The pilots' mission pages against a real server: the calendar, and the plan of one mission. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, inbox, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { addDays } from '#client/lib/wall-time.ts';
import { localDate } from '#shared/clock.ts';
import { findViolations } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;
const made: string[] = [];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(async () => {
  await retirePilots(service);
  for (const id of made.splice(0)) await admin.client.call('POST', `/admin/missions/${id}/cancel`);
});

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true });
const ladder = (page: Page) => page.getByRole('table', { name: 'Comm ladder' });

interface PlannedFlight {
  callsign: string;
  radioFreq: string;
  role: string;
  side: number;
}

async function givenPilot(displayName: string, aircraftId: number): Promise<Person> {
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin', displayName });
  await givenAlwaysFree(service, pilot.id, aircraftId);
  return pilot;
}

/** A mission of both sides in which Vesper flies the strike of Blue and Ember for Red. */
async function givenEvening(hours = 50) {
  const vesper = await givenPilot('Vesper', 2);
  const ember = await givenPilot('Ember', 3);
  const { mission } = await givenMissionIn(service, admin, hours, {
    name: 'Op Iron Hound',
    notes: 'Server **opens** at 1800Z',
    links: [{ url: 'https://example.org/target', title: 'Target folder', kind: 'chart' }],
    aircraftSlots: [
      { aircraftId: 2, slotCount: 2, side: 0, notes: 'Strike', additionalNotes: 'Two GBU-31 each' },
      { aircraftId: 4, slotCount: 1, side: 0, notes: 'Tanker' },
      { aircraftId: 3, slotCount: 2, side: 1, notes: 'CAP' },
    ],
  });
  made.push(mission.id);
  for (const pilot of [vesper, ember]) await respond(pilot, await orderOf(pilot), 'accepted');
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const flights: PlannedFlight[] = body.packages.flatMap((one: { flights: PlannedFlight[] }) => one.flights);
  return { id: mission.id, startUtc: body.startUtc as string, vesper, ember, flights };
}

async function openMission(browser: Browser, person: Person, id: string, width?: number): Promise<Page> {
  const page = await openAs(browser, service, person);
  if (width !== undefined) await page.setViewportSize({ width, height: 780 });
  await page.goto(`/missions/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Op Iron Hound');
  return page;
}

test('a strike pilot reads the tanker’s frequency, and nothing of the other side', async ({ browser }) => {
  const { id, vesper, flights } = await givenEvening();
  const page = await openMission(browser, vesper, id);
  const rows = ladder(page).getByRole('row');
  const own = flights.filter(({ side }) => side === 0);
  await expect(rows).toHaveCount(own.length + 1);
  for (const { callsign, radioFreq } of own) {
    await expect(rows.filter({ hasText: callsign })).toContainText(radioFreq);
  }
  await expect(rows.nth(1)).toContainText('You');
  await expect(region(page, 'Briefing').locator('strong')).toHaveText('opens');
  await expect(region(page, 'Briefing').getByRole('link', { name: 'Target folder' })).toBeVisible();
  await expect(page.getByRole('list', { name: /^Crew of/ }).first()).toContainText('Vesper');
  const text = await page.locator('main').innerText();
  for (const { callsign, radioFreq } of flights.filter(({ side }) => side === 1)) {
    expect(text).not.toContain(callsign);
    expect(text).not.toContain(radioFreq);
  }
  expect(text).not.toContain('Ember');
});

test('a pilot without a seat sees flights and open seats, and takes one', async ({ browser }) => {
  const { id, flights } = await givenEvening();
  const wanda = await givenPilot('Wanda', 2);
  const page = await openMission(browser, wanda, id);
  await expect(page.getByText('once you have a seat')).toBeVisible();
  await expect(ladder(page)).toHaveCount(0);
  const text = await page.locator('main').innerText();
  for (const { callsign, radioFreq } of flights) {
    expect(text).toContain(callsign);
    expect(text).not.toContain(radioFreq);
  }
  for (const name of ['Vesper', 'Ember', 'GBU-31', 'Target folder']) expect(text).not.toContain(name);
  await region(page, 'Open seats')
    .getByRole('button', { name: /^Take seat/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Take seat', exact: true }).click();
  await expect(ladder(page)).toBeVisible();
  await expect(region(page, 'Your seat')).toContainText('accepted');
});

test('the plan fits a phone, where the seat and the frequencies come first', async ({ browser }) => {
  const { id, vesper } = await givenEvening();
  const page = await openMission(browser, vesper, id, 360);
  await expect(ladder(page)).toBeVisible();
  const places = await Promise.all(
    ['Your seat', 'Comm ladder', 'Briefing', 'Package ALPHA'].map(
      async (name) => (await region(page, name).boundingBox())?.y,
    ),
  );
  expect(places).toEqual(places.toSorted((a = 0, b = 0) => a - b));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const size = await ladder(page)
    .getByRole('cell')
    .first()
    .locator('span')
    .first()
    .evaluate((cell) => getComputedStyle(cell).fontSize);
  expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(20);
  expect(await findViolations(page)).toEqual([]);
});

test('an unknown mission leads back to the calendar', async ({ browser }) => {
  const page = await openAs(browser, service, await givenPilot('Wanda', 2));
  await page.goto('/missions/0192c0de-0000-7000-8000-000000000000');
  await expect(page.getByText('Mission not found')).toBeVisible();
  await page.getByRole('link', { name: 'All missions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Missions');
});

test('the calendar names the own seat, the place on standby and open seats', async ({ browser }) => {
  const { id, vesper } = await givenEvening();
  const { mission } = await givenMissionIn(service, admin, 80, {
    name: 'Op Second Wave',
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
  });
  const open = await givenMissionIn(service, admin, 110, {
    name: 'Op Open Sky',
    aircraftSlots: [{ aircraftId: 7, slotCount: 3, side: 0, notes: 'CAP' }],
  });
  made.push(mission.id, open.mission.id);
  const order = (await inbox(vesper)).find((one: { missionId: string }) => one.missionId === mission.id);
  await respond(vesper, order, 'standby');
  const page = await openAs(browser, service, vesper);
  await page.goto('/home');
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Missions' }).click();
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect(row('Op Iron Hound')).toContainText('seat');
  await expect(row('Op Iron Hound')).toContainText('accepted');
  await expect(row('Op Second Wave')).toContainText('Number 1 on standby');
  await expect(row('Op Open Sky')).toContainText('3 seats open');
  await row('Op Iron Hound').getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/missions/${id}$`));
});

test('days and months of the calendar by keyboard', async ({ browser }) => {
  const { startUtc, vesper } = await givenEvening();
  const date = localDate(startUtc, 'Europe/Berlin');
  const page = await openAs(browser, service, vesper);
  await page.goto(`/missions?by=month&day=${date}`);
  const chosen = page.getByRole('grid').getByRole('button', { pressed: true });
  await expect(chosen).toHaveAccessibleName(/1 mission, 1 of them yours$/);
  await expect(page.getByRole('listitem').filter({ hasText: 'Op Iron Hound' })).toBeVisible();
  await chosen.focus();
  await page.keyboard.press('PageDown');
  await expect(chosen).toBeFocused();
  const month = (day: string) =>
    new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  await expect(page.getByRole('heading', { name: month(addDays(`${date.slice(0, 7)}-01`, 31)) })).toBeVisible();
  await page.keyboard.press('PageUp');
  await expect(page.getByRole('heading', { name: month(date) })).toBeVisible();
  await expect(chosen).toBeFocused();
  const next = addDays(date, 1);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(`[data-start="${next}"]`)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^No missions on/)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`day=${next}`));
});

test('arrow keys move on at the ends of weeks and months', async ({ browser }) => {
  const page = await openAs(browser, service, await givenPilot('Wanda', 2));
  await page.goto('/missions?by=month&day=2026-10-31');
  await page.locator('[data-start="2026-10-31"]').focus();
  const focused = page.locator('[data-start]:focus');
  for (const [key, day] of [
    ['ArrowRight', '2026-11-01'],
    ['ArrowLeft', '2026-10-31'],
    ['ArrowUp', '2026-10-24'],
    ['ArrowRight', '2026-10-25'],
    ['ArrowLeft', '2026-10-24'],
    ['End', '2026-10-24'],
    ['Home', '2026-10-18'],
    ['ArrowUp', '2026-10-11'],
    ['PageUp', '2026-09-11'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(focused).toHaveAttribute('data-start', day);
  }
});

test('without missions the calendar says what to do', async ({ browser }) => {
  const page = await openAs(browser, service, await givenPilot('Wanda', 2));
  await page.goto('/missions');
  await expect(page.getByText('No missions planned in the next 31 days')).toBeVisible();
  await expect(page.locator('main').getByRole('link', { name: 'Edit Availability' })).toBeVisible();
});
