/**
 * Benchmark of the main flows on a processor that is four times slower: `node tests/bench/long-tasks.ts`, after
 * `npm run build`. Prints the longest task of each step, the shortest of the rounds. `--slowed` slows the browser instead of
 * multiplying CPU time, `--parts` also names the parts of tasks over 50 ms.
 */
import { loadavg } from 'node:os';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium, findHeadlessShell } from '#tests/harness/chromium.js';
import { startTestServer } from '#tests/harness/database.ts';
import { referenceTask, SLOWDOWN, tasksOf, type Task } from '#tests/harness/long-tasks.ts';
import { startService } from '#tests/harness/service.ts';
import { FLOW_ROUNDS, givenMainFlows } from '#tests/ui/main-flows.ts';
import { openAs } from '#tests/ui/pages.ts';

const LIMIT_MS = 50;
const isSlowed = process.argv.includes('--slowed');
const load = [loadavg()[0]];
const stopServer = await startTestServer();
const service = await startService({ withClient: true });
const executablePath = (await findHeadlessShell()) ?? (await findChromium()) ?? undefined;
const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
try {
  const reference = await referenceTask(browser, await browser.newPage());
  const best = new Map<string, Task>();
  for (const flow of await givenMainFlows(service)) {
    for (let round = 0; round < FLOW_ROUNDS; round += 1) {
      const page = await openAs(browser, service, flow.people[round % flow.people.length] ?? null);
      await page.setViewportSize({ width: 1440, height: 900 });
      const steps = await tasksOf(browser, page, (step) => flow.run(page, step, round), isSlowed);
      for (const [name, [longest]] of steps) {
        const known = best.get(name);
        if (longest && (known === undefined || longest.ms < known.ms)) best.set(name, longest);
      }
      await page.context().close();
    }
  }
  load.push(loadavg()[0]);
  const figures = [...best].map(([name, { ms, wall, parts }]) => ({
    name,
    ms,
    wall,
    ...(process.argv.includes('--parts') && ms > LIMIT_MS ? { parts } : {}),
  }));
  const report = { slowdown: SLOWDOWN, isSlowed, rounds: FLOW_ROUNDS, reference, load, figures };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
} finally {
  await browser.close();
  await service.stop();
  await stopServer();
}
