/** A link that is hovered loads the page's data with its code: the page then opens without a skeleton, and asks for nothing twice. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { threadCopy } from '#client/domain-ui/thread/thread-text.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOffLive, openAs } from './pages.ts';

let service: Service;
let admin: Person;
let pilot: Person;
let order: { id: string; missionId: string };
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  pilot = await givenPilot(service);
  await givenMissionIn(service, admin, 30, { name: 'Op Warm' });
  order = await orderOf(pilot);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/**
 * Hovers a link until a call has been answered, and opens it.
 * @returns the calls by their names
 */
async function openWarm(page: Page, link: Locator, call: string): Promise<string[]> {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/trpc/')) calls.push(...pathname.slice('/trpc/'.length).split(','));
  });
  const answered = page.waitForResponse((response) => response.url().includes(call));
  await link.hover();
  await answered;
  await page.evaluate(() => {
    const skeletons: string[] = [];
    Object.assign(window, { skeletons });
    const note = () => {
      for (const { textContent } of document.querySelectorAll('main output')) {
        if (textContent?.startsWith('Loading')) skeletons.push(textContent);
      }
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
  });
  await link.click();
  return calls;
}

/** The skeletons that a page has shown since it was opened warm. */
const skeletonsOf = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'skeletons'));

const timesOf = (calls: readonly string[], call: string) => calls.filter((one) => one === call).length;

test('the page of an order opens with its order', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  await page.goto('/home');
  const link = page.getByRole('article', { name: 'Op Warm' }).getByRole('link', { name: /^FRAG-/ });
  const calls = await openWarm(page, link, 'pilot.order');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Op Warm');
  await expect(page.getByRole('region', { name: 'Tasking' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeVisible();
  // the thread loads after the page, which can be read without it
  expect((await skeletonsOf(page)).filter((text) => text !== threadCopy.loading)).toEqual([]);
  expect(timesOf(calls, 'pilot.order')).toBe(1);
});

test('the home page opens with the inbox, and the plan of a mission with its flights', async ({ browser }) => {
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  await page.goto(`/orders/${order.id}`);
  const plan = await openWarm(page, page.getByRole('link', { name: /plan|About the mission/ }), 'pilot.missions.get');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Op Warm');
  expect(timesOf(plan, 'pilot.missions.get')).toBe(1);
  const home = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Home/ });
  const calls = await openWarm(page, home, 'pilot.inbox,');
  await expect(page.getByRole('article', { name: 'Op Warm' })).toBeVisible();
  expect((await skeletonsOf(page)).filter((text) => /orders|missions/.test(text))).toEqual([]);
  // with and without the answered ones
  expect(timesOf(calls, 'pilot.inbox')).toBe(2);
  expect(timesOf(calls, 'pilot.accepted')).toBe(1);
});

test('the operations board opens with all of its panels', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  await page.goto('/profile/me');
  const board = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Admin/ });
  const calls = await openWarm(page, board, 'admin.dashboard.recommendedTimes');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Operations board');
  await expect(page.getByRole('heading', { name: 'Recommended times' })).toBeVisible();
  expect(await skeletonsOf(page)).toEqual([]);
  const twice = calls.filter((call, index) => call.startsWith('admin.') && calls.indexOf(call) !== index);
  // the board reads this one with each visit
  expect(twice.filter((call) => call !== 'admin.community.start')).toEqual([]);
});
