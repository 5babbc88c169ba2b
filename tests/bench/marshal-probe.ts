/**
 * Preloaded into a Marshal process that a benchmark measures (`node --expose-gc --import`): answers the parent's messages with
 * the memory and CPU time of the process, or writes a heap snapshot.
 */
import { writeHeapSnapshot } from 'node:v8';

export interface Usage {
  /** bytes: the heap, what is kept outside it, and the resident set */
  heap: number;
  external: number;
  rss: number;
  /** ms of all threads since the start */
  cpuMs: number;
}

/** A request to the process: its CPU time, its memory after a garbage collection, or a heap snapshot into this file. */
export type Ask = 'cpu' | 'memory' | { snapshotInto: string };

function measure(): Usage {
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { heap: heapUsed, external, rss, cpuMs: (user + system) / 1_000 };
}

process.on('message', (ask: Ask) => {
  if (ask === 'memory') for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  else if (ask !== 'cpu') writeHeapSnapshot(ask.snapshotInto);
  process.send?.(measure());
});
// the channel to the parent must not keep a server alive that was told to stop
process.channel?.unref();
