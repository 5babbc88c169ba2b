/**
 * Preloaded into a Marshal process that a benchmark measures (`node --expose-gc --import`): answers the parent's messages with
 * the memory and CPU time of the process, or writes a heap snapshot.
 */
import { writeHeapSnapshot } from 'node:v8';
import type { Worker } from 'node:worker_threads';

export interface Usage {
  /** bytes: the heap of the main thread, what is kept outside it, the heaps of the other threads, and the resident set */
  heap: number;
  external: number;
  threads: number;
  rss: number;
  /** ms of all threads since the start */
  cpuMs: number;
}

/** A request to the process: its usage, the same after a garbage collection, or a heap snapshot into this file. */
export type Ask = 'usage' | 'memory' | { snapshotInto: string };

const workers = new Set<Worker>();
process.on('worker', (worker: Worker) => {
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
});

async function measure(): Promise<Usage> {
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  // a worker that has just ended has no heap
  const answers = await Promise.allSettled([...workers].map((worker) => worker.getHeapStatistics()));
  const statistics = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const threads = statistics.reduce((sum, { used_heap_size: used }) => sum + used, 0);
  return { heap: heapUsed, external, threads, rss, cpuMs: (user + system) / 1_000 };
}

process.on('message', (ask: Ask) => {
  if (ask === 'memory') for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  else if (ask !== 'usage') writeHeapSnapshot(ask.snapshotInto);
  void measure().then((usage) => process.send?.(usage));
});
// the channel to the parent must not keep a server alive that was told to stop
process.channel?.unref();
