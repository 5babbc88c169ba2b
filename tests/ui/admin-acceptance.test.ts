/** Acceptance tests of all screens of an admin: targets, times, dialogs, keys, colours, motion. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { createTemplate } from '#server/availability/availability.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { inbox, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { expectModal } from './dialogs.ts';
import { givenFlight } from './mission-cards.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';
import { smallTargets } from './targets.ts';

const GUILD = '889900112233445599';
/** 20:30Z: the next morning in Kathmandu and in Sydney, the same afternoon in America */
const DATE = Temporal.Now.plainDateISO('UTC').add({ days: 3 });
const NAME = 'Op Date Line';

let service: Service;
let admin: Person;
let pilot: Person;
let views: readonly string[];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Ops', timeZone: 'Europe/Berlin' });
  pilot = await givenPerson(service, { displayName: 'Kestrel', timeZone: 'Europe/Berlin' });
  await givenAlwaysFree(service, pilot.id);
  await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  await givenFlight(service, admin, NAME, DATE.toString(), 2, {
    startLocal: `${DATE.toString()}T20:30`,
    endLocal: `${DATE.toString()}T22:30`,
    notes: 'Lights out after the push.',
  });
  for (const order of await inbox(pilot)) await respond(pilot, order, 'Accepted');
  await givenMission(service, admin, {
    name: 'Op Draft',
    startLocal: `${DATE.toString()}T12:00`,
    endLocal: `${DATE.toString()}T13:00`,
    publish: false,
  });
  await givenGuild(service, GUILD, {
    name: 'Lantern Wing',
    memberCount: 12,
    channels: [{ name: 'ops', topic: 'Missions', isNsfw: true, can: ['send', 'embed'] }],
    members: [{ name: 'kestrel', userId: pilot.id, isModerator: true }, { name: 'guest' }],
    events: [['announcement_failed', 'ops', 'Missing permission: Embed Links']],
  });
  // Each of five blocks of the day has one more free pilot: every step of the heat map, from none to the most.
  for (const blocks of [1, 2, 3, 4]) {
    const { id } = await givenPerson(service);
    const endLocal = `${String(blocks * 4).padStart(2, '0')}:00`;
    const slots = Array.from({ length: 7 }, (_, weekday) => ({
      weekday,
      startLocal: '00:00',
      endLocal,
      aircraftCodeId: 4,
      notes: null,
    }));
    await createTemplate(service.app.orm.em.fork(), { id, name: 'Blocks', isActive: true, slots });
  }
  const day = DATE.toString();
  views = [
    `/admin?day=${day}&online=table&heat=table`,
    `/admin/missions/${day}`,
    `/admin/discord/guilds/${GUILD}?tab=channels`,
    `/admin/discord/guilds/${GUILD}?tab=events`,
  ];
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const main = (page: Page): Locator => page.getByRole('main');

/** Opens a page and waits until it has loaded. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(heading(page)).toHaveCount(1);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await expect(main(page).getByRole('alert')).toHaveCount(0);
}

// all-routes.test.ts does the same with what every route shows first.
test('in tables and tabs targets are 24 px, times name their zone, nothing moves, and the console stays clean', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  const found = hearComplaints(page);
  for (const path of views) {
    await visit(page, path);
    await expect(page.locator('[popovertarget]:visible').first()).toBeVisible();
    found.push(...(await smallTargets(page, 24)).map((target) => `${path}: ${target}`));
    const words = await main(page).innerText();
    const bare = [...words.matchAll(/^.*\b\d{1,2}:\d{2}\b.*$/gm)].map(([line]) => line);
    found.push(...bare.map((line) => `${path}: ${line}`));
    // Whoever reads an L time reads which zone that is.
    if (/\b\d{4}L/.test(words) && !words.includes('Europe/Berlin')) found.push(`${path} names no zone`);
    if ((await page.evaluate(() => document.getAnimations().length)) > 0) found.push(`${path} moves`);
  }
  expect(found).toEqual([]);
});

test('Tab reaches the skip link first, and each new page focuses its heading', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await visit(page, '/admin');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  for (const [link, title] of [
    ['Manage Users', 'Users'],
    ['Audit Log', 'Audit Log'],
  ] as const) {
    await main(page).getByRole('link', { name: link, exact: true }).click();
    await expect(heading(page)).toHaveText(title);
    await expect(heading(page)).toBeFocused();
  }
  await page.goto('/admin/dashboard');
  await expect(heading(page)).toHaveText('Operations board');
});

const ZONES = [
  { profile: 'Asia/Kathmandu', browserZone: 'America/St_Johns', mark: '+1' },
  { profile: 'America/St_Johns', browserZone: 'America/Los_Angeles', mark: '' },
  { profile: 'America/Los_Angeles', browserZone: 'Australia/Sydney', mark: '' },
  { profile: 'Australia/Sydney', browserZone: 'Asia/Kathmandu', mark: '+1' },
] as const;

test('one mission read in four zones: the same Zulu time, the local time of the reader, the other date marked', async ({
  browser,
}) => {
  const start = DATE.toZonedDateTime({ timeZone: 'UTC', plainTime: '20:30' });
  const { body } = await admin.client.call('GET', `/admin/missions/by-date?date=${DATE.toString()}`);
  const flown = body.missions.find(({ name }: { name: string }) => name === NAME);
  const launch = Temporal.Instant.from(flown.packages[0].launchUtc).toZonedDateTimeISO('UTC');
  const clock = (at: Temporal.ZonedDateTime): string =>
    at.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
  for (const { profile, browserZone, mark } of ZONES) {
    await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Ops', timeZone: profile });
    const page = await openAs(browser, service, admin, { timezoneId: browserZone });
    const local = start.withTimeZone(profile);
    const date = local.toPlainDate().toString();
    for (const [path, role] of [
      [`/admin?day=${date}`, 'article'],
      [`/admin/missions/${date}`, 'region'],
    ] as const) {
      await visit(page, path);
      const card = page.getByRole(role, { name: NAME });
      await expect(card).toContainText('2030–2230Z');
      await expect(card).toContainText(clock(local));
      await expect(card.getByRole('time').first()).toHaveText(
        `${clock(launch)}Z ${clock(launch.withTimeZone(profile))}L${mark}`,
      );
    }
    await page.context().close();
  }
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Ops', timeZone: 'Europe/Berlin' });
});

test('a dialog names its question, keeps the focus inside, closes on Esc, and returns the focus', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  page.on('dialog', () => {
    throw new Error('a question of the browser');
  });
  const day = `/admin/missions/${DATE.toString()}`;
  const card = (name: string): Locator => page.getByRole('region', { name });
  const openings: readonly (readonly [title: string, path: string, opener: Locator])[] = [
    [
      'Remove user role from user?',
      '/admin/users?query=kestrel',
      page.getByRole('button', { name: 'Remove user role from Kestrel' }),
    ],
    ['Set a level', `/admin/users/${pilot.id}/availability`, page.getByRole('button', { name: 'Set a level' })],
    [`Cancel ${NAME}?`, day, card(NAME).getByRole('button', { name: 'Cancel mission' })],
    ['Publish Op Draft?', day, card('Op Draft').getByRole('button', { name: 'Publish' })],
    ['Assign a pilot to Viper 1, seat 2', day, card(NAME).getByRole('button', { name: 'Assign pilot to Viper 1' })],
    ['Remove Kestrel from Viper 1, seat 1?', day, card(NAME).getByRole('button', { name: 'Remove Kestrel from' })],
  ];
  for (const [title, path, opener] of openings) {
    await test.step(title, async () => {
      await visit(page, path);
      await opener.click();
      await expectModal(page, title, opener);
    });
  }
});

for (const colorScheme of ['dark', 'light'] as const) {
  test(`the heat map shows counts by lightness, in six steps of a hue that is neither red nor green, ${colorScheme}`, async ({
    browser,
  }) => {
    const page = await openAs(browser, service, admin, { colorScheme });
    await visit(page, '/admin');
    const steps = await page.getByRole('grid').evaluate((grid) => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const found: Record<string, number[]> = {};
      for (const cell of grid.querySelectorAll<HTMLElement>('[data-level]')) {
        if (context === null || cell.dataset['level'] === undefined) continue;
        context.fillStyle = getComputedStyle(cell).backgroundColor;
        context.fillRect(0, 0, 1, 1);
        found[cell.dataset['level']] = Array.from(context.getImageData(0, 0, 1, 1).data.subarray(0, 3));
      }
      return found;
    });
    expect(Object.keys(steps)).toEqual(['0', '1', '2', '3', '4', '5']);
    // WCAG 2 relative luminance
    const light = Object.values(steps).map((rgb) => {
      const [r = 0, g = 0, b = 0] = rgb.map((byte) =>
        byte / 255 <= 0.040_45 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
    expect(light).toEqual(light.toSorted((a, b) => (colorScheme === 'dark' ? a - b : b - a)));
    for (const [index, step] of light.slice(1).entries())
      expect(Math.abs(step - (light[index] ?? 0))).toBeGreaterThan(0.01);
    // cyan: green and blue together, and less red than either
    for (const [red = 0, green = 0, blue = 0] of Object.values(steps).slice(1)) {
      expect(red).toBeLessThan(Math.min(green, blue));
      expect(Math.abs(green - blue)).toBeLessThan(60);
    }
  });
}

test('in forced colours, sides, states, guilds and heat steps still differ by word or shape', async ({ browser }) => {
  const page = await openAs(browser, service, admin, { forcedColors: 'active' });
  await page.goto(`/admin/missions/${DATE.toString()}`);
  const card = page.getByRole('region', { name: NAME });
  for (const word of ['scheduled', 'Blue', 'accepted', 'open']) await expect(card).toContainText(word);
  await expect(page.getByRole('region', { name: 'Op Draft' })).toContainText('draft');
  await page.goto('/admin');
  const cells = page.getByRole('grid').locator('[data-start]');
  await expect(cells.first()).toBeVisible();
  const shown = await cells.evaluateAll((all) =>
    all.filter((cell) => cell.getAttribute('data-level') !== '0').map((cell) => cell.textContent),
  );
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((text) => !/\d/.test(text))).toEqual([]);
});
