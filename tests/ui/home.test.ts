/** /home against a real server: inbox, accepted missions, stoplight, statistics, the next days. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type MissionRequest,
  type Person,
} from '#tests/given.ts';
import { startService, type Service } from '#tests/service.ts';
import { cutOff, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, mission: string) => page.getByRole('article', { name: mission });

/** A pilot who alone can fly the aircraft of one new mission, with the order in the inbox. */
async function givenOrder(
  name: string,
  request: MissionRequest = {},
  person: Parameters<typeof givenPerson>[1] = {},
): Promise<Person> {
  const pilot = await givenPerson(service, person);
  await givenAlwaysFree(service, pilot.id);
  const { issued } = await givenMission(service, admin, { name, ...request });
  expect(issued.orders).toBe(1);
  return pilot;
}

/** Nobody else's mission finds this pilot any more. */
async function retire(pilot: Person): Promise<void> {
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  const [template] = (await pilot.client.call('GET', `/users/${pilot.id}/availability/templates`)).body;
  await pilot.client.call('PUT', `/users/${pilot.id}/availability/templates/${template.id}`, {
    ...template,
    slots: [],
  });
}

async function openHome(browser: Browser, pilot: Person, options = {}): Promise<Page> {
  const page = await openAs(browser, service, pilot, options);
  await page.goto('/home');
  return page;
}

test('the header welcomes by call sign, and leads admins alone to the Admin Console', async ({ browser }) => {
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

test('without a call sign the email is the name', async ({ browser }) => {
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

test('an order shows what it asks and why, and accepting it shows the real radio, package and level', async ({
  browser,
}) => {
  const pilot = await givenOrder('Op Iron Hound', {}, { timeZone: 'Europe/Berlin' });
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  const page = await openHome(browser, pilot);

  await expect(page.getByText('1 order needs an answer.')).toBeVisible();
  await expect(page).toHaveTitle('(1) Home · Marshal');
  await expect(
    page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Home' }),
  ).toHaveText('Home1 pending');
  await expect(region(page, 'Accepted Missions')).toHaveCount(0);
  const inbox = region(page, 'Inbox');
  await expect(inbox).toContainText('1 pending');
  const label = `FRAG-${String(order.seq).padStart(3, '0')}`;
  for (const text of [label, order.flightCallsign, order.aircraftName, 'Blue', order.title, ...order.reasons]) {
    await expect(card(page, 'Op Iron Hound')).toContainText(text);
  }
  const launch = Temporal.Instant.from(order.launchUtc);
  const wall = (zone: string) =>
    launch.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
  await expect(card(page, 'Op Iron Hound').getByRole('time')).toContainText(
    `${wall('UTC')}Z ${wall('Europe/Berlin')}L`,
  );
  // 30 h away: the order holds for a quarter of it
  await expect(inbox).toContainText('expires in 7 h');

  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(page.getByText('RSVP sent: Accepted')).toBeVisible();
  await expect(inbox).toContainText('No orders waiting');

  const [accepted] = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body;
  const tile = card(region(page, 'Accepted Missions') as unknown as Page, 'Op Iron Hound');
  for (const text of [
    label,
    accepted.radioFreq,
    accepted.package.callsign,
    accepted.package.objective,
    accepted.level,
    ...accepted.package.composition.map(
      (flight: { seats: number; aircraftName: string }) => `${flight.seats} × ${flight.aircraftName}`,
    ),
  ]) {
    await expect(tile).toContainText(text);
  }
  await expect(page.getByText(/Next launch in 1 d/)).toBeVisible();
  await expect(page).toHaveTitle('Home · Marshal');
  await expect(region(page, 'On standby')).toHaveCount(0);

  const files = tile.getByRole('group', { name: `Take ${label} along` });
  for (const [name, file] of [
    ['Kneeboard Day', 'kneeboard.png?scheme=day'],
    ['Kneeboard Night', 'kneeboard.png?scheme=night'],
    ['Calendar .ics', 'calendar.ics'],
  ] as const) {
    const link = files.getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('href', `/api/v1/pilot/inbox/${order.id}/${file}`);
    await expect(link).toHaveAttribute('download');
  }
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await files.getByRole('button', { name: 'Print' }).click();
  const sheet = page.getByRole('region', { name: `Kneeboard card of ${label}`, includeHidden: true });
  await expect(sheet).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  for (const text of [label, 'Op Iron Hound', accepted.radioFreq, `${wall('UTC')}Z`, `${wall('Europe/Berlin')}L`]) {
    await expect(sheet).toContainText(text);
  }
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(sheet).toHaveCount(0);
  await retire(pilot);
});

test('an answer shows before the server has answered, and a refusal brings the order back with its sentence', async ({
  browser,
}) => {
  const pilot = await givenOrder('Op Late Answer');
  const page = await openHome(browser, pilot);
  const release = await holdBack(page, 'pilot.rsvp');
  const order = card(page, 'Op Late Answer');
  const delay = await order.evaluate(
    (article) =>
      new Promise<number>((resolve) => {
        const pressedAt = performance.now();
        new MutationObserver(() => resolve(performance.now() - pressedAt)).observe(article, {
          attributeFilter: ['data-answer'],
        });
        article.querySelector<HTMLElement>('[role=group] button')?.click();
      }),
  );
  expect(delay).toBeLessThan(100);
  await expect(order).toContainText('accepted', { timeout: 1000 });
  await expect(region(page, 'Inbox')).not.toContainText('pending');
  // Meanwhile the pilot is suspended: pilot calls answer 403.
  await admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/user`);
  release();
  await expect(page.getByText('Your account is suspended. Please ask an admin.').first()).toBeVisible();
  await expect(order.getByRole('button', { name: 'Accept', exact: true })).toBeEnabled();
  await expect(order).not.toContainText('accepted');
});

for (const { answer, toast, key } of [
  { answer: 'Standby', toast: 'RSVP sent: Standby', key: 's' },
  { answer: 'Decline', toast: 'RSVP sent: Declined', key: 'd' },
]) {
  test(`${answer} by its key on the focused order can be undone from the toast, by keyboard`, async ({ browser }) => {
    const name = `Op Undo ${answer}`;
    const pilot = await givenOrder(name);
    const page = await openHome(browser, pilot);
    await expect(card(page, name)).toBeVisible();
    // Without the focus in an order the key does nothing.
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press(key);
    await expect(card(page, name).getByRole('button', { name: answer })).toBeEnabled();

    await card(page, name).getByRole('button', { name: 'Accept', exact: true }).focus();
    await page.keyboard.press(key);
    const notifications = page.getByRole('region', { name: 'Notifications' });
    await expect(notifications).toContainText(toast);
    await expect(notifications).toHaveAttribute('aria-live', 'polite');
    await expect(region(page, 'Inbox')).toContainText('No orders waiting');
    await notifications.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await expect(notifications).toContainText('RSVP sent: Accepted');
    await expect(card(region(page, 'Accepted Missions') as unknown as Page, name)).toBeVisible();
    const accepted = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body;
    expect(accepted.map(({ missionName }: { missionName: string }) => missionName)).toEqual([name]);
    await retire(pilot);
  });
}

test('when the seat is gone, Undo says so in the words of the server', async ({ browser }) => {
  const pilot = await givenOrder('Op Gone Seat');
  const other = await givenPerson(service);
  await givenAlwaysFree(service, other.id);
  const page = await openHome(browser, pilot);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('RSVP sent: Declined')).toBeVisible();
  await expect.poll(async () => (await other.client.call('GET', '/pilot/inbox')).body.length).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('No seat is free; you remain on standby.')).toBeVisible();
  await retire(pilot);
  await retire(other);
});

test('a pilot sees the own place in line, is told when no seat is free, and can leave the line and come back', async ({
  browser,
}) => {
  const first = await givenOrder('Op Long Line');
  const [second, holder] = [await givenPerson(service), await givenPerson(service)];
  const answers: ((response: string) => Promise<unknown>)[] = [];
  for (const [pilot, next] of [
    [first, second],
    [second, holder],
  ] as const) {
    const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
    const answer = (response: string) => pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response });
    await givenAlwaysFree(service, next.id);
    await answer('Declined');
    await expect.poll(async () => (await next.client.call('GET', '/pilot/inbox')).body.length).toBe(1);
    answers.push(answer);
  }
  // The seat is held; who thinks again stands in line for it.
  for (const answer of answers) await answer('Standby');
  const page = await openHome(browser, second);
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  const standby = region(page, 'On standby');
  await expect(standby).toContainText('Op Long Line');
  await expect(standby).toContainText('2nd in line');

  await standby.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('No seat is free; you remain on standby.')).toBeVisible();
  await expect(standby).toContainText('2nd in line');
  await standby.getByRole('button', { name: 'Leave the queue' }).click();
  await expect(page.getByText('RSVP sent: Declined')).toBeVisible();
  await expect(standby).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(standby).toContainText('2nd in line');
  for (const pilot of [first, second, holder]) await retire(pilot);
});

for (const { hours, rule, sentence } of [
  {
    hours: 30,
    rule: 'In time until',
    sentence: "at least 24 hours' notice, so you are re-slotted in the next rotation",
  },
  { hours: 20, rule: 'Less than 24 hours to go: a cancellation is late.', sentence: 'starts in less than 24 hours' },
]) {
  test(`Confirm is recorded; Cancel ${hours} h before the start asks, tells the 24-hour rule and declines`, async ({
    browser,
  }) => {
    const name = `Op Notice ${hours}`;
    const pilot = await givenOrder(name, { startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 2) });
    const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
    await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'Accepted' });
    const page = await openHome(browser, pilot);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(card(page, name)).toContainText('Confirmed');
    await expect(card(page, name)).toContainText(rule);
    await expect
      .poll(async () => (await pilot.client.call('GET', '/pilot/inbox/accepted')).body[0].confirmedAt)
      .toBeTruthy();

    const cancel = card(page, name).getByRole('button', { name: 'Cancel', exact: true });
    await cancel.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(sentence);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(cancel).toBeFocused();
    await cancel.click();
    await dialog.getByRole('button', { name: 'Give seat back' }).click();
    await expect(page.getByText('RSVP sent: Declined')).toBeVisible();
    await expect(region(page, 'Accepted Missions')).toHaveCount(0);
    expect((await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body.rsvp).toBe('declined');
    await retire(pilot);
  });
}

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

test('the lamp follows the server within its ten seconds', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openHome(browser, pilot);
  const lamp = page.getByRole('radio', { name: 'Do Not Disturb' });
  await expect(page.getByRole('radio', { name: 'Idle' })).toBeChecked();
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  await expect(lamp).toBeChecked({ timeout: 12_000 });
});

test('a status the server refuses goes back, with the reason', async ({ browser }) => {
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

test('every card that cannot load says so and comes back with Retry', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  const mend = await cutOff(page, 'pilot.', 'availability.');
  await page.goto('/home');
  const failures: [string, string][] = [
    ['Inbox', 'Failed to load frag orders'],
    ['Your Status', 'Failed to load status'],
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

test('accepted missions that cannot be read say so beside a working inbox, and come back with Retry', async ({
  browser,
}) => {
  const pilot = await givenOrder('Op Torn Page');
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'Accepted' });
  const page = await openAs(browser, service, pilot);
  const isAsked = (url: URL): boolean => url.pathname.includes('pilot.accepted');
  // One answer of the batch arrives torn.
  await page.route(isAsked, async (route) => {
    const response = await route.fetch();
    const names = new URL(route.request().url()).pathname.replace(/^.*\//, '').split(',');
    const answers: unknown[] = await response.json();
    await route.fulfill({
      response,
      json: answers.map((one, index) => (names[index] === 'pilot.accepted' ? {} : one)),
    });
  });
  await page.goto('/home');
  const accepted = region(page, 'Accepted Missions');
  await expect(accepted).toContainText('Loading accepted missions...');
  await expect(
    accepted.getByRole('alert').getByText('Failed to load accepted missions', { exact: true }),
  ).toBeVisible();
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  await page.unroute(isAsked);
  await accepted.getByRole('button', { name: 'Retry' }).click();
  await expect(card(page, 'Op Torn Page')).toBeVisible();
  await retire(pilot);
});

test('every card names what it is loading, in the words of the specification', async ({ browser }) => {
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

/** Profile zones, and for each a browser that stands in another one. */
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
      const date = local.toPlainDate().toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
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
  for (const pilot of pilots) await retire(pilot);
});

for (const width of [360, 320]) {
  test(`at ${width} px nothing scrolls sideways and answers and lamps are 44 px high`, async ({ browser }) => {
    const name = `Operation With A Rather Long Name ${width}`;
    const pilot = await givenOrder(name);
    const page = await openHome(browser, pilot, { viewport: { width, height: 740 }, hasTouch: true, isMobile: true });
    await expect(card(page, name)).toBeVisible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    for (const target of [
      ...(await card(page, name).getByRole('group').getByRole('button').all()),
      ...(await page.getByRole('radiogroup').getByRole('radio').all()),
    ]) {
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    await retire(pilot);
  });
}
