/** The reads of /home travel together: in as few requests as batches of ten allow, on opening and at every poll. */
import { expect, test, type Page } from '@playwright/test';
import { BATCH_MAX, POLL_MS } from '#shared/limits.ts';
import { givenPerson } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOffLive, openAs } from './pages.ts';

let service: Service;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** What the home page polls every thirty seconds; the status every ten. */
const POLLED = ['accepted', 'inbox', 'inbox', 'inboxStatus', 'notices', 'stats', 'status', 'swaps.list'];

/** The requests to the API from now on, each as the procedures in it; grows while the page is open. */
function hearBatches(page: Page): string[][] {
  const batches: string[][] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/trpc/')) batches.push(pathname.slice('/trpc/'.length).split(','));
  });
  return batches;
}

/** A sentence when calls travel in more requests than batches of ten need. */
function splitBatches(batches: readonly string[][]): string | null {
  const fewest = Math.ceil(batches.flat().length / BATCH_MAX);
  return batches.length <= fewest ? null : `${batches.length} requests instead of ${fewest}: ${batches.join(' | ')}`;
}

async function openHome(page: Page): Promise<string[][]> {
  await cutOffLive(page);
  await page.clock.install();
  const batches = hearBatches(page);
  await page.goto('/home');
  await expect(page.getByText('No orders need an answer.')).toBeVisible();
  // the last panel to come
  await expect.poll(() => batches.flat()).toContain('pilot.seats.openings');
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  return batches;
}

test('the home page opens with one batch for the guard, its panels, and the panel that loads later', async ({
  browser,
}) => {
  const page = await openAs(browser, service, await givenPerson(service));
  const batches = await openHome(page);
  const later = batches.splice(batches.findIndex((calls) => calls.includes('pilot.seats.openings')));
  expect(later).toEqual([['pilot.seats.openings']]);
  expect(batches.shift()).toEqual(['auth.viewer']);
  expect(batches.flat().length).toBeGreaterThan(BATCH_MAX);
  expect(splitBatches(batches)).toBeNull();
});

test('a poll is one request, also when the page has been open for long', async ({ browser }) => {
  const page = await openAs(browser, service, await givenPerson(service));
  const batches = await openHome(page);
  for (let second = 10; second <= 90; second += 10) {
    batches.length = 0;
    const answered = page.waitForResponse((response) => response.url().includes('pilot.status'));
    await page.clock.runFor(POLL_MS.status);
    await (await answered).finished();
    expect(splitBatches(batches)).toBeNull();
    const names = batches.flat().map((name) => name.replace('pilot.', ''));
    const polled = second % 30 === 0 ? POLLED : ['status'];
    expect(names.filter((name) => name !== 'seats.openings').toSorted()).toEqual(polled);
  }
  // the same calls, one by one
  expect(splitBatches(batches.flat().map((name) => [name]))).toMatch(/^\d+ requests instead of 1: pilot\./);
});
