/** The map of the admin pages: the rail, the drawer on narrow windows, the palette, and the places where they lead. */
import { expect, test, type Page } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findViolations } from './faults.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';
import { givenRoutes, type RoutesWorld } from './routes.ts';
import { smallTargets } from './targets.ts';

let service: Service;
let world: RoutesWorld;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  world = await givenRoutes(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** Every place with the heading of its page, or the panel of the page to which it leads. */
const PLACES = [
  ['Plan', 'Board', { title: 'Operations board' }],
  ['Plan', 'Missions by day', { title: /^Mission Details - / }],
  ['Plan', 'Create Mission', { title: 'Create Mission' }],
  ['Plan', 'Series', { title: 'Series' }],
  ['Plan', 'Templates', { panel: 'Templates' }],
  ['Plan', 'Aircraft', { title: 'Aircraft' }],
  ['People', 'Pilots', { title: 'Users' }],
  ['People', 'Invites', { title: 'Invites' }],
  ['People', 'Requests', { panel: 'Requests' }],
  ['People', 'Bans', { title: 'Bans' }],
  ['People', 'Import', { title: 'Import pilots' }],
  ['Connect', 'Discord', { title: 'Discord Guilds' }],
  ['Connect', 'Webhooks', { title: 'Webhooks' }],
  ['Connect', 'API', null],
  ['System', 'Settings', { title: 'Settings' }],
  ['System', 'Audit', { title: 'Audit Log' }],
  ['System', 'Backups', { title: 'Backups' }],
  ['System', 'Email', { panel: 'Email' }],
] as const;
const LABELS = PLACES.map(([, label]) => label);

const rail = (page: Page) => page.getByRole('navigation', { name: 'Admin pages' });
const current = (page: Page) => rail(page).locator('[aria-current]');
const opener = (page: Page) => page.getByRole('button', { name: 'Admin', exact: true });

test('the rail has all places, comes after the skip link, leads to each place, and marks the one that is open', async ({
  browser,
}) => {
  const page = await openAs(browser, service, world.admin);
  const complaints = hearComplaints(page);
  await page.goto('/admin');
  await expect(rail(page).getByRole('link')).toHaveText([...LABELS]);
  await expect(opener(page)).toBeHidden();
  for (const [group, label, place] of PLACES) {
    await rail(page).getByRole('group', { name: group }).getByRole('link', { name: label, exact: true }).click();
    if (place === null) {
      await page.waitForURL('**/api/v1/docs');
      await page.goBack();
      continue;
    }
    await expect(current(page)).toHaveText([label]);
    if ('title' in place) await expect(page.getByRole('heading', { level: 1 })).toHaveText(place.title);
    else {
      await expect(page.getByRole('region', { name: place.panel })).toBeFocused();
      await expect(page.getByRole('region', { name: place.panel })).toBeInViewport();
    }
  }
  // pages below a place, and one that has no place of its own
  for (const [path, label] of [
    ['/admin/dashboard', 'Board'],
    ['/admin/missions/2027-03-05', 'Missions by day'],
    ['/admin/discord/guilds/1', 'Discord'],
    ['/admin/users?query=maverick', 'Pilots'],
    [world.addressOf('/admin/users/{userId}/availability'), 'Pilots'],
  ] as const) {
    await page.goto(path);
    await expect(current(page)).toHaveText([label]);
  }
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await rail(page).getByRole('link', { name: 'Board' }).focus();
  await page.keyboard.press('Tab');
  await expect(rail(page).getByRole('link', { name: 'Missions by day' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await findInSchemes(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('on a narrow window a button opens the places; Esc, the backdrop and a choice close them', async ({ browser }) => {
  const page = await openAs(browser, service, world.admin, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto('/admin/users');
  await expect(rail(page)).toBeHidden();
  await opener(page).press('Enter');
  await expect(rail(page).getByRole('link')).toHaveText([...LABELS]);
  expect(await smallTargets(page, 44)).toEqual([]);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(rail(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();

  await opener(page).tap();
  await expect(rail(page)).toBeVisible();
  await page.touchscreen.tap(350, 370);
  await expect(rail(page)).toBeHidden();

  await opener(page).tap();
  await rail(page).getByRole('link', { name: 'Requests' }).tap();
  await expect(rail(page)).toBeHidden();
  await expect(page.getByRole('region', { name: 'Requests' })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Requests' })).toBeInViewport();
});

test('the palette lists the same places, and opens the page of the server too; a pilot sees none', async ({
  browser,
}) => {
  const page = await openAs(browser, service, world.admin);
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  await page.keyboard.press('Control+k');
  const pages = page.getByRole('group', { name: 'Pages' }).getByRole('option');
  await expect(pages.first()).toBeVisible();
  const listed = await pages.allTextContents();
  expect(listed.filter((label) => LABELS.some((known) => known === label))).toEqual([...LABELS]);
  await page.keyboard.type('bans');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/users\?list=bans$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('api reference');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/api/v1/docs');

  const pilot = await openAs(browser, service, world.pilot);
  await pilot.goto('/admin');
  await pilot.waitForURL('**/home');
  await expect(rail(pilot)).toHaveCount(0);
  await expect(opener(pilot)).toHaveCount(0);
});
