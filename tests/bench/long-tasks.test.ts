/** Long tasks of the main flows on a slow processor, in a community of 10,000: the browser answers soon all the time. */
import { expect, test, type Browser } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium, findHeadlessShell } from '#tests/harness/chromium.js';
import { referenceTask, SLOWDOWN, tasksOf, type Task } from '#tests/harness/long-tasks.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { FLOW_ROUNDS, givenMainFlows, type Flow } from '#tests/ui/main-flows.ts';
import { closePagesAfterEach, openAs } from '#tests/ui/pages.ts';

// a browser as users have it, which compiles beside the main thread
const executablePath = (await findHeadlessShell()) ?? (await findChromium()) ?? undefined;
test.use({ launchOptions: { executablePath, args: CHROMIUM_ARGS } });
test.describe.configure({ timeout: 120_000 });

/**
 * Bounds where a page opens and where one changes, in reference tasks: half as much again as the slowest steps of
 * `node tests/bench/long-tasks.ts`, 2.0 and 0.9.
 */
const MOST = { opens: 3, acts: 1.5 };
/** Work of about 200 ms. A loop that ends at a given time would do too little on a busy processor to be found. */
const PLANTED_TURNS = 200_000_000;

let service: Service;
let flows: Flow[];

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  flows = await givenMainFlows(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const mostOf = (step: string): number => (/opens|leads to/.test(step) ? MOST.opens : MOST.acts);

async function reference(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  const ms = await referenceTask(browser, page);
  await page.close();
  return ms;
}

test('no step of a main flow has a long task', async ({ browser }) => {
  for (const flow of flows) {
    let found: string[] = [];
    // A step counts as slow if it is so in every round: a collection of garbage can meet any.
    const tooLong = (tasks: ReadonlyMap<string, readonly Task[]>, unit: number): string[] =>
      [...tasks].flatMap(([step, [longest]]) =>
        longest && longest.ms > mostOf(step) * unit
          ? [`${step}: ${longest.ms} ms, the reference ${unit} ms; ${longest.parts.join('; ')}`]
          : [],
      );
    const isSlowAgain = (line: string): boolean => found.some((other) => other.split(':')[0] === line.split(':')[0]);
    for (let round = 0; round < FLOW_ROUNDS && (round === 0 || found.length > 0); round += 1) {
      const before = await reference(browser);
      const page = await openAs(browser, service, flow.people[round % flow.people.length] ?? null);
      await page.setViewportSize({ width: 1440, height: 900 });
      const tasks = await tasksOf(browser, page, (step) => flow.run(page, step, round));
      expect([...tasks].filter(([, { length }]) => length === 0)).toEqual([]);
      await page.context().close();
      const slow = tooLong(tasks, Math.max(before, await reference(browser)));
      found = round === 0 ? slow : slow.filter(isSlowAgain);
    }
    expect(found, flow.name).toEqual([]);
  }
});

test('a planted task is found, and the calls of a test are not counted', async ({ browser }) => {
  const most = MOST.acts * (await reference(browser));
  const page = await openAs(browser, service, null);
  await page.goto('/login');
  const tasks = await tasksOf(browser, page, async (step) => {
    step('of the test');
    await page.evaluate((turns) => {
      let sum = 0;
      for (let turn = 0; turn < turns; turn += 1) sum += Math.sqrt(turn);
      return sum;
    }, PLANTED_TURNS);
    step('of the page');
    await page.evaluate(
      (turns) =>
        new Promise<number>((resolve) => {
          setTimeout(() => {
            let sum = 0;
            for (let turn = 0; turn < turns; turn += 1) sum += Math.sqrt(turn);
            resolve(sum);
          });
        }),
      PLANTED_TURNS,
    );
  });
  const [planted] = tasks.get('of the page') ?? [];
  const [called] = tasks.get('of the test') ?? [];
  expect(planted?.ms).toBeGreaterThan(most);
  expect(planted?.wall).toBeGreaterThan(most / SLOWDOWN);
  expect(called?.ms ?? 0).toBeLessThan(most);
  expect(called?.wall ?? 0).toBeLessThan(planted?.wall ?? 0);
});
