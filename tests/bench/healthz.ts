/**
 * Benchmark of the event loop under the admins' board, `npm run bench -- healthz`: the delay of `/healthz` while 16 board
 * calls are under way over 100,000 pilots.
 */
import { hoursFromNow } from '#tests/harness/given.ts';
import { composeRequest, openLane } from '#tests/harness/lane.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { type LargeMarshal, withLargeMarshal } from './large-marshal.ts';
import { ORIGIN } from './marshal-process.ts';
import { sizeOf } from './rec-given.ts';
import { figure, hashAnswer, measured, type Report } from './report.ts';

const isTiny = process.argv.includes('--tiny');
const SEED = 516;
const COMMUNITY = { pilots: isTiny ? 300 : 100_000 };
const BOARD_CALLS = 16;
const LASTS_MS = isTiny ? 2_000 : 60_000;
/** Between an answer of `/healthz` and the next request. */
const PROBE_EVERY_MS = 10;
const BAR_MS = 20;
const DAY_MS = 86_400_000;

const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const ZONE = 'tz=Europe/Berlin';
/** Paths of the reads that the board's panels make. */
const READS: Record<string, string> = {
  'recommended times': `/admin/missions/recommended-time?date=${day(2)}&${ZONE}&minDuration=180&limit=3`,
  heat: `/admin/dashboard/heat?startDate=${day(2)}&${ZONE}`,
  'expected online': `/admin/dashboard/series/expected-online?from=${day(2)}T00:00:00Z&to=${day(9)}T00:00:00Z&bucket=30`,
  'day summary': `/admin/dashboard/summary?day=${day(2)}&${ZONE}`,
  'week summary': `/admin/dashboard/weekly-summary?startDate=${day(2)}&${ZONE}`,
};
const DRY_RUN = 'dry run';
const dryRun = {
  startLocal: hoursFromNow(50),
  endLocal: hoursFromNow(53),
  timeZone: 'UTC',
  aircraftSlots: Array.from({ length: 8 }, (_, index) => ({
    aircraftId: index + 1,
    slotCount: 8,
    side: index % 2,
    notes: 'CAP',
  })),
};

function requestsOf(cookie: string): [name: string, request: string][] {
  const get = (path: string) => composeRequest({ method: 'GET', path: `/api/v1${path}`, cookie });
  const path = '/api/v1/admin/missions/dry-run';
  return [
    ...Object.entries(READS).map(([name, read]): [string, string] => [name, get(read)]),
    [DRY_RUN, composeRequest({ method: 'POST', path, cookie, origin: ORIGIN, body: dryRun })],
  ];
}

/** Each of so many connections makes one board call after another. @returns ms by call, the answers that it is too busy, and other refusals */
async function callBoard(port: number, requests: readonly [string, string][], until: number) {
  const times = new Map(requests.map(([name]) => [name, [] as number[]]));
  const refused: string[] = [];
  let busy = 0;
  const run = async (first: number): Promise<void> => {
    const lane = await openLane(port);
    for (let call = first; performance.now() < until; call += 1) {
      const [name = '', request = ''] = requests[call % requests.length] ?? [];
      const began = performance.now();
      const { status, body } = await lane.ask(request);
      times.get(name)?.push(performance.now() - began);
      if (status === 503) busy += 1;
      else if (status !== 200) refused.push(`${name}: ${status} ${body.slice(0, 200)}`);
    }
    lane.close();
  };
  await Promise.all(Array.from({ length: BOARD_CALLS }, (_, lane) => run(lane)));
  return { times, refused, busy };
}

/** One call after another, with nothing else under way: the second time, when the code is compiled. @returns ms by call */
async function callAlone(port: number, requests: readonly [string, string][]): Promise<[name: string, ms: number][]> {
  const lane = await openLane(port);
  const times: [string, number][] = [];
  for (const [name, request] of [...requests, ...requests]) {
    const began = performance.now();
    const { status } = await lane.ask(request);
    if (status !== 200) throw new Error(`${name} answered ${status}`);
    times.push([name, performance.now() - began]);
  }
  lane.close();
  return times.slice(requests.length);
}

/** ms of `/healthz`, and statuses other than 200. */
async function probe(port: number, until: number) {
  const lane = await openLane(port);
  const request = composeRequest({ method: 'GET', path: '/healthz', cookie: '' });
  const times: number[] = [];
  const refused: string[] = [];
  while (performance.now() < until) {
    const began = performance.now();
    const { status } = await lane.ask(request);
    times.push(performance.now() - began);
    if (status !== 200) refused.push(`healthz: ${status}`);
    await pause(PROBE_EVERY_MS);
  }
  lane.close();
  return { times, refused };
}

async function measure({ marshal, admin, readRoster }: LargeMarshal): Promise<Report> {
  await readRoster();
  const requests = requestsOf(admin.client.cookie());
  const alone = await callAlone(marshal.port, requests);
  const quiet = await probe(marshal.port, performance.now() + LASTS_MS / 12);
  const until = performance.now() + LASTS_MS;
  const [board, health] = await Promise.all([callBoard(marshal.port, requests, until), probe(marshal.port, until)]);
  const refused = [...board.refused, ...health.refused, ...quiet.refused];
  for (const line of refused.slice(0, 20)) process.stderr.write(`${line}\n`);
  const times = measured(health.times);
  return {
    name: 'healthz',
    seed: SEED,
    size: `${sizeOf(COMMUNITY.pilots)}, ${BOARD_CALLS} board calls at a time`,
    ...times,
    gap: refused.length,
    more: {
      slowest: figure(Math.max(...health.times)),
      'p99 without board calls': measured(quiet.times).p99,
      'board calls': [...board.times.values()].reduce((sum, of) => sum + of.length, 0),
      'board calls that were refused with 503': board.busy,
      ...Object.fromEntries(alone.map(([name, ms]) => [`${name} alone`, figure(ms)])),
    },
    answerHash: hashAnswer(refused),
    bar: `p99 < ${BAR_MS} ms`,
    barMet: times.p99 < BAR_MS,
    ok: refused.length === 0,
  };
}

process.stdout.write(`${JSON.stringify(await withLargeMarshal({ ...COMMUNITY, seed: SEED }, measure))}\n`);
