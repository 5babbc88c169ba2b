/** A worker thread that polls /healthz without a pause while it makes calls, unaffected by a blocked server. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface ProbeOrder {
  url: string;
  cookie: string;
  /** made all at once; [] only probes, for `idleMs` */
  calls: readonly { method: string; path: string; body?: unknown }[];
  idleMs?: number;
}

export interface ProbeReport {
  /** of each /healthz, in the order of asking */
  healthMs: number[];
  answers: { status: number; body: string }[];
}

const { url, cookie, calls, idleMs = 0 } = workerData as ProbeOrder;
const agent = new Agent({ keepAlive: true });

function ask(path: string, method = 'GET', body?: unknown): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { origin: url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const outgoing = request(`${url}${path}`, { agent, method, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: text }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function probe(): Promise<ProbeReport> {
  await ask('/healthz');
  const work = Promise.all(calls.map(({ method, path, body }) => ask(path, method, body)));
  const over = new AbortController();
  work.then(
    () => over.abort(),
    () => over.abort(),
  );
  const healthMs: number[] = [];
  const until = performance.now() + idleMs;
  while (!over.signal.aborted || performance.now() < until) {
    const asked = performance.now();
    await ask('/healthz');
    healthMs.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return { healthMs, answers: await work };
}

const report = await probe();
agent.destroy();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(report);
