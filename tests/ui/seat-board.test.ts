/** The seat board of a mission: by pointer, by keys alone and by touch; two admins at once; what is refused. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { dateIn, givenFlight, givenFree, orderIn } from './mission-cards.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

/** Orders, the page and the page of another admin agree within this time. */
const SOON = { timeout: 5_000 };
const NAMES = ['Anna', 'Ben', 'Cleo', 'Dave'] as const;

let service: Service;
let admin: Person;
let day = 30;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.beforeEach(() => retirePilots(service));

/** A mission of two flights of two, and four pilots who are free and have no seat. */
async function givenBoard(name: string) {
  day += 1;
  const id = await givenFlight(service, admin, name, dateIn(day), 2, {
    aircraftSlots: [
      { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' },
      { aircraftId: 3, slotCount: 2, side: 0, notes: 'SEAD' },
    ],
  });
  const pilots = new Map<string, Person>();
  for (const pilot of NAMES) pilots.set(pilot, await givenFree(service, pilot));
  return { id, name, path: `/admin/missions/board/${id}`, pilots };
}

/** The crew as it is stored, by seat in board order: a call sign and the answer, or `open`. */
async function crewOf(id: string): Promise<string[]> {
  const rows = await query<{ crew: string }>(
    service.app.orm.em.fork(),
    sql`select coalesce(u.display_name || ' ' || o.rsvp, 'open') as crew
        from flight f join package p on p.id = f.package_id
        cross join lateral generate_series(0, f.size_cap - 1) as place (at)
        left join seat s on s.flight_id = f.id and s.seat_index = place.at
        left join frag_order o on o.id = s.order_id left join app_user u on u.id = s.pilot_id
        where f.mission_id = ${id} order by p.sort_order, f.sort_order, place.at`,
  );
  return rows.map(({ crew }) => crew);
}

/** Gives the first seat of a mission to a pilot, as another admin would. */
async function seatFirst(id: string, pilot: Person | undefined): Promise<void> {
  const [first] = await query<{ flightId: string }>(
    service.app.orm.em.fork(),
    sql`select f.id as "flightId" from flight f join package p on p.id = f.package_id
        where f.mission_id = ${id} order by p.sort_order, f.sort_order limit 1`,
  );
  const changes = [{ userId: pilot?.id, to: { flightId: first?.flightId, seatIndex: 0 } }];
  const { status } = await admin.client.call('POST', `/admin/missions/${id}/seats`, { changes });
  expect(status).toBe(200);
}

const seatsOf = (page: Page): Locator => page.getByRole('list', { name: /^Seats of/ });
const seat = (page: Page, at: number): Locator =>
  seatsOf(page)
    .getByRole('button', { name: /, seat \d:/ })
    .nth(at);
const bench = (page: Page): Locator => page.getByRole('region', { name: 'Bench' });
const pilotOn = (page: Page, name: string): Locator =>
  bench(page).getByRole('button', { name: new RegExp(`^${name},`) });
const staged = (page: Page): Locator => page.getByRole('region', { name: 'Staged changes' });
const shown = (page: Page, at: number, words: string) =>
  expect(seat(page, at)).toHaveAccessibleName(new RegExp(`: ${words}`), SOON);

test('by pointer: seats are filled from the bench, two exchange, one is put back, and another admin sees it', async ({
  browser,
}) => {
  const { id, name, path, pilots } = await givenBoard('Op Pointer');
  const other = await openAs(browser, service, admin);
  await other.goto(path);
  const page = await openAs(browser, service, admin, { viewport: { width: 1440, height: 900 } });
  await page.goto(path);
  await pilotOn(page, 'Anna').dragTo(seat(page, 0));
  await shown(page, 0, 'Anna, not listed, reliability \\d+%, staged from the bench');
  await pilotOn(page, 'Ben').dragTo(seat(page, 1));
  await pilotOn(page, 'Cleo').click();
  await seat(page, 2).click();
  await seat(page, 3).click();
  await pilotOn(page, 'Dave').click();
  await seat(page, 0).dragTo(seat(page, 1));
  await shown(page, 0, 'Ben');
  await shown(page, 1, 'Anna');
  await page.getByRole('button', { name: 'Put back Dave' }).click();
  await shown(page, 3, 'open');
  await expect(staged(page)).toContainText('3 changes, 3 pilots notified');
  expect(await crewOf(id)).toEqual(['open', 'open', 'open', 'open']);

  await staged(page).getByRole('button', { name: 'Apply' }).click();
  await expect(staged(page)).toHaveCount(0, SOON);
  expect(await crewOf(id)).toEqual(['Ben pending', 'Anna pending', 'Cleo pending', 'open']);
  for (const view of [page, other]) {
    await shown(view, 0, 'Ben, not listed, reliability \\d+%, asked');
    await shown(view, 1, 'Anna');
    await shown(view, 2, 'Cleo');
  }
  const ben = pilots.get('Ben');
  expect(ben && (await orderIn(ben, name))).toMatchObject({ rsvp: 'pending', seatIndex: 0 });
});

test('by keys alone: pick up, move, drop and put back, each said aloud', async ({ browser }) => {
  const { id, path } = await givenBoard('Op Keys');
  const page = await openAs(browser, service, admin);
  await page.goto(path);
  const said = page.getByRole('status').filter({ hasText: /picked up|on the bench|seat \d|put back/ });
  await pilotOn(page, 'Anna').focus();
  await page.keyboard.press('Enter');
  await expect(said).toContainText('Anna picked up. Enter picks up, arrow keys choose a seat, Enter drops');
  await expect(pilotOn(page, 'Anna')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(seat(page, 0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(seat(page, 1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(said).toHaveText(/^Anna on .+, seat 2\. 1 change staged\.$/);
  await expect(seat(page, 1)).toBeFocused();
  await shown(page, 1, 'Anna');

  // to another flight, and Escape leaves the pilot where they were
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(said).toHaveText('Anna put back.');
  await expect(seat(page, 1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(bench(page).getByRole('button').first()).toBeFocused();
  await expect(staged(page)).toContainText('1 change, 1 pilot notified');
  await staged(page).getByRole('button', { name: 'Apply' }).focus();
  await page.keyboard.press('Enter');
  await expect(staged(page)).toHaveCount(0, SOON);
  expect(await crewOf(id)).toEqual(['open', 'Anna pending', 'open', 'open']);
  await expect(seatsOf(page).first()).toMatchAriaSnapshot(`
    - list "Seats of Viper 1":
      - listitem:
        - 'button "Viper 1, seat 1: open"'
      - listitem:
        - 'button /^Viper 1, seat 2: Anna, not listed, reliability \\d+%, asked$/'
        - button "Take Anna off Viper 1, seat 2"
  `);
});

test('by touch: tap a pilot, then a seat; what others change meanwhile is told, and the changes stay', async ({
  browser,
}) => {
  const { id, path, pilots } = await givenBoard('Op Touch');
  const page = await openAs(browser, service, admin, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto(path);
  await seat(page, 0).tap();
  await expect(staged(page)).toContainText(/Select a pilot for .+, seat 1/);
  await pilotOn(page, 'Dave').tap();
  await shown(page, 0, 'Dave');
  await pilotOn(page, 'Anna').tap();
  await seat(page, 3).tap();
  await shown(page, 3, 'Anna');
  await expect(staged(page)).toContainText('2 changes, 2 pilots notified');

  // another admin gives Dave's seat to Ben
  await seatFirst(id, pilots.get('Ben'));
  await expect(staged(page)).toContainText(
    /Changed meanwhile: .+, seat 1 asked \(Ben\)\. Your changes are kept\./,
    SOON,
  );
  await expect(page.getByText(/^Ben holds .+, seat 1\. Move or remove Ben first\.$/)).toBeVisible(SOON);
  await expect(staged(page).getByRole('button', { name: 'Apply' })).toBeDisabled();
  await page.getByRole('button', { name: 'Put back Dave' }).tap();
  await shown(page, 0, 'Ben');
  await staged(page).getByRole('button', { name: 'Apply' }).tap();
  await expect(staged(page)).toHaveCount(0, SOON);
  expect(await crewOf(id)).toEqual(['Ben pending', 'open', 'open', 'Anna pending']);
});

test('a pilot who is not free is asked on purpose only, and the address of a reminder leads to the board', async ({
  browser,
}) => {
  const { id } = await givenBoard('Op Anyway');
  await givenPerson(service, { displayName: 'Zoe' });
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions/${id}`);
  await expect(page).toHaveURL(new RegExp(`/admin/missions/board/${id}$`));
  await page.getByLabel('Find a pilot on the bench').fill('zo');
  await expect(bench(page).getByRole('listitem')).toHaveCount(1);
  await pilotOn(page, 'Zoe').click();
  await seat(page, 0).click();
  await page.getByRole('button', { name: 'Ask Zoe anyway' }).click();
  await expect(
    page.getByText("Zoe is not available for the whole mission. Zoe hasn't listed the F-16C Viper."),
  ).toBeVisible();
  await staged(page).getByRole('button', { name: 'Apply' }).click();
  await expect(staged(page)).toHaveCount(0, SOON);
  expect(await crewOf(id)).toEqual(['Zoe pending', 'open', 'open', 'open']);
});
