/** The calls that an open home page repeats, for many pilots at once. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrowdPilot } from '#tests/harness/crowd.ts';
import { OPENINGS_POLL_MS, POLL_MS, WINDOW_DAYS } from '#shared/limits.ts';

type Call = readonly [name: string, input?: object];

/** Where the page's queries are made: `client/src/features/home/`. All intervals are multiples of the shortest one. */
const EVERY: readonly (readonly [ms: number, callOf: (pilot: CrowdPilot) => Call])[] = [
  [POLL_MS.status, ({ id }) => ['pilot.status', { id }]],
  [POLL_MS.inbox, () => ['pilot.inboxStatus']],
  [POLL_MS.inbox, () => ['pilot.inbox']],
  [POLL_MS.inbox, () => ['pilot.inbox', { includeCompleted: true }]],
  [POLL_MS.accepted, () => ['pilot.accepted']],
  [POLL_MS.stats, () => ['pilot.stats']],
  [POLL_MS.inbox, () => ['pilot.notices']],
  [POLL_MS.inbox, () => ['pilot.swaps.list']],
  [OPENINGS_POLL_MS, () => ['pilot.seats.openings']],
];
const TICK_MS = POLL_MS.status;

/** Calls that the page makes once, when it opens. */
const opening = ({ id }: CrowdPilot): Call[] => [
  ['availability.aircraft', { activeOnly: true }],
  ['availability.window', { id, days: WINDOW_DAYS.initial }],
];

/** The calls of one moment in one request, as the page's client batches them. */
function batchOf(calls: readonly Call[]): string {
  const inputs = Object.fromEntries(calls.flatMap(([, input], at) => (input ? [[at, input]] : [])));
  return `/trpc/${calls.map(([name]) => name).join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
}

const agent = new Agent({ keepAlive: true });

/** Asks again, as browsers do, when the server has closed a connection that was idle in the moment in which it was used. */
function get(port: number, path: string, cookie: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, agent, headers: { cookie } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(get(port, path, cookie));
      else reject(error);
    });
    asked.end();
  });
}

export interface Polls {
  /** ms of each request so far that a page has repeated */
  times: number[];
  /** ms of the two requests with which each page opens */
  openings: number[];
  calls: number;
  /** what was not answered as it should be */
  errors: string[];
  /** Resolves when the last page has been closed. */
  stop: () => Promise<void>;
}

/**
 * Open a home page for each pilot, one after another, and keep all of them polling.
 * @param withinMs the last page opens after this time: people do not all arrive in one moment
 */
export function startPolls(port: number, pilots: readonly CrowdPilot[], withinMs: number): Polls {
  const end = new AbortController();
  const polls: Omit<Polls, 'stop'> = { times: [], openings: [], calls: 0, errors: [] };

  async function ask(calls: readonly Call[], cookie: string, isOpening: boolean): Promise<void> {
    const began = performance.now();
    try {
      const { status, body } = await get(port, batchOf(calls), cookie);
      (isOpening ? polls.openings : polls.times).push(performance.now() - began);
      const answers = JSON.parse(body) as { result?: unknown }[];
      const isRight = status === 200 && answers.length === calls.length && answers.every(({ result }) => result);
      if (!isRight) polls.errors.push(`${status} ${body.slice(0, 300)}`);
    } catch (error) {
      polls.errors.push(String(error));
    }
    polls.calls += calls.length;
  }

  async function openPage(pilot: CrowdPilot, delayMs: number): Promise<void> {
    const wait = (ms: number) =>
      pause(ms, undefined, { signal: end.signal }).then(
        () => true,
        () => false,
      );
    const opensAt = performance.now() + delayMs;
    if (await wait(delayMs)) await ask(opening(pilot), pilot.cookie, true);
    for (let tick = 0; !end.signal.aborted; tick += 1) {
      const due = EVERY.filter(([ms]) => (tick * TICK_MS) % ms === 0).map(([, callOf]) => callOf(pilot));
      await ask(due, pilot.cookie, tick === 0);
      await wait(Math.max(0, opensAt + (tick + 1) * TICK_MS - performance.now()));
    }
  }

  const pages = pilots.map((pilot, index) => openPage(pilot, (index * withinMs) / pilots.length));
  return Object.assign(polls, {
    async stop() {
      end.abort();
      await Promise.all(pages);
      agent.destroy();
    },
  });
}
