/** Makes calls from a separate thread and measures /healthz meanwhile. */
import { Worker } from 'node:worker_threads';
import type { Person } from '#tests/harness/given.ts';
import type { Service } from '#tests/harness/service.ts';
import type { ProbeOrder, ProbeReport } from './prober.ts';

export function probe({ url }: Service, caller: Person, order: Partial<ProbeOrder>): Promise<ProbeReport> {
  const workerData: ProbeOrder = { calls: [], ...order, url, cookie: caller.client.cookie() };
  return new Promise((resolve, reject) => {
    new Worker(new URL('./prober.ts', import.meta.url), { workerData }).once('message', resolve).once('error', reject);
  });
}

export const longest = ({ healthMs }: ProbeReport): number => Math.max(...healthMs);
