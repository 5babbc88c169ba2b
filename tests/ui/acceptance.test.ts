/** Acceptance tests of all screens of a pilot: targets, times, lists, dialogs. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { expectModal } from './dialogs.ts';
import { closePagesAfterEach, cutOffLive, hearComplaints, openAs } from './pages.ts';
import { smallTargets } from './targets.ts';

let service: Service;
let pilot: Person;
/** one to answer, one accepted */
let pending: { id: string; launchUtc: string };
let accepted: { id: string; label: string };

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  const admin = await givenAdmin(service);
  pilot = await givenPerson(service, { timeZone: 'Asia/Kathmandu' });
  await givenAlwaysFree(service, pilot.id);
  for (const [name, hours] of [
    ['Op First Seat', 40],
    ['Op Second Seat', 60],
  ] as const) {
    await givenMission(service, admin, { name, startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 2) });
  }
  const orders: (typeof pending & typeof accepted & { missionName: string })[] = (
    await pilot.client.call('GET', '/pilot/inbox')
  ).body;
  const [first, second] = ['Op First Seat', 'Op Second Seat'].map((name) =>
    orders.find(({ missionName }) => missionName === name),
  );
  if (!first || !second) throw new Error('an order is missing');
  [accepted, pending] = [first, second];
  await pilot.client.call('POST', `/pilot/inbox/${accepted.id}/rsvp`, { response: 'accepted' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(heading(page)).toHaveCount(1);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
}

// all-routes.test.ts checks the targets of what every route shows first.
test('in both views of the week every target is at least 24 px', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  const complaints = hearComplaints(page);
  for (const { width, height } of [
    { width: 1440, height: 900 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize({ width, height });
    for (const view of ['grid', 'list']) {
      await visit(page, `/availability?view=${view}`);
      expect(await smallTargets(page, 24), `${view}, ${width} px`).toEqual([]);
    }
  }
  expect(await smallTargets(page, 300)).not.toEqual([]);
  expect(complaints).toEqual([]);
});

test('every time names its zone, the clock in the header is Zulu, and a time is copied as a Discord timestamp', async ({
  browser,
}) => {
  const page = await openAs(browser, service, pilot, { permissions: ['clipboard-read', 'clipboard-write'] });
  for (const path of ['/home', `/orders/${accepted.id}`, '/demo', '/profile/me', '/profile/security']) {
    await visit(page, path);
    for (const time of await page.getByRole('main').getByRole('time').allInnerTexts()) {
      expect(time, path).toMatch(/\d{4}Z \d{4}L/);
    }
    // no wall time such as 19:05 without its zone beside it
    const words = await page.getByRole('main').innerText();
    for (const [line] of words.matchAll(/^.*\b\d{1,2}:\d{2}\b.*$/gm)) {
      expect(line, path).toMatch(/ in [A-Z]\w+\/\w+|\d{4}Z/);
    }
  }
  const zulu = () => new Date().toISOString().slice(11, 16).replace(':', '');
  await expect
    .poll(async () => `${zulu()}Z` === (await page.getByRole('banner').getByRole('timer').innerText()))
    .toBe(true);

  await visit(page, '/home');
  const copy = page.getByRole('article', { name: 'Op Second Seat' }).getByRole('button', { name: /^Copy Discord/ });
  await copy.click();
  await expect(page.getByRole('button', { name: 'Discord timestamp copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `<t:${Date.parse(pending.launchUtc) / 1000}:F>`,
  );
});

const LISTS = [
  {
    path: '/profile/aircraft',
    lists: [['Aircraft I fly', 'Loading your aircraft...', 'Failed to load your aircraft', 'No aircraft yet.']],
  },
  {
    path: '/profile/notifications',
    lists: [['Notify me about', 'Loading your choices...', 'Failed to load your choices', 'New frag orders']],
  },
  {
    path: '/profile/calendar',
    lists: [['Calendar', 'Loading your calendar link...', 'Failed to load your calendar link', 'calendar']],
  },
  {
    path: '/profile/security',
    lists: [
      ['Sessions', 'Loading your sessions...', 'Failed to load your sessions', "You aren't signed in anywhere else."],
    ],
  },
  {
    path: '/orders/{id}',
    lists: [['Your answer', 'Loading frag order...', 'Failed to load frag order', 'This order needs your answer.']],
  },
] as const;

test('every list shows that it is loading, a failure with Retry, and its contents', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  for (const { path, lists } of LISTS) {
    let giveUp = (): void => undefined;
    const givenUp = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const isRead = (url: URL): boolean => /^\/trpc\/(?!auth\.viewer)/.test(url.pathname);
    await page.route(isRead, async (route) => {
      await givenUp;
      await route.abort();
    });
    await page.goto(path.replace('{id}', pending.id));
    for (const [name, loading] of lists) await expect(region(page, name)).toContainText(loading);
    giveUp();
    for (const [name, , failure] of lists) {
      await expect(region(page, name).getByRole('alert').getByText(failure, { exact: true })).toBeVisible();
    }
    await page.unroute(isRead);
    for (const [name, , , held] of lists) {
      await region(page, name).getByRole('button', { name: 'Retry' }).click();
      await expect(region(page, name)).toContainText(held);
      await expect(region(page, name).getByRole('alert')).toHaveCount(0);
    }
  }
});

interface Opening {
  title: string | RegExp;
  path: string;
  opener: (page: Page) => Locator;
  /** before it opens */
  prepare?: (page: Page) => Promise<unknown>;
}

test('a dialog names its question, keeps the focus inside, closes on Esc, and returns the focus', async ({
  browser,
}) => {
  const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });
  const openings: Opening[] = [
    {
      title: `Cancel ${accepted.label}?`,
      path: '/home',
      opener: (page) => page.getByRole('article', { name: 'Op First Seat' }).getByRole('button', { name: 'Cancel' }),
    },
    { title: /./, path: '/home', opener: button('Go to a page, an order or an action Ctrl K') },
    { title: 'Copy a day', path: '/availability?view=list', opener: button('Copy day to…') },
    {
      title: 'Leave without saving?',
      path: '/availability?view=list',
      opener: (page) =>
        page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Home/ }),
      prepare: (page) => page.getByRole('button', { name: 'Clear', exact: true }).click(),
    },
    {
      title: 'Turn off the calendar link?',
      path: '/profile/calendar',
      opener: button('Turn off'),
      prepare: (page) => region(page, 'Calendar').getByRole('button').first().click(),
    },
  ];
  const page = await openAs(browser, service, pilot);
  page.on('dialog', (dialog) => void dialog.accept());
  for (const { title, path, opener, prepare } of openings) {
    await test.step(`${path}: ${String(title)}`, async () => {
      await visit(page, path);
      await prepare?.(page);
      await opener(page).click();
      await expectModal(page, title, opener(page));
    });
  }
});

test('when every accepted mission is over, home says so and offers to find a flight', async ({ browser }) => {
  await query(
    service.app.orm.em.fork(),
    sql`update mission set starts_at = now() - interval '4 hours', ends_at = now() - interval '1 hour'
        where name = 'Op First Seat'`,
  );
  const page = await openAs(browser, service, pilot);
  await visit(page, '/home');
  const missions = region(page, 'Accepted Missions');
  await expect(missions).toContainText('No upcoming missions');
  await missions.getByRole('button', { name: 'Find a flight' }).click();
  await expect(page.getByRole('radio', { name: 'Find Flight', exact: true })).toBeChecked();
});
