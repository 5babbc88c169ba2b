/**
 * Benchmark of a burst of answers, `npm run bench -- rsvp-burst`: 5,000 pilots accept one of 64 seats, over HTTP, at two
 * Marshal processes on one database. `-- --profile=FOLDER` also writes CPU profiles of the processes.
 */
import { createTestDatabase, startTestServer } from '#tests/harness/database.ts';
import { acceptAll, givenBurst, judgeBurst } from '#tests/harness/burst.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { callOffMissions, retirePilots } from '#tests/harness/orders.ts';
import { startService } from '#tests/harness/service.ts';
import { ORIGIN, startMarshal } from './marshal-process.ts';
import { figure, hashAnswer, measured, type Report } from './report.ts';

const isTiny = process.argv.includes('--tiny');
const profile = process.argv.find((word) => word.startsWith('--profile='))?.slice('--profile='.length);
const SIZE = isTiny ? { pilots: 200, seats: 8 } : { pilots: 5_000, seats: 64 };
/** A burst of its own before, which compiles the code and opens the connections of the pools. */
const WARM_UP = isTiny ? { pilots: 40, seats: 4 } : { pilots: 1_000, seats: 8 };
/** Answers under way at a time. */
const LANES = 64;
const PROCESSES = 2;
const BAR_MS = 300;
const LONG_TERM = { ms: 50, perSecond: 5_000 };

const stopServer = await startTestServer();
const database = await createTestDatabase();
const service = await startService({ database: { ...database, drop: () => Promise.resolve() } });
try {
  const admin = await givenAdmin(service);
  const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, () => startMarshal(database.url, { nodeOptions })),
  );
  const to = { doors: processes.map(({ port }) => ({ port, origin: ORIGIN })), lanes: LANES };
  const cpuOf = async () => (await Promise.all(processes.map(({ cpuMs }) => cpuMs()))).reduce((sum, ms) => sum + ms, 0);

  const warmUp = await givenBurst(service, admin, WARM_UP);
  const faults = await judgeBurst(service, warmUp, (await acceptAll(warmUp, to)).answers);
  // its pilots are looking for a flight, and would be seated in the next mission
  await callOffMissions(service);
  await retirePilots(service);
  const burst = await givenBurst(service, admin, SIZE);
  const cpuBefore = await cpuOf();
  const { answers, ms } = await acceptAll(burst, to);
  const cpu = (await cpuOf()) - cpuBefore;
  faults.push(...(await judgeBurst(service, burst, answers)));
  for (const fault of faults.slice(0, 20)) process.stderr.write(`${fault}\n`);

  const times = measured(answers.map((answer) => answer.ms));
  const winners = measured(answers.filter(({ status }) => status === 200).map((answer) => answer.ms));
  const perSecond = answers.length / (ms / 1_000);
  const report: Report = {
    name: 'rsvp-burst',
    seed: 0,
    size: `${SIZE.pilots} answers for ${SIZE.seats} seats, ${PROCESSES} processes, ${LANES} answers at a time`,
    ...times,
    gap: faults.length,
    more: {
      'answers per second': figure(perSecond),
      'p50 of the pilots with a seat': winners.median,
      'p99 of the pilots with a seat': winners.p99,
      'CPU ms of the processes for an answer': figure(cpu / answers.length),
      [`long-term bar: p99 < ${LONG_TERM.ms} ms, ${LONG_TERM.perSecond} per second`]:
        times.p99 < LONG_TERM.ms && perSecond >= LONG_TERM.perSecond ? 'reached' : 'missed',
    },
    answerHash: hashAnswer({ ...SIZE, faults }),
    bar: `p99 < ${BAR_MS} ms, ${SIZE.seats} winners, no other refusal than a taken seat`,
    barMet: times.p99 < BAR_MS,
    ok: faults.length === 0,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  await Promise.all(processes.map((one) => one.stop()));
} finally {
  await service.stop();
  await database.drop();
  await stopServer();
}
