/**
 * Every route of the product, opened once on a desktop and once on a phone, in the short form on one of them, by those whom it is
 * for: layout shift while it loads, one heading, a title, the format of times, targets of a finger, motion, overflow, axe, and the
 * console.
 */
import { expect, test, type BrowserContextOptions, type Page } from '@playwright/test';
import { inDrill } from '#tests/harness/drills.ts';
import type { Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findPaleText, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, hearComplaints, noteCalls, openAs } from './pages.ts';
import { givenRoutes, ROUTES, type Route, type RoutesWorld } from './routes.ts';
import { fontsShown, MOST_SHIFT, noteShifts, tooMuchShift } from './shifts.ts';
import { smallTargets } from './targets.ts';
import { wrongTimes } from './times.ts';

// Each browser takes one device.
test.describe.configure({ mode: 'parallel' });

/** An order's swaps load after it and stand above its text: only few orders have any, and others would keep an empty place. */
const mostOf = ({ path }: Route): number => (path.includes('swapOrderId') ? 0.06 : MOST_SHIFT);

interface Device {
  name: string;
  options: BrowserContextOptions & { viewport: { width: number; height: number } };
  /** side of a target, px */
  least: number;
  /** without another load, px */
  narrower: number[];
  /** the colours are the same at every width, so one device is enough for both schemes */
  schemes: { name: string; look: (page: Page) => Promise<string[]> };
  /** a phone's frames are late, so a shift shows there first */
  caches: string[];
}

const DEVICES: readonly Device[] = [
  {
    name: 'a desktop',
    options: { viewport: { width: 1440, height: 900 } },
    least: 24,
    narrower: [],
    schemes: { name: 'both schemes', look: findInSchemes },
    caches: ['empty'],
  },
  {
    name: 'a phone',
    options: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    least: 44,
    narrower: [320],
    schemes: { name: 'the light scheme', look: findViolations },
    caches: ['empty', 'filled'],
  },
];

let service: Service;
let admin: Person;
let addressOf: RoutesWorld['addressOf'];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  ({ admin, addressOf } = await givenRoutes(service));
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const noteAll = async (page: Page) => ({ calls: await noteCalls(page), shifts: await noteShifts(page) });
type Notes = Awaited<ReturnType<typeof noteAll>>;

/** Loads a route until its data is shown. @returns its shifts, if they sum up to too much */
async function findShifts(page: Page, route: Route, notes: Notes): Promise<string[]> {
  await page.goto(addressOf(route.path));
  await expect(page.locator('h1')).toHaveCount(1);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  if (route.shows !== undefined) await expect(page.locator('main')).toContainText(route.shows);
  await expect.poll(async () => (await notes.calls()).open).toBe(0);
  await fontsShown(page);
  return tooMuchShift(await notes.shifts(), mostOf(route));
}

/** Whether the page stays too wide; charts are drawn again a moment after the window's width changes. */
async function overflows(page: Page): Promise<boolean> {
  const isCalm = expect.poll(() => overflowOf(page), { timeout: 3_000 }).toBeLessThanOrEqual(0);
  return isCalm.then(
    () => false,
    () => true,
  );
}

/** Faults of the page as it is shown. The times come last, because reading them takes parts of the page away. */
async function findFaults(page: Page, { options: { viewport }, least, narrower, schemes }: Device): Promise<string[]> {
  const found = await smallTargets(page, least);
  const moving = await page.evaluate(() => document.getAnimations().length);
  if (moving > 0) found.push(`${moving} elements move`);
  if (await overflows(page)) found.push('overflows');
  // sticky bars cover content that scrolls beneath them: check the whole length at once
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: viewport.width, height });
  found.push(...(await schemes.look(page)));
  for (const width of narrower) {
    await page.setViewportSize({ ...viewport, width });
    if (await overflows(page)) found.push(`overflows at ${width} px`);
  }
  return [...found, ...(await wrongTimes(page))];
}

/** Routes that share their title with another one. */
function sharedTitles(titles: Map<string, string>): [string, string][] {
  const own = [...titles].filter(([path]) => path !== '/admin'); // the same page as /admin/dashboard
  return own.filter(([path, title]) => own.some(([other, same]) => other !== path && same === title));
}

for (const [turn, device] of DEVICES.entries()) {
  const { name, options, least, narrower, schemes, caches } = device;
  /** One route in so many: in the short form each route is opened on one device, in turn. */
  const step = inDrill(1, DEVICES.length);
  const routes = ROUTES.filter((_route, at) => (at + turn) % step === 0);
  const which = step === 1 ? 'every route has its' : 'every other route has its';
  const widths = [options.viewport.width, ...narrower].join(' and ');
  test(`on ${name} ${which} own title, shifts no more than ${MOST_SHIFT}, fits ${widths} px, has times of one format and targets of ${least} px, and neither axe in ${schemes.name} nor the console complains`, async ({
    browser,
  }) => {
    test.setTimeout(600_000);
    const found: string[] = [];
    const titles = new Map<string, string>();
    for (const route of routes) {
      const say = (fault: string): void => void found.push(`${route.path}: ${fault}`);
      const person = route.access === 'public' ? null : admin;
      const page = await openAs(browser, service, person, { ...options, timezoneId: 'Europe/Berlin' });
      const complaints = hearComplaints(page);
      const notes = await noteAll(page);
      for (const cache of caches) {
        const shifts = await findShifts(page, route, notes);
        shifts.forEach((shift) => say(`${shift}, ${cache} cache`));
      }
      if (page.url() !== service.url + addressOf(route.path)) say(`leads to ${page.url()}`);
      if (person !== null && (await page.locator('main').getByRole('alert').count()) > 0) say('shows an alert');
      // the page replaces the document's title once its heading is shown
      await expect(page).not.toHaveTitle('Marshal');
      titles.set(route.path, await page.title());
      (await findFaults(page, device)).forEach(say);
      complaints.forEach(say);
      await page.context().close();
    }
    expect(found).toEqual([]);
    expect(sharedTitles(titles)).toEqual([]);
  });
}

test('a planted shift, wrong times, a small target, a wide element and violations are found', async ({ browser }) => {
  const page = await openAs(browser, service, null, { isMobile: true, viewport: { width: 360, height: 740 } });
  const notes = await noteAll(page);
  await page.goto('/login');
  await expect(page.locator('h1')).toHaveCount(1);
  expect(await smallTargets(page, 24)).toEqual([]);
  expect(await findPaleText(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  expect(await wrongTimes(page)).toEqual([]);
  await page.evaluate(async () => {
    const late = document.createElement('div');
    late.style.height = '300px';
    late.innerHTML = `<p style="color: #777; background: #888">Hardly to be read</p> <img src="/icon.svg">
      1900Z 2000L, 7:05 PM, 2005L, 2400Z, 1900–2200Z 2000–2330L, 1800–1900L 1700–1800Z, 18:00 here is 1500Z
      <button style="width: 9px">x</button>`;
    document.querySelector('main')?.prepend(late);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  // the page itself may have shifted by a trace before
  const largest = async () => (await notes.shifts()).toSorted((one, other) => other.value - one.value)[0];
  await expect.poll(async () => (await largest())?.value).toBeGreaterThan(MOST_SHIFT);
  expect((await largest())?.moved).not.toEqual([]);
  expect(await smallTargets(page, 24)).toHaveLength(1);
  // after the shift: a phone lays out a page anew that is too wide, which counts for none
  await page.evaluate(() =>
    document.querySelector('main')?.insertAdjacentHTML('beforeend', '<i style="display: block; width: 500px">Wide</i>'),
  );
  expect(await overflowOf(page)).toBeGreaterThan(100);
  const violations = await findViolations(page);
  expect(violations).toContainEqual(expect.stringMatching(/^image-alt: /));
  expect(violations).toContainEqual(expect.stringMatching(/^color-contrast: /));
  expect(await findPaleText(page)).toEqual([expect.stringMatching(/^color-contrast: /)]);
  const wrong = await wrongTimes(page);
  for (const time of ['1900–2200Z 2000–2330L', '7:05 PM', '2005L', '2400Z', '1800–1900L', '18:00 here is 1500Z']) {
    expect(wrong).toContainEqual(expect.stringContaining(time));
  }
  expect(wrong).toHaveLength(6);
});
