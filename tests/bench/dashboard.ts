/**
 * Benchmark of the operations board's API: `node tests/bench/dashboard.ts`. A whole Marshal with a real database, called
 * over loopback by one client; 300 and 5,000 pilots in the ten zones, available on most evenings of the week.
 */
import { startTestServer } from '#tests/harness/database.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenLargeCommunity } from '#tests/harness/large-community/large-community.ts';
import { startService } from '#tests/harness/service.ts';

const COMMUNITIES = [300, 5_000];
const SEED = 2026;
const ROUNDS = 15;

const median = (values: readonly number[]): number =>
  Math.round((values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN) * 10) / 10;

/** `ms CPU` is the CPU time of a call in this process, client and server together; other load does not affect it. */
type Figures = { 'ms p50': number; 'ms max': number; 'ms CPU': number; KB: number };

async function measure(admin: Person): Promise<Record<string, Figures>> {
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const until = (days: number) => new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString();
  const series = `/admin/dashboard/series/expected-online?from=${date}T00:00:00Z`;
  const calls = {
    summary: `/admin/dashboard/summary?day=${date}&tz=Europe/Berlin`,
    'weekly summary': `/admin/dashboard/weekly-summary?startDate=${date}&tz=Europe/Berlin`,
    'expected online, 7 d x 30 min': `${series}&to=${until(7)}`,
    'expected online, 31 d x 5 min': `${series}&to=${until(31)}&bucket=5`,
    heat: `/admin/dashboard/heat?startDate=${date}&tz=Europe/Berlin`,
    'recommended times': `/admin/missions/recommended-time?date=${date}&tz=Europe/Berlin&minDuration=60&limit=3`,
    'recommended times, 3 aircraft': `/admin/missions/recommended-time?date=${date}&tz=Europe/Berlin&minDuration=180&limit=3&seats=1x4,2x4,3x4`,
    'recommended times, 24': `/admin/missions/recommended-time?date=${date}&tz=Europe/Berlin&minDuration=60&limit=24`,
  };
  const report: Record<string, Figures> = {};
  for (const [name, path] of Object.entries(calls)) {
    const times: number[] = [];
    const costs: number[] = [];
    let size = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const cpuBefore = process.cpuUsage();
      const began = performance.now();
      const { status, body } = await admin.client.call('GET', path);
      times.push(performance.now() - began);
      const { user, system } = process.cpuUsage(cpuBefore);
      costs.push((user + system) / 1_000);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      size = JSON.stringify(body).length;
    }
    report[name] = {
      'ms p50': median(times),
      'ms max': median([Math.max(...times)]),
      'ms CPU': median(costs),
      KB: Math.round(size / 1024),
    };
  }
  return report;
}

const stopServer = await startTestServer();
try {
  for (const pilots of COMMUNITIES) {
    const service = await startService();
    try {
      await givenLargeCommunity(service.databaseUrl, { pilots, seed: SEED });
      const report = await measure(await givenAdmin(service));
      process.stdout.write(`${JSON.stringify({ pilots, seed: SEED, ...report }, null, 2)}\n`);
    } finally {
      await service.stop();
    }
  }
} finally {
  await stopServer();
}
