/**
 * Benchmark of live updates with 5,000 open event streams, `npm run bench -- live`: the memory of a stream, the delay of an
 * event, the time of a broadcast, and the CPU time of a server that only keeps the streams open. The server is a process of
 * its own, and so are the readers. `-- --snapshots=FOLDER` also writes heap snapshots with and without the streams.
 */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccessCache } from '#server/accounts/access-cache.ts';
import { createSessions } from '#server/accounts/sessions.ts';
import { connect } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import type { Change } from '#server/signals/rules/live-audience.ts';
import { givenCrowd, type CrowdPilot } from '#tests/harness/crowd.ts';
import { createTestDatabase, startTestServer } from '#tests/harness/database.ts';
import { startMarshal, type MarshalProcess } from './marshal-process.ts';
import { figure, hashAnswer, type Report } from './report.ts';
import type { ReaderOrder } from './stream-reader.ts';
import { gather, requireOpenFiles, startReaders } from './stream-readers.ts';

const isTiny = process.argv.includes('--tiny');
const snapshots = process.argv.find((word) => word.startsWith('--snapshots='))?.slice('--snapshots='.length);
const STREAMS = isTiny ? 200 : 5_000;
const EVENTS = isTiny ? 50 : 500;
/** Of each kind, one after another. */
const BROADCASTS = isTiny ? 1 : 4;
/** Three heartbeats of the server. */
const IDLE_MS = isTiny ? 1_000 : 66_000;
/** A topic for everybody rests this long after a broadcast. */
const REST_MS = 5_100;
const BARS = { kilobytes: 15, notifyMs: 5, broadcastMs: 150 };
/** Accounts per statement, few enough for the time limit of statements. */
const CROWD = 1_000;

const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const stopServer = await startTestServer();
const database = await createTestDatabase();
const orm = await connect(database.url);
const cache = createAccessCache(database.url);
requireOpenFiles(STREAMS);

/** Times of one change: before the commit is sent, and after its answer. */
async function publish(change: Change): Promise<{ version: number; committingAt: number; committedAt: number }> {
  const sent = await transact(orm.em.fork(), async (tx) => {
    await publishLive(tx, [change], []);
    const [row] = await query<{ version: number }>(tx, sql`select pg_current_xact_id()::text::float8 as version`);
    return { version: row?.version ?? 0, committingAt: now() };
  });
  return { ...sent, committedAt: now() };
}

/** ms from before and from after the commit to the event, with all other streams idle. */
async function measureDelay(readers: readonly ChildProcess[], pilot: CrowdPilot, count: number) {
  const sent: Awaited<ReturnType<typeof publish>>[] = [];
  for (let event = 0; event < count; event += 1) {
    sent.push(await publish(['orders', [pilot.id]]));
    await pause(5);
  }
  await pause(500);
  const { events } = await gather(readers);
  const delays = sent.map(({ version, committingAt, committedAt }) => {
    const at = events.find((event) => event.version === version && event.topic === 'orders')?.lastAt ?? Number.NaN;
    // the event often overtakes the answer to the commit
    return { whole: at - committingAt, after: Math.max(0, at - committedAt) };
  });
  const lost = delays.filter(({ whole }) => Number.isNaN(whole)).length;
  return { whole: delays.map(({ whole }) => whole), after: delays.map(({ after }) => after), lost };
}

/** ms from before the commit to the last of all streams; `orders` of all pilots are many notifications. */
async function measureBroadcasts(
  server: MarshalProcess,
  readers: readonly ChildProcess[],
  changes: readonly Change[],
  pilots: number,
) {
  const times: number[] = [];
  const cpu: number[] = [];
  let lost = 0;
  for (let round = 0; round < BROADCASTS; round += 1) {
    for (const change of changes) {
      const cpuBefore = await server.cpuMs();
      const { version, committingAt } = await publish(change);
      await pause(Math.ceil(REST_MS / changes.length));
      cpu.push((await server.cpuMs()) - cpuBefore);
      const { events } = await gather(readers);
      const own = events.filter((event) => event.version === version);
      lost += pilots - own.reduce((sum, { streams }) => sum + streams, 0);
      times.push(Math.max(...own.map(({ lastAt }) => lastAt)) - committingAt);
    }
  }
  return { times, cpu, lost };
}

async function measureCpu(server: MarshalProcess, ms: number): Promise<number> {
  const before = await server.cpuMs();
  const began = now();
  await pause(ms);
  return (((await server.cpuMs()) - before) / (now() - began)) * 100;
}

function print(
  part: string,
  unit: string,
  values: readonly number[],
  judged: number,
  bar: number,
  lost: number,
  more: Report['more'],
): void {
  const line = {
    name: `sse-5k ${part}`,
    seed: 0,
    size: `${STREAMS} streams`,
    runs: values.length,
    unit,
    median: figure(quantile(values, 0.5)),
    fastest: figure(Math.min(...values)),
    p99: figure(quantile(values, 0.99)),
    baseline: '',
    baselineMedian: 0,
    ratio: 0,
    gap: lost,
    more,
    answerHash: hashAnswer({ part, STREAMS, lost }),
    bar: `< ${bar} ${unit}`,
    barMet: judged < bar,
    ok: lost === 0,
  };
  const checked: Report = line;
  process.stdout.write(`${JSON.stringify(checked)}\n`);
}

try {
  const app = { orm, sessions: createSessions(orm, cache, { secure: false }) };
  const pilots: CrowdPilot[] = [];
  while (pilots.length < STREAMS) pilots.push(...(await givenCrowd({ app }, Math.min(CROWD, STREAMS - pilots.length))));
  const [first] = pilots;
  if (!first) throw new Error('nobody');
  const server = await startMarshal(database.url);

  // compiles the code of the route, so that this is not counted as memory of streams
  for (let round = 0; round < 3; round += 1) {
    const warming = await startReaders(server.port, pilots.slice(0, Math.min(500, STREAMS)));
    for (const reader of warming) reader.send('stop' satisfies ReaderOrder);
    await pause(500);
  }
  await pause(2_000);
  const idleCpu = await measureCpu(server, isTiny ? 500 : 20_000);
  const before = await server.memory();
  if (snapshots !== undefined) await server.snapshot(join(snapshots, 'without.heapsnapshot'));

  const cpuBefore = await server.cpuMs();
  const readers = await startReaders(server.port, pilots);
  const openMs = (await server.cpuMs()) - cpuBefore;
  // long enough for the connections of the pool to close, and for V8 to give memory back
  await pause(isTiny ? 1_000 : 15_000);
  const after = await server.memory();
  if (snapshots !== undefined) await server.snapshot(join(snapshots, 'with.heapsnapshot'));
  const perStream = (bytes: number): number => figure(bytes / STREAMS / 1_024);
  const resident = perStream(after.rss - before.rss);
  print('memory', 'KB', [resident], resident, BARS.kilobytes, 0, {
    'heap, KB each': perStream(after.heap - before.heap),
    'outside the heap, KB each': perStream(after.external - before.external),
    'CPU ms to open one': figure(openMs / STREAMS),
  });

  await measureDelay(readers, first, 50);
  const delay = await measureDelay(readers, first, EVENTS);
  print('notify', 'ms', delay.whole, quantile(delay.whole, 0.99), BARS.notifyMs, delay.lost, {
    'p50 after the answer to the commit': figure(quantile(delay.after, 0.5)),
    'p99 after the answer to the commit': figure(quantile(delay.after, 0.99)),
  });

  const everybody = await measureBroadcasts(server, readers, ['stats', 'aircraft'], STREAMS);
  print('broadcast', 'ms', everybody.times, quantile(everybody.times, 0.5), BARS.broadcastMs, everybody.lost, {
    'CPU ms of the server': figure(quantile(everybody.cpu, 0.5)),
  });
  const named = await measureBroadcasts(server, readers, [['orders', pilots.map(({ id }) => id)]], STREAMS);
  print('orders of all', 'ms', named.times, quantile(named.times, 0.5), BARS.broadcastMs, named.lost, {
    'CPU ms of the server': figure(quantile(named.cpu, 0.5)),
  });

  const cpu = await measureCpu(server, IDLE_MS);
  const { open } = await gather(readers);
  print('idle CPU', '% of a core', [cpu], cpu, 3, STREAMS - open, { 'without streams': figure(idleCpu) });
  for (const reader of readers) reader.send('stop' satisfies ReaderOrder);
  await server.stop();
} finally {
  await cache.stop();
  await orm.close();
  await database.drop();
  await stopServer();
}
