/** Pictures of turnout and fairness: expected online by day, the fill rate, a pilot's marks, seats beside peers. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, inbox, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

const PAST = [
  ['Op Flown', 2, 'attended'],
  ['Op Missed', 9, 'no_show'],
  ['Op Excused', 30, 'excused'],
  ['Op Long Ago', 100, 'attended'],
] as const;

let service: Service;
let admin: Person;
let pilot: Person;
let ahead: string;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  const em = service.app.orm.em.fork();
  await query(em, sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
  pilot = await givenPilot(service);
  const peer = await givenPilot(service);
  for (const { id } of [pilot, peer])
    await query(
      em,
      sql`insert into proficiency (user_id, aircraft_id, level, updated_at) values (${id}, 2, 'basic', now())`,
    );
  for (const [name, days, attendance] of PAST) {
    const { mission } = await givenMissionIn(service, admin, 40, {
      name,
      aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
    });
    const [order] = await inbox(pilot);
    await respond(pilot, order, 'Accepted');
    const [other] = await inbox(peer);
    await respond(peer, other, 'Declined');
    await moveToPast(days, mission.id);
    await query(em, sql`update frag_order set attendance = ${attendance} where id = ${order.id}`);
  }
  ahead = hoursFromNow(48);
  await givenMissionIn(service, admin, 48, { name: 'Op Iron Hound' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

async function moveToPast(days: number, missionId: string): Promise<void> {
  const em = service.app.orm.em.fork();
  await query(
    em,
    sql`update mission set starts_at = now() - make_interval(days => ${days}::int),
          ends_at = now() - make_interval(days => ${days}::int) + interval '2 hours' where id = ${missionId}`,
  );
  await query(
    em,
    sql`update seat set starts_at = m.starts_at, ends_at = m.ends_at from mission m where m.id = seat.mission_id and m.id = ${missionId}`,
  );
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const openBoard = async (browser: Browser, options = {}): Promise<Page> => {
  const page = await openAs(browser, service, admin, options);
  await page.goto('/admin');
  await expect(panel(page, 'Expected online').getByRole('img', { name: /: at most / })).toBeVisible();
  return page;
};

test('a small chart of the week shows its day large, with its missions, and is in the address', async ({ browser }) => {
  const page = await openBoard(browser);
  const online = panel(page, 'Expected online');
  const days = online.getByRole('group', { name: 'Expected online by date' }).getByRole('button');
  await expect(days).toHaveCount(7);
  await expect(days.nth(0)).toHaveAttribute('aria-pressed', 'true');
  await days.nth(1).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const date = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
  await expect(page).toHaveURL(new RegExp(`day=${date}`));
  await expect(days.nth(2)).toHaveAttribute('aria-pressed', 'true');
  await expect(
    online.getByRole('img', { name: /: at most 2 pilots, at \d{4}Z\. Most seats taken: 0\.$/ }),
  ).toBeVisible();
  await expect(online.getByRole('list', { name: /^Missions on / })).toContainText(
    `Op Iron Hound, ${ahead.slice(11).replace(':', '')}–`,
  );
  await days.nth(4).click();
  await expect(online).toContainText(/No missions on /);
  await page.goBack();
  await expect(days.nth(2)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('group', { name: 'Day', exact: true }).getByRole('button').nth(2)).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('the fill rate in words, as a line and as a list of weeks', async ({ browser }) => {
  const page = await openBoard(browser);
  const fill = panel(page, 'Seats filled at the start');
  const words = 'Last 7 days: 1 of 4 seats (25 %). 12 weeks: 3 of 12 seats (25 %).';
  await expect(fill).toContainText(words);
  await expect(fill.getByRole('img', { name: words })).toBeVisible();
  const chart = fill.getByRole('img');
  await expect(chart.locator('path').first()).toHaveAttribute('d', /^M.+L/);
  await chart.locator('svg').hover();
  await expect(chart).toContainText(/no missions|seats/);
  await fill.getByText('All weeks as a list').click();
  const weeks = fill.getByRole('listitem');
  await expect(weeks).toHaveCount(12);
  await expect(weeks.first()).toContainText('1 of 4 seats (25 %)');
  await expect(weeks.nth(2)).toContainText('no missions');
});

test('a pilot sees a mark for each mission of 90 days, in numbers that agree with the words', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  await page.goto('/profile/record');
  const reliability = panel(page, 'Reliability');
  await expect(reliability.getByRole('img')).toHaveAccessibleName(
    '3 missions in the last 90 days: 1 flown, 1 no-show, 1 excused',
  );
  const standing = (await pilot.client.call('GET', `/users/${pilot.id}/standing`)).body;
  // the one flown 100 days ago counts in the words and has no mark
  expect([standing.attended, standing.noShows, standing.excused]).toEqual([2, 1, 1]);
  const legend = reliability.getByRole('definition');
  await expect(legend).toHaveText(['2', '1', '0', '1', '1', '1', '1']);
  await reliability.getByText('All as a list').click();
  await expect(reliability.getByRole('listitem')).toHaveText([
    /: Op Flown, flown$/,
    /: Op Missed, no-show$/,
    /: Op Excused, excused$/,
  ]);
});

test('a pilot without missions reads so', async ({ browser }) => {
  const newcomer = await givenPilot(service);
  await query(service.app.orm.em.fork(), sql`update app_user set roles = '{user}' where id = ${newcomer.id}`);
  const page = await openAs(browser, service, newcomer);
  await page.goto('/profile/record');
  await expect(panel(page, 'Reliability')).toContainText('No missions in the last 90 days.');
});

test('admins see a pilot beside peers, with the debt of the track record', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/users/${pilot.id}/availability?tab=standing`);
  const peers = panel(page, 'Seats compared with peers');
  const { body } = await admin.client.call('GET', `/users/${pilot.id}/standing`);
  const seats = Number(Math.abs(body.debt).toFixed(1));
  expect(body.debt).toBeLessThan(-0.5);
  const words = `${seats} ${seats === 1 ? 'seat' : 'seats'} more than a fair share`;
  const own = peers.getByRole('listitem').filter({ hasText: pilot.displayName ?? '' });
  await expect(own).toContainText(`${words}.`);
  await expect(own).toHaveAttribute('aria-current', 'true');
  await expect(panel(page, 'Reliability')).toContainText(/This pilot has had about [\d.]+ seats? more than average/);
  await expect(peers).toContainText('Number 2 of 2 who fly the F-16C Viper, the most owed first.');
  await peers.getByRole('link').click();
  await expect(panel(page, 'Seats compared with peers')).toContainText('Number 1 of 2');
});

for (const width of [1440, 360]) {
  test(`pictures fit at ${width} px in both schemes, without faults`, async ({ browser }) => {
    for (const [who, path, name] of [
      [admin, '/admin', 'Seats filled at the start'],
      [admin, `/admin/users/${pilot.id}/availability?tab=standing`, 'Seats compared with peers'],
      [pilot, '/profile/record', 'Reliability'],
    ] as const) {
      const page = await openAs(browser, service, who, { viewport: { width, height: 900 } });
      await page.goto(path);
      await expect(panel(page, name)).toBeVisible();
      await expect(page.getByText(/^Loading /)).toHaveCount(0);
      expect(await findInSchemes(page)).toEqual([]);
      expect(await overflowOf(page), path).toBeLessThanOrEqual(0);
    }
  });
}

// Last in this file: it moves the missions.
test('one or two weeks with missions are figures without a chart, at the height of the chart', async ({ browser }) => {
  const [missed] = await query<{ id: string }>(
    service.app.orm.em.fork(),
    sql`select id from mission where name = 'Op Missed'`,
  );
  const moveMissed = (days: number) => moveToPast(days, missed?.id ?? '');
  for (const options of [{ viewport: { width: 1440, height: 900 } }, { viewport: { width: 390, height: 844 } }]) {
    await moveMissed(9);
    const page = await openBoard(browser, options);
    const fill = panel(page, 'Seats filled at the start');
    const height = async () => (await fill.boundingBox())?.height;
    await expect(fill.getByRole('img')).toBeVisible();
    const drawn = await height();

    await moveMissed(110);
    await page.reload();
    await expect(fill.getByRole('listitem')).toHaveText([
      /^\w+, \w+ \d+ to \w+, \w+ \d+: 1 of 4 seats \(25 %\)$/,
      /: 1 of 4 seats \(25 %\)$/,
    ]);
    await expect(fill).toContainText('A chart appears here after 3 weeks with missions.');
    await expect(fill.getByRole('img')).toHaveCount(0);
    expect(await height()).toBe(drawn);
    expect(await findInSchemes(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.context().close();
  }
});
