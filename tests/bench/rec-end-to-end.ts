/**
 * Benchmark of recommended times over REST: `npm run bench -- rec-end-to-end`. A whole Marshal with a real database, one
 * client over loopback; 10,000 and 100,000 pilots. Against reading every pilot's rows and ranking them, as Marshal did
 * before it had an index, without HTTP.
 */
import { loadPresences } from '#server/availability/presences.ts';
import { freeWindows, startsAfter } from '#server/availability/rules/free-time.ts';
import { startTestServer } from '#tests/harness/database.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenLargeCommunity } from '#tests/harness/large-community/large-community.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { rankPlainly } from './plain-times.ts';
import { sizeOf } from './rec-given.ts';
import { figure, hashAnswer, type Report, timed } from './report.ts';
import { inRounds } from './rounds.ts';

const SEED = 108;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LONGEST_MS = 6 * HOUR_MS;
const isTiny = process.argv.includes('--tiny');

type Time = { readonly startUtc: string; readonly endUtc: string; readonly ids: readonly string[] };

const date = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10);
const PATH = `/admin/missions/recommended-time?date=${date}&tz=UTC&minDuration=60&limit=3`;

async function askRest(admin: Person): Promise<{ times: Time[]; bytes: number }> {
  const { status, body } = await admin.client.call('GET', PATH);
  if (status !== 200) throw new Error(`${PATH} answered ${status}`);
  const times = body.recommendations.map((time: { startUtc: string; endUtc: string; availableUserIds: string[] }) => ({
    startUtc: time.startUtc,
    endUtc: time.endUtc,
    ids: time.availableUserIds.toSorted(),
  }));
  return { times, bytes: JSON.stringify(body).length };
}

/** Nobody holds a seat in this community. */
async function readEveryPilot({ app }: Service): Promise<Time[]> {
  const startMs = Date.parse(`${date}T00:00:00Z`);
  const now = new Date();
  const range = { startMs, endMs: startMs + DAY_MS + LONGEST_MS };
  const pilots = (await loadPresences(app.orm.em.fork(), undefined, range, now)).map(({ id, presences, status }) => ({
    id,
    windows: freeWindows(presences, []),
    startsAfterMs: startsAfter(status.effectiveState, now.getTime()),
  }));
  const day = { startMs, endMs: startMs + DAY_MS };
  return rankPlainly(pilots, { day, minDurationMs: HOUR_MS, limit: 3 }).map((time) => ({
    startUtc: new Date(time.startMs).toISOString(),
    endUtc: new Date(time.endMs).toISOString(),
    ids: time.pilots.map(({ id }) => id).toSorted(),
  }));
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await act();
  return performance.now() - before;
}

async function measure(service: Service, pilots: number, barMs: number): Promise<Report> {
  await givenLargeCommunity(service.databaseUrl, { pilots, orders: 0, audit: 0, seed: SEED });
  const admin = await givenAdmin(service);
  const [rounds, runs] = isTiny ? [1, 2] : [5, 20];
  const rest = () => admin.client.call('GET', PATH);
  const { own, rows } = await inRounds(rounds, {
    own: {
      warmUp: rest,
      round: async () => {
        const times: number[] = [];
        for (let run = 0; run < runs; run += 1) times.push(await timeOf(rest));
        return times;
      },
    },
    rows: { warmUp: () => undefined, round: async () => [await timeOf(() => readEveryPilot(service))] },
  });
  const { times, bytes } = await askRest(admin);
  const expected = await readEveryPilot(service);
  const gap = expected.filter((time, rank) => hashAnswer(time) !== hashAnswer(times[rank])).length;
  return {
    name: 'rec-end-to-end',
    seed: SEED,
    size: sizeOf(pilots),
    ...timed(own, 'every row read and ranked, without HTTP', rows),
    gap: gap + Math.abs(times.length - expected.length),
    more: { answerKB: figure(bytes / 1_024), pilotsOfTheBest: times[0]?.ids.length ?? 0 },
    // ids differ from run to run
    answerHash: hashAnswer(times.map(({ ids }) => ids.length)),
    bar: `< ${barMs} ms`,
    barMet: own.median < barMs,
    ok: gap === 0 && times.length === expected.length,
  };
}

const stopServer = await startTestServer();
try {
  for (const [pilots, barMs] of isTiny
    ? ([[200, 3]] as const)
    : ([
        [10_000, 3],
        [100_000, 5],
      ] as const)) {
    const service = await startService();
    try {
      process.stdout.write(`${JSON.stringify(await measure(service, pilots, barMs))}\n`);
    } finally {
      await service.stop();
    }
  }
} finally {
  await stopServer();
}
