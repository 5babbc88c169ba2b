/** Marshal as `npm start` runs it, in a process of its own, so that only the server is measured and not the benchmark. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FEW_ARENAS, NODE_COMPILE_CACHE, SMALL_HEAP } from '#server/cli/bootstrap.js';
import type { Ask, Usage } from './marshal-probe.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROBE = join(import.meta.dirname, 'marshal-probe.ts');

export interface MarshalProcess {
  port: number;
  /** ms from the start of the process until it answers */
  startMs: number;
  /** as it is, without a garbage collection */
  usage: () => Promise<Usage>;
  /** Collects garbage first, which takes CPU time. */
  memory: () => Promise<Usage>;
  cpuMs: () => Promise<number>;
  /** @param path of the new file */
  snapshot: (path: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** The origin of the processes, which writes must come from. */
export const ORIGIN = 'http://localhost';

/**
 * Start one Marshal process on a migrated database and wait until it is ready.
 * @param nodeOptions further ones, such as those of the profiler
 */
export async function startMarshal(
  databaseUrl: string,
  { env = {}, nodeOptions = [] }: { env?: Record<string, string>; nodeOptions?: readonly string[] } = {},
): Promise<MarshalProcess> {
  const began = performance.now();
  const child = fork(join(ROOT, 'server', 'main.ts'), {
    cwd: ROOT,
    // as server/cli/start.js does
    execArgv: [...SMALL_HEAP, '--expose-gc', '--import', PROBE, ...nodeOptions],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      ...FEW_ARENAS,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: '0',
      PUBLIC_URL: ORIGIN,
      WRITES_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  if (child.stdout === null) throw new Error('The process has no output.');
  const log = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve, reject) => {
    log.on('line', (line) => {
      const entry: { msg?: string; port?: number; level?: number } = JSON.parse(line);
      if (entry.msg === 'ready' && entry.port !== undefined) resolve(entry.port);
      else if ((entry.level ?? 0) >= 40) process.stderr.write(`${line}\n`);
    });
    child.once('exit', (code) => reject(new Error(`Marshal ended with code ${code} before it was ready.`)));
  });
  const startMs = performance.now() - began;

  async function ask(message: Ask): Promise<Usage> {
    const answered = once(child, 'message');
    child.send(message);
    const [usage] = (await answered) as [Usage];
    return usage;
  }
  return {
    port,
    startMs,
    usage: () => ask('usage'),
    memory: () => ask('memory'),
    cpuMs: async () => (await ask('usage')).cpuMs,
    snapshot: async (snapshotInto) => void (await ask({ snapshotInto })),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
