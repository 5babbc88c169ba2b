/** /home against a real server: stoplight, statistics, the next days, loading and failures, zones and widths. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenOrder, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(() => retirePilots(service));

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, mission: string) => page.getByRole('article', { name: mission });

async function openHome(browser: Browser, pilot: Person, options = {}): Promise<Page> {
  const page = await openAs(browser, service, pilot, options);
  await page.goto('/home');
  return page;
}

test('the header greets by call sign, and links to the Admin Console for admins only', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Maverick' });
  const home = await openHome(browser, pilot);
  await expect(home.getByRole('heading', { level: 1 })).toHaveText('Welcome, Maverick');
  await expect(home).toHaveTitle(/^Home/);
  await expect(home.getByRole('link', { name: 'Admin Console' })).toHaveCount(0);
  await expect(home.getByText('No orders need an answer.')).toBeVisible();
  await home.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await home.waitForURL('**/login');

  const ops = await openHome(browser, admin);
  await ops.getByRole('link', { name: 'Admin Console' }).click();
  await ops.waitForURL('**/admin');
});

test('a pilot without an aircraft list is asked for one, which settles it on every open page', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Merlin' });
  const [page, other] = [await openHome(browser, pilot), await openHome(browser, pilot)];
  const nudge = (on: Page) => region(on, 'Which aircraft do you fly?');
  await expect(nudge(other)).toBeVisible();
  await nudge(page).getByRole('link', { name: 'List your aircraft' }).click();
  await page.waitForURL('**/profile/aircraft#aircraft');
  const panel = region(page, 'Aircraft I fly');
  await expect(panel).toContainText('Without a list you can be offered any aircraft');
  const chip = panel.getByRole('button', { name: 'F-16C Viper', exact: true });
  await expect(chip).toHaveAttribute('aria-pressed', 'false');
  await chip.click();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await panel.getByLabel('Level in F-16C Viper').selectOption('proficient');
  await panel.getByRole('button', { name: 'Save Aircraft' }).click();
  await expect(panel.getByText('Aircraft saved')).toBeVisible();
  await expect(nudge(other)).toHaveCount(0);
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(region(page, 'Inbox')).toBeVisible();
  await expect(nudge(page)).toHaveCount(0);
});

test('without a call sign the header shows the email', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const register = await page.request.post('/api/v1/auth/register', {
    data: {
      email: 'nameless@example.org',
      password: 'correct horse battery',
      confirmPassword: 'correct horse battery',
    },
    headers: { origin: service.url },
  });
  expect(register.status()).toBe(201);
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, nameless@example.org');
});

test('the stoplight sends minutes with Find Flight, counts down, and moves by arrow keys', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openHome(browser, pilot);
  const status = region(page, 'Your Status');
  const lamp = (name: string) => status.getByRole('radio', { name, exact: true });
  const read = async () => (await pilot.client.call('GET', `/users/${pilot.id}/status`)).body;

  await expect(lamp('Idle')).toBeChecked();
  await lamp('Find Flight').click();
  await expect(lamp('Find Flight')).toBeChecked();
  await expect(status).toContainText('60 min left');
  await expect.poll(read).toMatchObject({ state: 'now', minutes: 60 });

  await status.getByText('30 min', { exact: true }).click();
  await expect(status).toContainText('30 min left');
  await expect.poll(read).toMatchObject({ state: 'now', minutes: 30 });

  await status.getByRole('button', { name: '15 minutes more' }).click();
  await expect(status).toContainText('45 min left');
  await expect.poll(read).toMatchObject({ state: 'now', minutes: 45 });
  for (const minutes of [30, 15]) {
    await status.getByRole('button', { name: '15 minutes less' }).click();
    await expect(status).toContainText(`${minutes} min left`);
  }
  // 15 minutes are the least that a pilot can look for a flight.
  await expect(status.getByRole('button', { name: '15 minutes less' })).toHaveAttribute('aria-disabled', 'true');

  await lamp('Find Flight').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(lamp('Do Not Disturb')).toBeChecked();
  await expect(lamp('Do Not Disturb')).toBeFocused();
  await expect.poll(read).toMatchObject({ state: 'dnd', minutes: null });
});

test('the lamp follows the status on the server within ten seconds', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openHome(browser, pilot);
  const lamp = page.getByRole('radio', { name: 'Do Not Disturb' });
  await expect(page.getByRole('radio', { name: 'Idle' })).toBeChecked();
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  await expect(lamp).toBeChecked({ timeout: 12_000 });
});

test('a status that the server refuses is reverted, with the reason', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openHome(browser, pilot);
  await expect(page.getByRole('radio', { name: 'Idle' })).toBeChecked();
  const mend = await cutOff(page, 'pilot.setStatus');
  await page.getByRole('radio', { name: 'Do Not Disturb' }).click();
  await expect(page.getByText('Failed to set status')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Idle' })).toBeChecked();
  await mend();
});

test('the next days: three of seven in the zone of the pilot, a note about the rest, and the way to edit', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { timeZone: 'Asia/Tokyo' });
  await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, {
    name: 'Default Weekly Availability',
    isActive: true,
    slots: Array.from({ length: 7 }, (_day, weekday) => ({
      weekday,
      startLocal: '18:00',
      endLocal: '22:00',
      aircraftCodeId: 2,
      notes: null,
    })),
  });
  const page = await openHome(browser, pilot);
  const week = region(page, 'Next 7 Days');
  const today = Temporal.Now.plainDateISO('Asia/Tokyo');
  for (const days of [0, 1, 2]) {
    const name = today.add({ days }).toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
    await expect(week).toContainText(name);
  }
  // Tokyo is nine hours ahead all year.
  await expect(week.getByText('1800–2200L')).toHaveCount(3);
  await expect(week.getByText('0900–1300Z')).toHaveCount(3);
  await expect(week.getByText('F-16C Viper')).toHaveCount(3);
  await expect(week).toContainText('+4 more days');
  await week.getByRole('link', { name: 'Edit Availability' }).click();
  await page.waitForURL('**/availability');
});

test('every card that fails to load says so, and Retry loads it', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  const mend = await cutOff(page, 'pilot.', 'availability.');
  await page.goto('/home');
  const failures: [string, string][] = [
    // first, because it is polled every ten seconds, the others every thirty
    ['Your Status', 'Failed to load status'],
    ['Inbox', 'Failed to load frag orders'],
    ['Server Statistics', 'Failed to load stats'],
    ['Next 7 Days', 'Failed to load availability'],
  ];
  for (const [name, sentence] of failures) {
    await expect(region(page, name).getByRole('alert').getByText(sentence, { exact: true })).toBeVisible();
  }
  await mend();
  for (const [name] of failures) {
    await region(page, name).getByRole('button', { name: 'Retry' }).click();
    await expect(region(page, name).getByRole('alert')).toHaveCount(0);
  }
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  const { totalUsers } = (await pilot.client.call('GET', '/stats')).body;
  await expect(region(page, 'Server Statistics')).toContainText(String(totalUsers));
});

test('accepted missions that fail to load show an error while the inbox works, and Retry loads them', async ({
  browser,
}) => {
  const pilot = await givenOrder(service, admin, 'Op Torn Page');
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'Accepted' });
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  const isAsked = (url: URL): boolean => url.pathname.includes('pilot.accepted');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // One answer of the batch arrives torn, and so does the second try, which is held back.
  await page.route(isAsked, async (route) => {
    const names = new URL(route.request().url()).pathname.replace(/^.*\//, '').split(',');
    if (names.length === 1) await released;
    const response = await route.fetch();
    const answers: unknown[] = await response.json();
    await route.fulfill({
      response,
      json: answers.map((one, index) => (names[index] === 'pilot.accepted' ? {} : one)),
    });
  });
  await page.goto('/home');
  const accepted = region(page, 'Accepted Missions');
  await expect(accepted).toContainText('Loading accepted missions...');
  release();
  await expect(
    accepted.getByRole('alert').getByText('Failed to load accepted missions', { exact: true }),
  ).toBeVisible();
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  await page.unroute(isAsked);
  await accepted.getByRole('button', { name: 'Retry' }).click();
  await expect(card(page, 'Op Torn Page')).toBeVisible();
});

test('every card says what it is loading, in the words of the specification', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  const release = await holdBack(page, 'pilot.inbox');
  await page.goto('/home');
  for (const [name, sentence] of [
    ['Inbox', 'Loading frag orders...'],
    ['Your Status', 'Loading status...'],
    ['Server Statistics', 'Loading stats...'],
    ['Next 7 Days', 'Loading availability...'],
  ] as const) {
    await expect(region(page, name)).toContainText(sentence);
  }
  release();
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
});

/** Profile zones, each with a browser in another one. */
const ZONES = [
  { profile: 'Asia/Kathmandu', browserZone: 'America/St_Johns' },
  { profile: 'America/St_Johns', browserZone: 'America/Los_Angeles' },
  { profile: 'America/Los_Angeles', browserZone: 'Australia/Sydney' },
  { profile: 'Australia/Sydney', browserZone: 'Asia/Kathmandu' },
] as const;

test('the same missions in four profile zones and four browser zones: one Zulu time, the local time of the profile, the other date marked', async ({
  browser,
}) => {
  const pilots: Person[] = [];
  for (const { profile } of ZONES) {
    const pilot = await givenPerson(service);
    const { displayName } = pilot;
    await pilot.client.call('PUT', `/users/${pilot.id}`, { displayName, timeZone: profile });
    await givenAlwaysFree(service, pilot.id);
    pilots.push(pilot);
  }
  // An evening and an early morning in Zulu: east of it the one is tomorrow, west of it the other is yesterday.
  const day = Temporal.Now.plainDateISO('UTC').add({ days: 3 });
  const names = { evening: 'Op Date Line East', morning: 'Op Date Line West' };
  for (const [name, start] of [
    [names.evening, '19:30'],
    [names.morning, '01:30'],
  ] as const) {
    const { issued } = await givenMission(service, admin, {
      name,
      startLocal: `${day.toString()}T${start}`,
      endLocal: `${day.toString()}T${start.replace(/^../, (hour) => String(Number(hour) + 3).padStart(2, '0'))}`,
      aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'Strike' }],
    });
    expect(issued.orders).toBe(4);
  }

  const marks: string[] = [];
  for (const [index, { profile, browserZone }] of ZONES.entries()) {
    const pilot = pilots[index];
    if (!pilot) throw new Error(`no pilot in ${profile}`);
    const page = await openHome(browser, pilot, { timezoneId: browserZone });
    for (const [name, zulu] of [
      [names.evening, '2005Z'],
      [names.morning, '0205Z'],
    ] as const) {
      const launch = day.toZonedDateTime({ timeZone: 'UTC', plainTime: `${zulu.slice(0, 2)}:${zulu.slice(2, 4)}` });
      const local = launch.withTimeZone(profile);
      // beside the Zulu time, and the mark counts from it
      const date = launch.toPlainDate().toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
      const wall = local.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
      const mark = { '-1': '−1', '0': '', '1': '+1' }[String(Temporal.PlainDate.compare(local, launch))];
      await expect(card(page, name).getByRole('time')).toHaveText(`${date} ${zulu} ${wall}L${mark}`);
      marks.push(`${profile} ${mark}`);
    }
    await page.context().close();
  }
  expect(marks).toEqual([
    'Asia/Kathmandu +1',
    'Asia/Kathmandu ',
    'America/St_Johns ',
    'America/St_Johns −1',
    'America/Los_Angeles ',
    'America/Los_Angeles −1',
    'Australia/Sydney +1',
    'Australia/Sydney ',
  ]);
});

for (const width of [360, 320]) {
  test(`at ${width} px nothing scrolls sideways and answers and lamps are 44 px high`, async ({ browser }) => {
    const name = `Operation With A Rather Long Name ${width}`;
    const pilot = await givenOrder(service, admin, name);
    const page = await openHome(browser, pilot, { viewport: { width, height: 740 }, hasTouch: true, isMobile: true });
    await expect(card(page, name)).toBeVisible();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    for (const target of [
      ...(await card(page, name).getByRole('group').getByRole('button').all()),
      ...(await page.getByRole('radiogroup').getByRole('radio').all()),
    ]) {
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
  });
}

test('on a phone pending orders come first, then the status in one row, and Logout is in the menu too', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, { name: 'Op Small Screen' });
  const page = await openHome(browser, pilot, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await expect(card(page, 'Op Small Screen')).toBeVisible();
  const top = async (name: string): Promise<number> => (await region(page, name).boundingBox())?.y ?? Number.NaN;
  await expect(region(page, 'Your Status')).toBeVisible();
  expect(await top('Inbox')).toBeLessThan(await top('Your Status'));
  expect(await top('Your Status')).toBeLessThan(await top('Server Statistics'));
  // beside the paddings, the height of one lamp
  expect((await region(page, 'Your Status').boundingBox())?.height).toBeLessThan(72);
  await page.getByRole('radio', { name: 'Find Flight' }).tap();
  await expect(region(page, 'Your Status')).toContainText('min left');

  await page.getByRole('button', { name: 'More', exact: true }).tap();
  await page.getByRole('navigation', { name: 'Account' }).locator('..').getByRole('button', { name: 'Logout' }).tap();
  await page.waitForURL('**/login');
});
