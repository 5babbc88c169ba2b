/**
 * Benchmark of live updates: their delay, and the memory of an open page on the server. `node tests/bench/live.ts`, one
 * process with a real database, over loopback. This process also reads the streams, so the memory is an upper limit.
 */
import { request } from 'node:http';
import { publishLive } from '#server/signals/live-signals.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { LIVE_PATH, readLiveEvent } from '#shared/live.ts';
import { givenCrowd, type CrowdPilot } from '#tests/harness/crowd.ts';
import { startTestServer } from '#tests/harness/database.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const EVENTS = 200;
const STREAMS = 500;
const BROADCASTS = 3;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
const ms = (value: number): number => Math.round(value * 100) / 100;

/** A raw reader, which keeps less memory than fetch, because the server's memory is measured. */
function openStream(service: Service, { cookie }: CrowdPilot, onEvent: (topic: string, version: number) => void) {
  return new Promise<() => void>((resolve, reject) => {
    const call = request(`${service.url}${LIVE_PATH}`, { headers: { cookie }, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
      response.setEncoding('utf8');
      response.on('error', () => undefined);
      response.on('data', (text: string) => {
        for (const frame of text.split('\n\n')) {
          const event = frame.startsWith('data: ') ? readLiveEvent(frame.slice('data: '.length)) : null;
          if (event?.topic === 'all') resolve(() => call.destroy());
          else if (event) onEvent(event.topic, event.version);
        }
      });
    });
    call.on('error', reject);
    call.end();
  });
}

/** Milliseconds from the end of the commit to the event, and from its start. */
async function measureDelay(service: Service, pilot: CrowdPilot): Promise<{ commit: number[]; whole: number[] }> {
  const arrived = new Map<number, number>();
  let wake = (): void => undefined;
  const close = await openStream(service, pilot, (_topic, version) => {
    arrived.set(version, performance.now());
    wake();
  });
  const commit: number[] = [];
  const whole: number[] = [];
  for (let count = 0; count < EVENTS; count += 1) {
    const began = performance.now();
    const version = await transact(service.app.orm.em, async (tx) => {
      await publishLive(tx, ['orders', [pilot.id]]);
      const [row] = await query<{ version: number }>(tx, sql`select pg_current_xact_id()::text::float8 as version`);
      return row?.version ?? 0;
    });
    const committed = performance.now();
    while (!arrived.has(version)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const at = arrived.get(version) ?? Number.NaN;
    // the notification often arrives before the response to the commit
    commit.push(Math.max(0, at - committed));
    whole.push(at - began);
  }
  close();
  return { commit, whole };
}

async function measureStreams(service: Service, pilots: readonly CrowdPilot[]) {
  const collect = globalThis.gc ?? (() => undefined);
  const heard = new Set<string>();
  let wake = (): void => undefined;
  collect();
  const before = process.memoryUsage();
  const closers: (() => void)[] = [];
  for (const pilot of pilots) {
    closers.push(
      await openStream(service, pilot, () => {
        heard.add(pilot.id);
        wake();
      }),
    );
  }
  collect();
  const after = process.memoryUsage();
  const broadcasts: number[] = [];
  const ids = pilots.map(({ id }) => id);
  for (let round = 0; round < BROADCASTS; round += 1) {
    heard.clear();
    const began = performance.now();
    await transact(service.app.orm.em, (tx) => publishLive(tx, ['orders', ids]));
    while (heard.size < pilots.length) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    broadcasts.push(performance.now() - began);
  }
  for (const close of closers) close();
  const kilobytes = (now: number, then: number) => Math.round((now - then) / pilots.length / 102.4) / 10;
  return {
    streams: pilots.length,
    'KB each, both ends: resident': kilobytes(after.rss, before.rss),
    'KB each, both ends: heap': kilobytes(after.heapUsed, before.heapUsed),
    'ms to the last of all': ms(percentile(broadcasts, 0.5)),
  };
}

const stopServer = await startTestServer();
const service = await startService();
try {
  const pilots = await givenCrowd(service, STREAMS);
  const [first] = pilots;
  if (!first) throw new Error('nobody');
  await measureDelay(service, first);
  const { commit, whole } = await measureDelay(service, first);
  const report = {
    events: EVENTS,
    'ms from commit to event': { p50: ms(percentile(commit, 0.5)), p99: ms(percentile(commit, 0.99)) },
    'ms from begin to event': { p50: ms(percentile(whole, 0.5)), p99: ms(percentile(whole, 0.99)) },
    ...(await measureStreams(service, pilots)),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
} finally {
  await service.stop();
  await stopServer();
}
