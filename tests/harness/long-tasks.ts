/** Long tasks of a page's main thread on a slow processor, by the steps of a flow, from Chromium's trace. */
import type { Browser, Page } from '@playwright/test';

/** How much slower than this machine's the processor of a reader may be. */
export const SLOWDOWN = 4;

export interface Task {
  /** milliseconds of the processor of that reader, without what the test itself asked of the page */
  ms: number;
  /** milliseconds from its beginning to its end on this machine */
  wall: number;
  /** its largest parts, such as `FunctionCall render entry.js 40` */
  parts: string[];
}

/** Work of `referenceTask` that takes about as long as a page that opens. */
const [REFERENCE_ROWS, REFERENCE_TURNS] = [500, 10_000];

interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  /** microseconds */
  ts: number;
  dur?: number;
  tdur?: number;
  args: { name?: string; data?: { worldName?: string; url?: string; functionName?: string }; worldName?: string };
}

const CATEGORIES = [
  'devtools', // calls of the test
  'v8',
  'v8.execute',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
];

/**
 * Traces a page while `act` runs, which begins each step with the given function.
 * @param slowed true to slow the page itself, for the times that a reader sees. Chromium then stretches a task by the time
 *   on the clock, so that on a busy machine other programs count as well. Otherwise the CPU time is multiplied.
 * @returns the tasks of each step, the longest first
 */
export async function tasksOf(
  browser: Browser,
  page: Page,
  act: (step: (name: string) => void) => Promise<void>,
  slowed = false,
): Promise<Map<string, Task[]>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed ? SLOWDOWN : 1 });
  await browser.startTracing(page, { categories: CATEGORIES });
  const steps: { name: string; from: number }[] = [];
  // the trace has the same clock as the process
  await act((name) => steps.push({ name, from: Number(process.hrtime.bigint() / 1000n) }));
  // a task that has not ended is not in the trace; this one begins after it
  await page.evaluate(() => null);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const found = new Map<string, Task[]>(steps.map(({ name }) => [name, []]));
  for (const { at, task } of readTasks(traceEvents, slowed ? 1 : SLOWDOWN)) {
    const step = steps.findLast(({ from }) => from <= at);
    if (step) found.get(step.name)?.push(task);
  }
  for (const tasks of found.values()) tasks.sort((one, other) => other.ms - one.ms);
  return found;
}

/**
 * How long this machine takes now, in the same measure as `tasksOf`, for work that does not change: it makes rows of text
 * as React would, lays them out and sorts them. Bounds that are multiples of it hold on a slow or busy machine as well.
 * @returns milliseconds, the shortest of three
 */
export async function referenceTask(browser: Browser, page: Page): Promise<number> {
  await page.goto('about:blank');
  const tasks = await tasksOf(browser, page, async (step) => {
    for (const round of [1, 2, 3]) {
      step(`round ${round}`);
      await page.evaluate(
        ([rows, turns]) =>
          new Promise<void>((resolve) => {
            setTimeout(() => {
              const names = Array.from({ length: turns }, (_, index) => ({ name: `Pilot ${(index * 7919) % turns}` }));
              names.sort((one, other) => (one.name < other.name ? -1 : 1));
              const list = document.createElement('div');
              for (const { name } of names.slice(0, rows)) {
                const row = document.createElement('div');
                row.style.cssText = 'display: flex; gap: 4px; padding: 2px';
                for (const word of name.split(' ')) row.appendChild(document.createElement('span')).textContent = word;
                list.append(row);
              }
              document.body.replaceChildren(list);
              list.getBoundingClientRect();
              resolve();
            });
          }),
        [REFERENCE_ROWS, REFERENCE_TURNS] as const,
      );
    }
  });
  return Math.min(...[...tasks.values()].map(([longest]) => longest?.ms ?? Infinity));
}

function readTasks(events: readonly TraceEvent[], factor: number): { at: number; task: Task }[] {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(events.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf));
  const found: { at: number; task: Task }[] = [];
  for (const main of mains) {
    const own = events
      .filter((event) => event.ph === 'X' && threadOf(event) === main)
      .toSorted((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
    for (let at = 0; at < own.length; at += 1) {
      const event = own[at];
      if (event?.name !== 'RunTask') continue;
      const end = event.ts + (event.dur ?? 0);
      const inner: TraceEvent[] = [];
      for (let next = own[at + 1]; next && next.ts < end; next = own[at + 1]) {
        inner.push(next);
        at += 1;
      }
      found.push({ at: event.ts, task: readTask(event, inner, factor) });
    }
  }
  return found;
}

function readTask(task: TraceEvent, inner: readonly TraceEvent[], factor: number): Task {
  let [wall, cpu, skipUntil] = [task.dur ?? 0, task.tdur ?? 0, 0];
  const parts: TraceEvent[] = [];
  for (const event of inner) {
    if (event.ts < skipUntil) continue;
    if (isOfTest(event)) {
      wall -= event.dur ?? 0;
      cpu -= event.tdur ?? 0;
      skipUntil = event.ts + (event.dur ?? 0);
    } else parts.push(event);
  }
  return {
    ms: Math.round((cpu * factor) / 1000),
    wall: Math.round(wall / 1000),
    parts: parts
      .filter(({ tdur = 0 }) => tdur * factor > 20_000)
      .map(({ name, tdur = 0, args }) => {
        const { url = '', functionName = '' } = args.data ?? {};
        return `${name} ${functionName} ${url.slice(url.lastIndexOf('/') + 1)} ${Math.round((tdur * factor) / 1000)}`;
      }),
  };
}

const isOfTest = ({ name, args }: TraceEvent): boolean =>
  name === 'DevToolsSession::DispatchProtocolCommand' ||
  /__playwright/.test(args.worldName ?? args.data?.worldName ?? '');
