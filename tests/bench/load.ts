/**
 * Benchmark of a busy evening, `npm run bench -- load`: 1,000 pilots open their home pages within a minute and keep them open for
 * ten, then there are also 200 sign-ins a second from as many addresses and 500 connections that never finish their request.
 * `--minutes=2` is shorter.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { givenPages, withLargeMarshal, type LargeMarshal } from './large-marshal.ts';
import { startPolls } from './home-polls.ts';
import { ORIGIN } from './marshal-process.ts';
import { sizeOf } from './rec-given.ts';
import { figure, hashAnswer, measured, type Report } from './report.ts';
import { gather, requireOpenFiles, startReaders } from './stream-readers.ts';
import type { ReaderOrder } from './stream-reader.ts';

const option = process.argv.find((word) => word.startsWith('--minutes='))?.slice('--minutes='.length);
const isTiny = process.argv.includes('--tiny');
const SEED = 350;
const PILOTS = isTiny ? 300 : 10_000;
const PAGES = isTiny ? 50 : 1_000;
const PHASE_MS = isTiny ? 10_000 : Number(option ?? 10) * 60_000;
/** The time in which the pilots open their pages. */
const ARRIVE_MS = isTiny ? 5_000 : 60_000;
/** The flood is shorter: after a minute nothing changes any more. */
const FLOOD_MS = Math.min(PHASE_MS, 180_000);
const SIGN_INS_PER_SECOND = 200;
const SLOW_SOCKETS = isTiny ? 50 : 500;
const BAR_MS = { quiet: 250, flood: 500 };
/** Of the memory in the first third of the time: what the last third may have more, and still be flat. */
const FLAT = 1.05;

/** Sign-ins with made-up accounts and addresses. @returns a function that stops it and says how the answers were distributed */
function startFlood(port: number): () => Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  const answers: Record<string, number> = {};
  const under = new Set<Promise<void>>();
  const signIn = (): Promise<void> =>
    new Promise((resolve) => {
      const count = (outcome: string) => {
        answers[outcome] = (answers[outcome] ?? 0) + 1;
        resolve();
      };
      const address = Array.from({ length: 4 }, () => randomInt(1, 255)).join('.');
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: 'POST',
          path: '/api/v1/auth/login',
          headers: { origin: ORIGIN, 'content-type': 'application/json', 'x-forwarded-for': address },
        },
        (response) => response.resume().once('end', () => count(String(response.statusCode))),
      );
      asked.once('error', (error) => count(error.message));
      asked.end(JSON.stringify({ email: `stranger-${randomInt(1e9)}@example.org`, password: 'not the password' }));
    });
  const timer = setInterval(() => {
    for (let one = 0; one < SIGN_INS_PER_SECOND / 20; one += 1) {
      const asked = signIn().finally(() => under.delete(asked));
      under.add(asked);
    }
  }, 50);
  return async () => {
    clearInterval(timer);
    await Promise.all(under);
    agent.destroy();
    return answers;
  };
}

/** Connections that send one header after another and never end them; each is opened again when the server closes it. */
function startSlowSockets(port: number): () => Promise<number> {
  const end = new AbortController();
  let closed = 0;
  const dawdle = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
      const drip = setInterval(() => socket.write('X-Slow: 1\r\n'), 2_000);
      const over = () => socket.destroy();
      end.signal.addEventListener('abort', over);
      await once(socket, 'close');
      end.signal.removeEventListener('abort', over);
      clearInterval(drip);
      if (!end.signal.aborted) closed += 1;
    }
  };
  const sockets = Array.from({ length: SLOW_SOCKETS }, dawdle);
  return async () => {
    end.abort();
    await Promise.all(sockets);
    return closed;
  };
}

async function measure(large: LargeMarshal): Promise<Report> {
  const { marshal } = large;
  await large.readRoster();
  const pilots = await givenPages(large, PAGES);
  const readers = await startReaders(marshal.port, pilots);
  const polls = startPolls(marshal.port, pilots, ARRIVE_MS);
  await pause(ARRIVE_MS);
  const arriving = [...polls.openings.splice(0), ...polls.times.splice(0)];
  const memory: number[] = [];
  const rounds = 12;
  for (let round = 0; round < rounds; round += 1) {
    await pause(PHASE_MS / rounds);
    memory.push((await marshal.usage()).rss);
  }
  const quiet = polls.times.splice(0);
  const quietErrors = polls.errors.splice(0);
  const cpuBefore = await marshal.cpuMs();
  const stopFlood = startFlood(marshal.port);
  const stopSlow = startSlowSockets(marshal.port);
  await pause(FLOOD_MS);
  const flood = polls.times.splice(0);
  const cpu = (await marshal.cpuMs()) - cpuBefore;
  const signIns = await stopFlood();
  const closed = await stopSlow();
  const floodErrors = polls.errors.splice(0);
  await polls.stop();
  const { open } = await gather(readers);
  for (const reader of readers) reader.send('stop' satisfies ReaderOrder);

  const errors = [
    ...quietErrors,
    ...floodErrors,
    ...(open === PAGES ? [] : [`${PAGES - open} event streams have ended`]),
  ];
  for (const error of errors.slice(0, 20)) process.stderr.write(`${error}\n`);
  const third = rounds / 3;
  const isFlat = Math.max(...memory.slice(-third)) <= FLAT * Math.max(...memory.slice(1, third + 1));
  const [opening, calm, flooded] = [measured(arriving), measured(quiet), measured(flood)];
  return {
    name: 'load',
    seed: SEED,
    size: `${sizeOf(PILOTS)}, ${PAGES} open home pages, ${SIGN_INS_PER_SECOND} sign-ins a second, ${SLOW_SOCKETS} slow connections`,
    ...flooded,
    unit: 'ms',
    gap: errors.length,
    more: {
      'requests while the pages open': arriving.length,
      'p50 of these, ms': opening.median,
      'p99 of these, ms': opening.p99,
      'requests without the flood': quiet.length,
      'p50 without it, ms': calm.median,
      'p99 without it, ms': calm.p99,
      'MB during the time without it': memory.map((bytes) => figure(bytes / 1_048_576)).join(' '),
      flat: isFlat ? 'yes' : 'no',
      'requests in the flood': flood.length,
      'answers to sign-ins': Object.entries(signIns)
        .map(([outcome, times]) => `${outcome}: ${times}`)
        .join(', '),
      'slow connections that were closed': closed,
      'CPU in the flood, % of a core': figure((cpu / FLOOD_MS) * 100),
    },
    answerHash: hashAnswer(errors),
    bar: `p99 < ${BAR_MS.flood} ms, < ${BAR_MS.quiet} ms without the flood, flat memory, no errors`,
    barMet: flooded.p99 < BAR_MS.flood && calm.p99 < BAR_MS.quiet && opening.p99 < BAR_MS.quiet && isFlat,
    ok: errors.length === 0,
  };
}

requireOpenFiles(PAGES * 2 + SLOW_SOCKETS * 2 + 1_000);
const env = { TRUST_PROXY: '1' };
process.stdout.write(`${JSON.stringify(await withLargeMarshal({ pilots: PILOTS, seed: SEED }, measure, env))}\n`);
