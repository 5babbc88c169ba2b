/**
 * Benchmark of the operations board on the main thread, with 300 pilots: `node tests/bench/dashboard-scripting.ts`,
 * after `npm run build`. Each figure is the milliseconds of JavaScript for one interaction, including server responses.
 */
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '#tests/harness/chromium.js';
import { CROWD_AIRCRAFT, givenWeeks } from '#tests/harness/crowd-weeks.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { startTestServer } from '#tests/harness/database.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { meterOf, type Cost } from '#tests/harness/scripting.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { dayChart, interactionsOf } from '#tests/ui/board.ts';

const PILOTS = 300;
const ROUNDS = 7;
const LIMIT_MS = 100;

/** Three missions a day for seven days, with sixteen seats each. */
async function givenBusyWeek(service: Service, admin: Person): Promise<void> {
  for (let day = 0; day < 7; day += 1) {
    for (let number = 1; number <= 3; number += 1) {
      const start = day * 24 + number * 5;
      await givenMission(service, admin, {
        name: `Op ${day}-${number}`,
        startLocal: hoursFromNow(start),
        endLocal: hoursFromNow(start + 2),
        aircraftSlots: [
          { aircraftId: CROWD_AIRCRAFT, slotCount: 8, side: 0, notes: 'CAP' },
          { aircraftId: 3, slotCount: 8, side: 0, notes: 'CAS' },
        ],
      });
    }
  }
}

const stopServer = await startTestServer();
const service = await startService({ withClient: true });
const browser = await chromium.launch({ executablePath: (await findChromium()) ?? undefined, args: CHROMIUM_ARGS });
try {
  const admin = await givenAdmin(service);
  await givenWeeks(service, await givenCrowd(service, PILOTS));
  await givenBusyWeek(service, admin);
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1440, height: 900 } });
  const cookies = admin.client.cookie().split('; ');
  await context.addCookies(
    cookies.map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: service.url,
    })),
  );
  const page = await context.newPage();
  await page.goto('/admin');
  await dayChart(page).waitFor();
  const measure = await meterOf(page);
  const costs = new Map<string, Cost[]>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, act] of Object.entries(interactionsOf(page))) {
      const cost = await measure(() => act(round));
      costs.set(name, [...(costs.get(name) ?? []), cost]);
    }
  }
  const figures = [...costs].map(([name, list]) => {
    const scripts = list.map(({ script }) => script).toSorted((a, b) => a - b);
    const layouts = list.map(({ layout }) => layout).toSorted((a, b) => a - b);
    const middle = Math.floor(scripts.length / 2);
    return {
      name,
      'ms of script': { median: Math.round(scripts[middle] ?? 0), most: Math.round(scripts.at(-1) ?? 0) },
      'ms of layout': Math.round(layouts[middle] ?? 0),
    };
  });
  process.stdout.write(`${JSON.stringify({ pilots: PILOTS, rounds: ROUNDS, figures }, null, 2)}\n`);
  if (figures.some((figure) => figure['ms of script'].median >= LIMIT_MS)) process.exitCode = 1;
} finally {
  await browser.close();
  await service.stop();
  await stopServer();
}
