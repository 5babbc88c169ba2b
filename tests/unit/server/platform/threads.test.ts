/** Threads: time limits of their tasks, and their priority. */
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { createThreads, type ThreadOptions, within } from '#server/platform/threads.ts';

type Done = { threadId: number; tasks: number };

const HOUR_MS = 3_600_000;
let threads: { stop: () => Promise<void> } | null = null;
afterEach(() => threads?.stop());

function start(options: Pick<ThreadOptions, 'limitMs'> & Partial<ThreadOptions>) {
  const started = createThreads<Int32Array | null, Done>(new URL('./waiting-task.ts', import.meta.url), {
    threads: 1,
    tasksMax: 4,
    idleMs: HOUR_MS,
    ...options,
  });
  threads = started;
  return { run: (gate: Int32Array | null) => started.run(() => gate) };
}

const closedGate = () => new Int32Array(new SharedArrayBuffer(8));

async function begun(gate: Int32Array): Promise<void> {
  const { value } = Atomics.waitAsync(gate, 1, 0);
  await value;
}

test('a caller stops waiting at its limit, and the thread keeps what it has begun', async () => {
  const { run } = start({ limitMs: HOUR_MS });
  const gate = closedGate();
  const begin = run(gate);
  const first = expect(within(50, begin)).rejects.toMatchObject({ code: 'BUSY', retryAfterSeconds: 2 });
  await begun(gate);
  await first;
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  const { tasks } = await run(null);
  // the same thread has counted the first task too
  expect(tasks).toBe(2);
});

test('as many tasks as allowed run and wait, one more is refused, and a place that is free again is taken', async () => {
  const { run } = start({ limitMs: HOUR_MS, tasksMax: 2 });
  const gate = closedGate();
  const first = run(gate);
  const second = run(null);
  const refused = run(null).catch((error: unknown) => error);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  expect(await refused).toMatchObject({ code: 'BUSY' });
  expect((await Promise.all([first, second])).map(({ tasks }) => tasks)).toEqual([1, 2]);
  expect(await run(null)).toMatchObject({ tasks: 3 });
});

test('tasks run in the order of their calls, whoever calls next', async () => {
  const { run } = start({ limitMs: 20_000, tasksMax: 64 });
  await run(null);
  const done: number[] = [];
  let asked = 0;
  const caller = async (): Promise<void> => {
    while (asked < 60) {
      const turn = asked++;
      await run(null);
      done.push(turn);
    }
  };
  await Promise.all(Array.from({ length: 6 }, caller));
  expect(done).toEqual(Array.from({ length: 60 }, (_, turn) => turn));
});

test('a thread that is stuck is replaced', async () => {
  const { run } = start({ limitMs: 2_000 });
  const before = await run(null);
  await expect(run(closedGate())).rejects.toMatchObject({ code: 'BUSY' });
  const after = await run(null);
  expect(after).toMatchObject({ tasks: 1 });
  expect(after.threadId).not.toBe(before.threadId);
});

const SCRIPTS = [
  'board/heavy-reads-worker.ts',
  'missions/briefing/kneeboard-worker.ts',
  'missions/mission-file/mission-file-worker.ts',
  'orders/seating/week-worker.ts',
];
/** Loads a script as a thread does, and answers with the priority that its thread has then. */
const ASK_PRIORITY = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { readlinkSync } = require('node:fs');
  import(workerData.script).then(() => {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    parentPort.postMessage(require('node:os').getPriority(thread));
  });
`;
test.runIf(process.platform === 'linux').each(SCRIPTS)('%s comes after the main thread', async (script) => {
  const main = getPriority();
  const workerData = { script: import.meta.resolve(`#server/${script}`) };
  const worker = new Worker(ASK_PRIORITY, { eval: true, workerData });
  const [priority] = await once(worker, 'message');
  expect(priority).toBe(Math.min(main + 10, constants.priority.PRIORITY_LOW));
  expect(getPriority()).toBe(main);
  await worker.terminate();
});
