/**
 * The product's main job in real browsers: pilots register with availability in four zones, an admin creates a mission,
 * the right pilots get orders and answer, and the next pilot gets a declined seat.
 */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

/** 19:00 to 22:00 in Berlin as local times and days in four zones; overnight where the date changes. */
const ZONES = [
  { zone: 'Europe/Berlin', fromHour: 18, toHour: 23, dayShift: 0 },
  { zone: 'Europe/London', fromHour: 17, toHour: 22, dayShift: 0 },
  { zone: 'America/New_York', fromHour: 11, toHour: 18, dayShift: 0 },
  { zone: 'Asia/Tokyo', fromHour: 1, toHour: 8, dayShift: 1 },
] as const;
const PILOTS = inDrill(12, 5);
const SEATS = { viper: inDrill(5, 2), hog: inDrill(2, 1) };
const ALL_SEATS = SEATS.viper + SEATS.hog;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const ADMIN_ZONE = 'Europe/Berlin';

/** Tomorrow's date in the admin's zone. */
function tomorrowInBerlin(): Temporal.PlainDate {
  return Temporal.Now.plainDateISO(ADMIN_ZONE).add({ days: 1 });
}

const hour = (value: number) => `${String(value).padStart(2, '0')}:00`;

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true, withJobs: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: ADMIN_ZONE });
});
test.afterAll(() => service.stop());

/** @param keepsApp this browser stores the app on its device, which takes a second: one pilot's and the admin's do */
async function openPage(browser: Browser, { keepsApp = true } = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    reducedMotion: 'reduce',
    serviceWorkers: keepsApp ? 'allow' : 'block',
  });
  return context.newPage();
}

/** Completes the four steps of the wizard as a new pilot. */
async function register(page: Page, index: number, missionDate: Temporal.PlainDate): Promise<void> {
  const place = ZONES[index % ZONES.length] ?? ZONES[0];
  const weekday = WEEKDAYS[missionDate.add({ days: place.dayShift }).dayOfWeek % 7] ?? 'Sunday';
  await page.goto('/register/account');
  await page.getByLabel('Email').fill(`e2e-${index}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.waitForURL('**/register/profile');
  await page.getByLabel('Call Sign').fill(`Rook ${index}`);
  await page.getByLabel('Time Zone').selectOption(place.zone);
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.waitForURL('**/register/preferences');
  await page.getByRole('button', { name: `+ Add Time Slot, ${weekday}` }).click();
  await page.getByLabel(`${weekday} start`).fill(hour(place.fromHour));
  await page.getByLabel(`${weekday} end`).fill(hour(place.toHour));
  await page.getByLabel(`${weekday} aircraft`).selectOption('Any Aircraft');
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.waitForURL('**/register/status');
  await page.getByRole('radio', { name: 'Available', exact: true }).click();
  await page.getByRole('button', { name: 'Complete Registration' }).click();
  await page.waitForURL('**/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, Rook ${index}`);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/home');
}

async function addAircraft(
  page: Page,
  place: number,
  slot: { aircraft: RegExp; count: number; role: string; side: string },
) {
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  const group = page.getByRole('group', { name: `Aircraft ${place}` });
  const select = group.getByLabel('Aircraft', { exact: true });
  const value = await select.locator('option').filter({ hasText: slot.aircraft }).first().getAttribute('value');
  await select.selectOption(value ?? '');
  await group.getByLabel('Slots').fill(String(slot.count));
  await group.getByLabel('Role').selectOption(slot.role);
  await group.getByText(slot.side, { exact: true }).click();
}

test(`${PILOTS} pilots register, a mission finds one for each of its ${ALL_SEATS} seats, and a declined seat finds another`, async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const missionDate = tomorrowInBerlin();
  const pages: Page[] = [];
  for (let index = 0; index < PILOTS; index += 1) {
    const page = await openPage(browser, { keepsApp: index === 0 });
    await register(page, index, missionDate);
    await expect(page.getByText('No orders waiting')).toBeVisible();
    pages.push(page);
  }

  const date = missionDate.toString();
  const ops = await openPage(browser);
  await signIn(ops, admin.email);
  await ops.goto('/admin/missions');
  await ops.getByLabel('Mission name').fill('Op Iron Hound');
  await ops.getByLabel('Theater').selectOption('Syria');
  await ops.getByLabel('Start date').fill(date);
  await ops.getByLabel('Start time').fill('19:00');
  await ops.getByLabel('End date').fill(date);
  await ops.getByLabel('End time').fill('22:00');
  await addAircraft(ops, 1, { aircraft: /F-16C/, count: SEATS.viper, role: 'CAP', side: 'Blue' });
  await addAircraft(ops, 2, { aircraft: /A-10C/, count: SEATS.hog, role: 'CAS', side: 'Red' });
  await ops.getByRole('button', { name: 'Create Mission' }).click();
  await expect(ops.getByText('Mission Created Successfully!')).toBeVisible();

  await ops.goto(`/admin/missions/${date}`);
  await expect(ops.getByRole('heading', { level: 1 })).toHaveText(`Mission Details - ${date}`);
  const board = await admin.client.call('GET', `/admin/missions/by-date?date=${date}&tz=${ADMIN_ZONE}`);
  const flights: { callsign: string; radioFreq: string; sizeCap: number; pendingCount: number }[] =
    board.body.missions[0].packages.flatMap((one: { flights: unknown[] }) => one.flights);
  expect(flights.map(({ sizeCap }) => sizeCap)).toEqual(SEATS.viper === 5 ? [3, 2, 2] : [2, 1]);
  expect(flights.reduce((sum, { pendingCount }) => sum + pendingCount, 0)).toBe(ALL_SEATS);
  for (const { callsign, radioFreq } of flights) {
    await expect(ops.getByText(callsign, { exact: true })).toBeVisible();
    await expect(ops.getByText(radioFreq, { exact: true })).toBeVisible();
  }

  const invited: Page[] = [];
  const waiting: Page[] = [];
  for (const page of pages) {
    await page.reload();
    await expect(page.getByText('No orders waiting').or(page.getByRole('button', { name: 'Accept' }))).toBeVisible();
    const has = await page.getByRole('button', { name: 'Accept' }).isVisible();
    (has ? invited : waiting).push(page);
  }
  expect([invited.length, waiting.length]).toEqual([ALL_SEATS, PILOTS - ALL_SEATS]);

  const [decliner, ...accepters] = invited;
  for (const page of accepters) {
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByText(/^You're in: .+, seat \d$/)).toBeVisible();
  }
  if (!decliner) throw new Error('nobody was invited');
  await decliner.getByRole('button', { name: 'Decline' }).click();
  await expect(decliner.getByText('RSVP sent: Declined')).toBeVisible();

  const asked: Page[] = [];
  for (const page of waiting) {
    await page.reload();
    await expect(page.getByText('No orders waiting').or(page.getByRole('button', { name: 'Accept' }))).toBeVisible();
    if (await page.getByRole('button', { name: 'Accept' }).isVisible()) asked.push(page);
  }
  expect(asked).toHaveLength(1);

  const [pilot] = accepters;
  if (!pilot) throw new Error('nobody accepted');
  const panel = pilot.getByRole('region', { name: 'Accepted Missions' });
  await expect(panel).toContainText('Op Iron Hound');
  const shown = await panel.innerText();
  const callsign = /FLIGHT\s+(\S+ \d+)/i.exec(shown)?.[1];
  const flight = flights.find((one) => one.callsign === callsign);
  expect(flight).toBeDefined();
  expect(shown).toContain(flight?.radioFreq);
  expect(shown).toMatch(/PACKAGE\s+(ALPHA|BRAVO)/i);
});
