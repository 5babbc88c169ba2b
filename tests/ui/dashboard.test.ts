/** /admin, the operations board, against a real server with 300 pilots whose weeks are known by a formula. */
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test';
import { givenWeeks } from '#tests/harness/crowd-weeks.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { meterOf } from '#tests/harness/scripting.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import {
  clock,
  CROWD,
  crowdAt,
  dateOf,
  dayChart,
  heatCells,
  interactionsOf,
  inZone,
  missionsOf,
  named,
  panel,
  SCRIPTING_MS,
  tile,
  today,
  ZONE,
} from './board.ts';
import { closePagesAfterEach, cutOff, cutOffLive, hearComplaints, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;
/** local date of the mission, and its start */
let flown: { date: string; start: string; end: string };

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Ops', timeZone: ZONE });
  const pilot = await givenPerson(service, { displayName: 'Maverick' });
  await givenAlwaysFree(service, pilot.id);
  const start = hoursFromNow(50);
  const end = hoursFromNow(52);
  await givenMission(service, admin, {
    name: 'Op Iron Hound',
    startLocal: start,
    endLocal: end,
    notes: 'Lights out after the push.',
    aircraftSlots: [
      { aircraftId: 2, slotCount: 5, side: 0, notes: 'CAP' },
      { aircraftId: 3, slotCount: 1, side: 1, notes: 'CAS' },
    ],
  });
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'Accepted' });
  flown = { date: dateOf(`${start}:00Z`), start: `${start}:00Z`, end: `${end}:00Z` };
  await givenWeeks(service, await givenCrowd(service, CROWD));
});
test.afterAll(() => service.stop());
closePagesAfterEach();

async function openBoard(browser: Browser, search = '', options = {}): Promise<Page> {
  const page = await openAs(browser, service, admin, options);
  await page.goto(`/admin${search}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Operations board');
  return page;
}

test('a day is picked by its tile or the address; its counts, missions, packages, flights and seats are the server’s', async ({
  browser,
}) => {
  const page = await openBoard(browser);
  const complaints = hearComplaints(page);
  const week = (
    await admin.client.call('GET', `/admin/dashboard/weekly-summary?startDate=${today().toString()}&tz=${ZONE}`)
  ).body;
  for (const [index, day] of week.dailySummaries.entries()) {
    const date = today().add({ days: index });
    await expect(tile(page, date)).toContainText(
      new RegExp(
        `${day.missions} missions? ${day.flights} flights? ${day.pilotsAssigned} assigned ${day.awaitingSlots} awaiting`,
      ),
    );
    await expect(tile(page, date)).toHaveAttribute('aria-pressed', String(index === 0));
  }
  await expect(tile(page, today())).toContainText('today');

  const date = Temporal.PlainDate.from(flown.date);
  await tile(page, date).click();
  await expect(page).toHaveURL(`${service.url}/admin?day=${flown.date}`);
  await expect(tile(page, date)).toHaveAttribute('aria-pressed', 'true');
  const { missions }: { missions: MissionDto[] } = (
    await admin.client.call('GET', `/admin/missions/by-date?date=${flown.date}&tz=${ZONE}`)
  ).body;
  const [mission] = missions;
  const card = missionsOf(page, date).getByRole('article', { name: 'Op Iron Hound' });
  const span = (zone: string): string => `${clock(flown.start, zone)}–${clock(flown.end, zone)}`;
  for (const text of ['Syria', 'scheduled', 'Lights out after the push.', `${span('UTC')}Z`]) {
    await expect(card).toContainText(text);
  }
  expect(mission?.packages.length).toBeGreaterThan(0);
  for (const pack of mission?.packages ?? []) {
    const section = card.getByRole('region', { name: `Package ${pack.callsign}` });
    await expect(section).toContainText(pack.objective);
    for (const iso of [pack.launchUtc, pack.totUtc]) {
      if (iso !== null) await expect(section).toContainText(`${clock(iso, 'UTC')}Z ${clock(iso, ZONE)}L`);
    }
    for (const flight of pack.flights) {
      const row = section.getByRole('row').filter({ hasText: flight.callsign });
      const taken = flight.assignments.length;
      for (const text of [
        flight.aircraftName,
        flight.side === 0 ? 'Blue' : 'Red',
        ...[flight.launchUtc ?? '', flight.totUtc ?? ''].map((iso) => `${clock(iso, 'UTC')}Z ${clock(iso, ZONE)}L`),
        ...(flight.radioFreq === null ? [] : [flight.radioFreq]),
        `${'▮'.repeat(taken)}${'▯'.repeat(flight.sizeCap - taken)} ${taken}/${flight.sizeCap}`,
      ]) {
        await expect(row).toContainText(text);
      }
      const counts = [flight.acceptedCount, flight.pendingCount, flight.openSlots].map(String);
      for (const [index, count] of counts.entries())
        await expect(row.getByRole('cell').nth(6 + index)).toHaveText(count);
    }
  }
  const launches = panel(page, 'Upcoming launches').getByRole('row');
  await expect(launches.getByRole('columnheader')).toHaveText(['Launch time', 'Flights', 'Total seats']);
  for (const [index, launch] of week.upcomingLaunches.entries()) {
    await expect(launches.nth(index + 1)).toContainText(`${clock(launch.time, 'UTC')}Z ${clock(launch.time, ZONE)}L`);
    await expect(launches.nth(index + 1).getByRole('cell')).toHaveText([String(launch.flights), String(launch.seats)]);
  }

  await page.goBack();
  await expect(tile(page, today())).toHaveAttribute('aria-pressed', 'true');
  await page.goForward();
  const toDay = card.getByRole('link', { name: 'Op Iron Hound' });
  await expect(toDay).toHaveAttribute('href', `/admin/missions/${flown.date}`);
  for (const [name, path] of [
    ['Create Mission', '/admin/missions'],
    ['Manage Users', '/admin/users'],
    ['Discord Guilds', '/admin/discord/guilds'],
  ] as const) {
    await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toHaveAttribute('href', path);
  }
  expect(complaints).toEqual([]);
});

test('a recommended time names its pilots and fills the form; invalid values in the address are ignored', async ({
  browser,
}) => {
  const date = today().add({ days: 4 });
  const page = await openBoard(browser, '?day=yesterday&online=pie&heat=3&aircraft=-4&minutes=181&seats=all');
  await expect(tile(page, today())).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(panel(page, 'Availability heat').getByLabel('Aircraft')).toHaveValue('0');
  await tile(page, date).click();

  const { recommendations, totalAvailableUsers } = (
    await admin.client.call(
      'GET',
      `/admin/missions/recommended-time?date=${date.toString()}&tz=${ZONE}&minDuration=180&limit=3`,
    )
  ).body;
  const times = panel(page, 'Recommended times');
  await expect(times).toContainText(`${totalAvailableUsers} pilots available that day`);
  expect(recommendations.length).toBeGreaterThan(0);
  await expect(times.getByLabel('Length')).toHaveValue('180');
  // The times shown are as long as asked for, also when the pilots are free for longer.
  const endOf = (startUtc: string): string => Temporal.Instant.from(startUtc).add({ hours: 3 }).toString();
  for (const { rank, startUtc, participantCount, reason } of recommendations) {
    const endUtc = endOf(startUtc);
    const card = times.getByRole('listitem').filter({ has: page.getByText(`#${rank}`, { exact: true }) });
    for (const text of [
      `${clock(startUtc, 'UTC')}–${clock(endUtc, 'UTC')}Z`,
      participantCount === 1 ? '1 pilot' : `${participantCount} pilots`,
      reason,
    ]) {
      await expect(card).toContainText(text);
    }
    await expect(card).toContainText(new RegExp(`${clock(startUtc, ZONE)}(\\+1)?–${clock(endUtc, ZONE)}L`));
  }
  const [best] = recommendations;
  const first = times.getByRole('listitem').filter({ has: page.getByText('#1', { exact: true }) });
  await expect(first.getByRole('link')).toHaveCount(4); // three pilots, and the form
  const more = first.getByRole('button', { name: `${best.participantCount - 3} more pilots` });
  await expect(more).toHaveText(`+${best.participantCount - 3}`);
  await more.click();
  await expect(first.getByRole('link')).toHaveCount(best.availableUserIds.length + 1);
  const [name, id] = [best.availableUserNames.at(-1), best.availableUserIds.at(-1)];
  await first.getByRole('link', { name, exact: true }).click();
  await page.waitForURL(`**/admin/users/${id}/availability`);
  await page.goBack();

  await times.getByRole('link', { name: 'Use this time, number 1' }).click();
  await expect(page.getByLabel('Start date')).toHaveValue(dateOf(best.startUtc));
  await expect(page.getByLabel('Start time')).toHaveValue(inZone(best.startUtc).toPlainTime().toString().slice(0, 5));
  await expect(page.getByLabel('End time')).toHaveValue(
    inZone(endOf(best.startUtc)).toPlainTime().toString().slice(0, 5),
  );
});

test('the heat counts the pilots of each hour, by aircraft, and leads to a mission at that hour by keyboard', async ({
  browser,
}) => {
  const page = await openBoard(browser);
  for (const aircraft of [0, 3]) {
    await panel(page, 'Availability heat').getByLabel('Aircraft').selectOption(String(aircraft));
    await expect(page).toHaveURL(aircraft === 0 ? /\/admin$/ : /aircraft=3/);
    const isFlown = (start: string): boolean =>
      Date.parse(start) < Date.parse(flown.end) && Date.parse(start) + 3_600_000 > Date.parse(flown.start);
    const expectedName = (start: string): string => {
      const end = Temporal.Instant.from(start).add({ hours: 1 }).toString();
      const count = crowdAt(start, aircraft);
      const date = inZone(start).toPlainDate();
      // each time on another date than the local one has its mark
      const spans = ['UTC', ZONE].map((zone) => {
        const [from, to] = [start, end].map((instant) =>
          date.until(Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate()).total('days'),
        );
        const mark = (days = 0): string => ['−1', '', '+1'][days + 1] ?? '?';
        return `${clock(start, zone)}${from === to ? '' : mark(from)}–${clock(end, zone)}${zone === 'UTC' ? 'Z' : 'L'}${mark(to)}`;
      });
      return `${named(date)}, ${spans.join(' ')}: ${count} pilot${count === 1 ? '' : 's'}`;
    };
    // the address changes before the grid begins to be read again
    await expect(async () => {
      await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
      const cells = await heatCells(page).evaluateAll((all) =>
        all.map((cell) => ({
          start: cell.getAttribute('data-start') ?? '',
          name: cell.getAttribute('aria-label') ?? '',
        })),
      );
      const free = cells.filter(({ start }) => !isFlown(start));
      expect(free.length).toBeGreaterThan(160);
      expect(free.map(({ name }) => name)).toEqual(free.map(({ start }) => expectedName(start)));
    }).toPass({ timeout: 10_000 });
  }

  // hours that have begun lead nowhere; the Tab key stops at the first that leads somewhere, arrows go on from there
  const stop = page.getByRole('grid').locator('[tabindex="0"]');
  await expect(stop).toHaveCount(1);
  const now = Temporal.Now.instant();
  const first = (await stop.getAttribute('data-start')) ?? '';
  expect(now.until(first).total('minutes')).toBeGreaterThan(-2);
  expect(now.until(first).total('minutes')).toBeLessThanOrEqual(61);
  const begun = heatCells(page).and(page.locator('[aria-disabled="true"]'));
  expect(await begun.count()).toBe(
    (await heatCells(page).count()) - (await page.getByRole('grid').locator('a').count()),
  );
  await stop.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const target = page.locator(':focus');
  const start = (await target.getAttribute('data-start')) ?? '';
  expect(inZone(start).toPlainDate().toString()).toBe(
    dateOf(Temporal.Instant.from(first).add({ hours: 48 }).toString()),
  );
  expect(inZone(start).hour).toBe(22);
  await expect(stop).toHaveAttribute('data-start', start);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Start date')).toHaveValue(dateOf(start));
  await expect(page.getByLabel('Start time')).toHaveValue('22:00');
  await page.goBack();
  await expect(page).toHaveURL(/aircraft=3/);

  const heat = panel(page, 'Availability heat');
  await heat.getByText('Table', { exact: true }).click();
  await expect(page).toHaveURL(/heat=table/);
  await expect(heat.getByRole('row').nth(23).getByRole('cell').first()).toHaveText(
    String(crowdAt(today().toZonedDateTime({ timeZone: ZONE, plainTime: '22:00' }).toInstant().toString(), 3)),
  );
});

test('expected pilots as steps or in numbers, the view in the address, and the peak in words', async ({ browser }) => {
  const page = await openBoard(browser);
  const online = panel(page, 'Expected online');
  await expect(online.getByRole('img', { name: /: at most \d+ pilots/ })).toBeVisible();
  await expect(dayChart(page).locator('path')).toHaveCount(3);
  await online.getByText('Table', { exact: true }).click();
  await expect(page).toHaveURL(/online=table/);
  await page.reload();
  const bucket = 1_800_000;
  const from = new Date(Math.floor(Date.now() / bucket) * bucket);
  const query = `from=${from.toISOString()}&to=${new Date(from.getTime() + 7 * 86_400_000).toISOString()}`;
  const { points } = (await admin.client.call('GET', `/admin/dashboard/series/expected-online?${query}`)).body;
  const most = Math.max(...points.map(({ expected }: { expected: number }) => expected));
  const peak = points.find(({ expected }: { expected: number }) => expected === most).startUtc;
  await expect(online).toContainText(
    `Peak: ${most} pilots, ${named(inZone(peak).toPlainDate())} ${clock(peak, 'UTC')}Z ${clock(peak, ZONE)}L`,
  );
  const rows = online.getByRole('table').getByRole('row');
  const { expected, partial, committed } = points[0];
  await expect(rows.nth(1).getByRole('cell')).toContainText([
    `${clock(points[0].startUtc, 'UTC')}–`,
    String(expected),
    String(partial),
    String(committed),
  ]);
  await online.getByText('Chart', { exact: true }).click();
  await expect(page).not.toHaveURL(/online=/);
  await expect(dayChart(page).locator('path')).toHaveCount(3);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('loading, failed and empty lists use the words of the specification, and Retry loads them again', async ({
  browser,
}) => {
  // where the board has columns: in a single one, panels wait for those above them
  const page = await openAs(browser, service, admin, { viewport: { width: 1440, height: 900 } });
  const release = await holdBack(page, 'admin.');
  await page.goto('/admin');
  for (const sentence of ['dashboard', 'missions', 'recommendations', 'expected pilots', 'availability']) {
    await expect(page.getByText(`Loading ${sentence}...`).first()).toBeVisible();
  }
  release();
  await expect(tile(page, today())).toBeVisible();
  const empty = today().add({ days: 6 });
  await tile(page, empty).click();
  await expect(missionsOf(page, empty)).toContainText(`No missions on ${named(empty)}`);
  await missionsOf(page, empty)
    .getByRole('link', { name: `Plan a mission on ${named(empty)}` })
    .click();
  await expect(page.getByLabel('Start date')).toHaveValue(empty.toString());

  await cutOffLive(page);
  const mend = await cutOff(page, 'admin.');
  await page.goto('/admin');
  const sentences = [
    ['Next 7 Days', 'Error loading dashboard: Unknown error occurred'],
    ['Upcoming launches', 'Error loading dashboard: Unknown error occurred'],
    [`Missions ${named(today())}`, 'Error loading missions: Unknown error occurred'],
    ['Recommended times', 'Error loading recommendations: Unknown error occurred'],
    ['Expected online', 'Error loading expected pilots: Unknown error occurred'],
    ['Availability heat', 'Error loading availability: Unknown error occurred'],
  ] as const;
  for (const [name, sentence] of sentences) await expect(panel(page, name).getByRole('alert')).toContainText(sentence);
  await mend();
  // The days and the launches share one query, so a Retry in one reloads both.
  for (const [name] of sentences.filter(([each]) => each !== 'Upcoming launches')) {
    await panel(page, name).getByRole('button', { name: 'Retry' }).click();
    await expect(panel(page, name).getByRole('alert')).toHaveCount(0);
  }
  await expect(panel(page, 'Upcoming launches').getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('grid')).toBeVisible();
});

test('a mission created elsewhere appears without a reload', async ({ browser }) => {
  const day = today().add({ days: 5 });
  const page = await openBoard(browser, `?day=${day.toString()}`);
  await expect(missionsOf(page, day)).toContainText('No missions on');
  await givenMission(service, admin, {
    name: 'Op Late Call',
    startLocal: `${day.toString()}T20:00`,
    endLocal: `${day.toString()}T22:00`,
    timeZone: ZONE,
  });
  await expect(missionsOf(page, day).getByRole('article', { name: 'Op Late Call' })).toBeVisible({ timeout: 5_000 });
  await expect(tile(page, day)).toContainText('1 mission ');
});

test('on a phone the heat map shows one day at a time; without colours the picked day and the steps still differ', async ({
  browser,
}) => {
  const page = await openBoard(browser, '', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    forcedColors: 'active',
  });
  await expect(page.getByRole('grid').locator('[data-start]:visible')).toHaveCount(
    Math.round(today().toZonedDateTime(ZONE).hoursInDay),
  );
  const shortest = await heatCells(page)
    .filter({ visible: true })
    .evaluateAll((all) => Math.min(...all.flatMap((cell) => [cell.clientHeight, cell.clientWidth])));
  expect(shortest).toBeGreaterThanOrEqual(40);
  const outline = (locator: Locator): Promise<string> =>
    locator.evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(await outline(tile(page, today()))).toBe('solid');
  expect(await outline(tile(page, today().add({ days: 1 })))).toBe('none');
});

test('with 300 pilots an interaction costs little scripting', async ({ browser }) => {
  const page = await openBoard(browser);
  await expect(dayChart(page)).toBeVisible();
  const measure = await meterOf(page);
  for (const [name, act] of Object.entries(interactionsOf(page))) {
    const { script } = await measure(() => act(1));
    expect(script, name).toBeLessThan(SCRIPTING_MS);
  }
});
