/**
 * Checks of every route while it loads, on a desktop and a phone: layout shift, the format of times, targets of a finger,
 * motion, and what the console says.
 */
import { expect, test, type BrowserContextOptions, type Page } from '@playwright/test';
import type { Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, hearComplaints, noteCalls, openAs } from './pages.ts';
import { givenRoutes, ROUTES, type Route, type RoutesWorld } from './routes.ts';
import { smallTargets } from './targets.ts';
import { wrongTimes } from './times.ts';

// Each browser takes one width.
test.describe.configure({ mode: 'parallel' });

/** Web Vitals call a page good up to a cumulative layout shift of .1; what is left here are counts in the bars, and lines that wrap. */
const MOST = 0.02;
/** An order's swaps load after it and stand above its text: only few orders have any, and others would keep an empty place. */
const mostOf = ({ path }: Route): number => (path.includes('swapOrderId') ? 0.05 : MOST);
/** Side of a target on a phone, px. */
const FINGER = 44;

interface Shift {
  value: number;
  /** elements that moved, and how */
  moved: string[];
}

let service: Service;
let admin: Person;
let addressOf: RoutesWorld['addressOf'];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  ({ admin, addressOf } = await givenRoutes(service));
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** Records in the page, from its next load on, each shift that follows no input, and the elements that moved. */
async function noteShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    interface Source {
      node: Node | null;
      previousRect: DOMRectReadOnly;
      currentRect: DOMRectReadOnly;
    }
    interface LayoutShift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: readonly Source[];
    }
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => entry.entryType === 'layout-shift';
    const say = ({ node, previousRect: from, currentRect: to }: Source): string => {
      const element = node instanceof Element ? node : node?.parentElement;
      const name = element ? `<${element.tagName.toLowerCase()} class="${element.className}">` : 'a removed element';
      const text = node?.textContent?.trim().slice(0, 30) ?? '';
      const box = ({ x, y, width, height }: DOMRectReadOnly): string => [x, y, width, height].map(Math.round).join(' ');
      return `${name} ${text}: ${box(from)} to ${box(to)}`;
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries().filter(isShift)) {
        if (!entry.hadRecentInput) shifts.push({ value: entry.value, moved: entry.sources.map(say) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'shifts'));
}

const noteAll = async (page: Page) => ({ calls: await noteCalls(page), shifts: await noteShifts(page) });
type Notes = Awaited<ReturnType<typeof noteAll>>;

/** Loads a route until its data is shown. @returns its shifts, if they sum up to too much */
async function findShifts(page: Page, route: Route, notes: Notes): Promise<string[]> {
  await page.goto(addressOf(route.path));
  await expect(page.locator('h1')).toHaveCount(1);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  if (route.shows !== undefined) await expect(page.locator('main')).toContainText(route.shows);
  await expect.poll(async () => (await notes.calls()).open).toBe(0);
  // two frames show what the last response and the last font changed
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const shifts = await notes.shifts();
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  return total <= mostOf(route) ? [] : shifts.map(({ value, moved }) => `${value.toFixed(3)} ${moved.join('; ')}`);
}

const SCREENS: readonly { name: string; options: BrowserContextOptions; least: number }[] = [
  { name: 'a desktop', options: { viewport: { width: 1440, height: 900 } }, least: 24 },
  {
    name: 'a phone',
    options: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    least: FINGER,
  },
];

for (const { name, options, least } of SCREENS) {
  test(`on ${name} no route shifts more than ${MOST}, with an empty or a filled cache, times have one format, targets ${least} px, and nothing moves or complains`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const found: string[] = [];
    for (const route of ROUTES) {
      const person = route.access === 'public' ? null : admin;
      const page = await openAs(browser, service, person, { ...options, timezoneId: 'Europe/Berlin' });
      const complaints = hearComplaints(page);
      const notes = await noteAll(page);
      for (const cache of ['empty', 'filled']) {
        const shifts = await findShifts(page, route, notes);
        if (shifts.length > 0) found.push(`${route.path}, ${cache} cache:`, ...shifts);
      }
      const moving = await page.evaluate(() => document.getAnimations().length);
      const wrong = [
        ...(await smallTargets(page, least)),
        ...(await wrongTimes(page)),
        ...complaints,
        ...(moving > 0 ? [`${moving} elements move`] : []),
      ];
      found.push(...wrong.map((one) => `${route.path}: ${one}`));
      await page.context().close();
    }
    expect(found).toEqual([]);
  });
}

test('a planted shift, wrong times and a small target are found', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const notes = await noteAll(page);
  await page.goto('/login');
  await expect(page.locator('h1')).toHaveCount(1);
  expect(await wrongTimes(page)).toEqual([]);
  expect(await smallTargets(page, 24)).toEqual([]);
  await page.evaluate(async () => {
    const late = document.createElement('p');
    late.style.height = '300px';
    late.innerHTML =
      '1900Z 2000L, 7:05 PM, 2005L, 2400Z, 1900–2200Z 2000–2330L, 1800–1900L 1700–1800Z <button style="width: 9px">x</button>';
    document.querySelector('main')?.prepend(late);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  // the page itself may have shifted by a trace before
  const [shift] = (await notes.shifts()).toSorted((one, other) => other.value - one.value);
  expect(shift?.value).toBeGreaterThan(MOST);
  expect(shift?.moved).not.toEqual([]);
  expect(await smallTargets(page, 24)).toHaveLength(1);
  const wrong = await wrongTimes(page);
  for (const time of ['1900–2200Z 2000–2330L', '7:05 PM', '2005L', '2400Z', '1800–1900L']) {
    expect(wrong).toContainEqual(expect.stringContaining(time));
  }
  expect(wrong).toHaveLength(5);
});
