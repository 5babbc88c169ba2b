/**
 * Benchmark of recommended times over REST: `npm run bench -- rec-end-to-end`. A whole Marshal with a real database, one
 * client over loopback; 10,000 and 100,000 pilots. Against reading every pilot's rows and ranking them, as Marshal did
 * before it had an index, without HTTP.
 */
import { loadPresences } from '#server/availability/presences.ts';
import { freeWindows } from '#server/availability/rules/pilot-presences.ts';
import { startsAfter } from '#server/availability/rules/do-not-disturb.ts';
import { db } from '#server/schema/database.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import { RECOMMENDED_PILOTS } from '#shared/limits.ts';
import type { RecommendationDto } from '#shared/schemas/dashboard.ts';
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

type Time = {
  readonly startUtc: string;
  readonly endUtc: string;
  readonly count: number;
  /** of the first pilots by name */
  readonly ids: readonly string[];
};

const date = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10);
const PATH = `/admin/missions/recommended-time?date=${date}&tz=UTC&minDuration=60&limit=3`;

async function askRest(admin: Person): Promise<{ times: Time[]; bytes: number }> {
  const { status, body } = await admin.client.call('GET', PATH);
  if (status !== 200) throw new Error(`${PATH} answered ${status}`);
  const times = (body.recommendations as RecommendationDto[]).map((time) => ({
    startUtc: time.startUtc,
    endUtc: time.endUtc,
    count: time.participantCount,
    ids: time.availableUserIds,
  }));
  return { times, bytes: JSON.stringify(body).length };
}

/** Nobody holds a seat in this community. */
async function readEveryPilot({ app }: Service): Promise<Time[]> {
  const startMs = Date.parse(`${date}T00:00:00Z`);
  const now = new Date();
  const range = { startMs, endMs: startMs + DAY_MS + LONGEST_MS };
  const rows = await db(app.orm.em.fork())
    .selectFrom('app_user as u')
    .select(['u.id', nameForAdmins('u').as('name')])
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const pilots = (await loadPresences(app.orm.em.fork(), undefined, range, now)).map(({ id, presences, status }) => ({
    id,
    name: names.get(id) ?? '',
    windows: freeWindows(presences, []),
    startsAfterMs: startsAfter(status.effectiveState, now.getTime()),
  }));
  const day = { startMs, endMs: startMs + DAY_MS };
  return rankPlainly(pilots, { day, minDurationMs: HOUR_MS, limit: 3 }).map((time) => ({
    startUtc: new Date(time.startMs).toISOString(),
    endUtc: new Date(time.endMs).toISOString(),
    count: time.pilots.length,
    ids: time.pilots
      .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id))
      .slice(0, RECOMMENDED_PILOTS.initial)
      .map(({ id }) => id),
  }));
}

/** Milliseconds of each of `count` calls, one after the other. */
async function timesOf(count: number, act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const before = performance.now();
    await act();
    times.push(performance.now() - before);
  }
  return times;
}

async function measure(service: Service, pilots: number, barMs: number): Promise<Report> {
  await givenLargeCommunity(service.databaseUrl, { pilots, orders: 0, audit: 0, seed: SEED });
  const admin = await givenAdmin(service);
  const [rounds, runs, warmUps] = isTiny ? [1, 2, 1] : [5, 60, 300];
  const rest = () => admin.client.call('GET', PATH);
  const { own, rows } = await inRounds(rounds, {
    own: {
      // as in a server that has answered for a while
      warmUp: () => timesOf(warmUps, rest),
      round: () => timesOf(runs, rest),
    },
    rows: { warmUp: () => undefined, round: () => timesOf(1, () => readEveryPilot(service)) },
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
    more: { answerKB: figure(bytes / 1_024), pilotsOfTheBest: times[0]?.count ?? 0 },
    // ids differ from run to run
    answerHash: hashAnswer(times.map(({ count }) => count)),
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
