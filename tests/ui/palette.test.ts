/** The command palette with what the server finds, words explained in their place, and the offer to install the app. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { givenMissionIn, orderOf, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;
let goose: Person;
let iceman: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  goose = await givenPerson(service, { displayName: 'Goose' });
  iceman = await givenPerson(service, { displayName: 'Iceman' });
  await givenGuild(service, '7', { name: 'Lantern Wing' });
  for (const pilot of [goose, iceman]) await givenAlwaysFree(service, pilot.id);
  await givenMissionIn(service, admin, 60, {
    name: 'Op Paper Crane',
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  for (const pilot of [goose, iceman]) await respond(pilot, await orderOf(pilot), 'accepted');
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const field = (page: Page) => page.getByRole('combobox', { name: 'Page, order or action' });
const options = (page: Page) => page.getByRole('dialog').getByRole('option');

async function openHome(browser: Browser, person: Person, settings = {}): Promise<Page> {
  const page = await openAs(browser, service, person, settings);
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  return page;
}

/** Types into the palette and waits for one entry. */
async function find(page: Page, typed: string, entry: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(typed);
  await expect(options(page)).toHaveText([entry]);
}

test('an admin finds pilots by name or email, missions, servers and settings by keyboard, and again under Recent', async ({
  browser,
}) => {
  const page = await openHome(browser, admin);
  for (const [typed, entry, address] of [
    ['goos', `Goose, ${goose.email}`, `/admin/users/${goose.id}/availability`],
    [iceman.email, `Iceman, ${iceman.email}`, `/admin/users/${iceman.id}/availability`],
    ['paper crane', /^Op Paper Crane, \w{3}, \w{3} \d+$/, '/admin/missions/'],
    ['lantern', 'Lantern Wing', '/admin/discord/guilds/7'],
    ['signed in', 'Sessions', '/profile/security#sessions'],
  ] as const) {
    await find(page, typed, entry);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url().slice(service.url.length)).toContain(address);
  }
  await expect(page.getByRole('region', { name: 'Sessions' })).toBeInViewport();

  await page.keyboard.press('Control+k');
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect(recent).toHaveCount(5);
  await expect(recent.first()).toHaveText('Sessions');
  await expect(recent.last()).toHaveText(`Goose, ${goose.email}`);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/discord\/guilds\/7$/);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('logout');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Goose');
});

test('a pilot finds the mission and its crew, and neither other pilots, servers nor admin pages', async ({
  browser,
}) => {
  const page = await openHome(browser, goose);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await find(page, 'paper', /^Op Paper Crane, /);
  await page.keyboard.press('Escape');
  await find(page, 'icem', 'Iceman, with you in Op Paper Crane');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/orders\/[0-9a-f-]{36}$/);
  for (const typed of ['lantern', 'manage users', iceman.email]) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    await expect(page.getByText(`Nothing found for “${typed}”.`)).toBeVisible();
    await page.keyboard.press('Escape');
  }
  expect(asked.filter((url) => /\/trpc\/.*(?:admin\.|discord\.guilds)/.test(url))).toEqual([]);
});

test('a word is explained on focus, hover and tap, and Esc closes the explanation', async ({ browser }) => {
  const page = await openHome(browser, goose);
  const word = page.getByRole('button', { name: 'TOT', exact: true }).first();
  const meaning = page.getByRole('tooltip');
  await word.focus();
  await expect(meaning).toHaveText('TOT: time on target: when the flight is over its objective.');
  await expect(word).toHaveAccessibleDescription(/when the flight is over its objective/);
  await page.keyboard.press('Escape');
  await expect(meaning).toHaveCount(0);
  await expect(word).toBeFocused();
  await page.getByRole('button', { name: 'DND', exact: true }).hover();
  await expect(meaning).toContainText('no missions starting within 24 hours');
  await page.mouse.move(0, 0);
  await expect(meaning).toHaveCount(0);

  const phone = await openHome(browser, goose, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await phone.getByRole('button', { name: 'frag orders', exact: true }).tap();
  await expect(phone.getByRole('tooltip')).toContainText('your personal tasking for one mission');
  await phone.getByRole('heading', { level: 1 }).tap();
  await expect(phone.getByRole('tooltip')).toHaveCount(0);
});

test('the account menu offers to install Marshal while the browser offers it, once', async ({ browser }) => {
  const page = await openHome(browser, goose);
  const opener = page.getByRole('button', { name: 'Goose', exact: true });
  const install = page.getByRole('button', { name: 'Install Marshal' });
  await opener.click();
  await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeVisible();
  await expect(install).toHaveCount(0);
  // a test's browser makes no offer itself
  const isKept = await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => document.documentElement.setAttribute('data-asked', ''),
    });
    return !window.dispatchEvent(offer);
  });
  expect(isKept).toBe(true);
  await install.click();
  await expect(page.locator('html[data-asked]')).toHaveCount(1);
  await opener.click();
  await expect(install).toHaveCount(0);
});
