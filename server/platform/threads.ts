/**
 * Worker threads for work that would block the event loop: a bounded queue, a limit on the time, and 503 beyond either.
 * Every kind of work has a pool of its own, so that seating a week for seconds never delays a card or a chart.
 */
import { Piscina } from 'piscina';
import { AppError } from './errors.ts';
import { copy } from '#shared/copy.ts';

const RETRY_AFTER_SECONDS = 2;

export interface ThreadOptions {
  /** at work at the same time */
  threads: number;
  /** at work and waiting together; more are refused */
  tasksMax: number;
  /** waiting included; the thread of a task that takes longer is ended */
  limitMs: number;
  /** threads without work end after so long and give their memory back */
  idleMs: number;
  /** what each thread reads as its `workerData` */
  workerData?: unknown;
}

export interface Threads<Task, Answer> {
  /** @throws AppError 503 when too many tasks wait, or this one takes too long; whatever the thread throws */
  run(task: Task): Promise<Answer>;
  /** End every thread, at work or not. */
  stop(): Promise<void>;
}

const busy = () => new AppError('BUSY', copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** @param script exports `run`, from a task to its answer; both are cloned on their way */
export function createThreads<Task, Answer>(script: URL, options: ThreadOptions): Threads<Task, Answer> {
  const { threads, tasksMax, limitMs, idleMs, workerData } = options;
  let pool: Piscina<Task, Answer> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let tasks = 0;

  function start(): Piscina<Task, Answer> {
    const started = new Piscina<Task, Answer>({
      filename: script.href,
      name: 'run',
      // one at least, so that a thread which fails is replaced at once for those who wait
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: idleMs,
      workerData,
      recordTiming: false,
      // an idle thread goes on handling its events, such as a database connection that the server closes
      atomics: 'disabled',
    });
    // A thread that fails between two tasks fails nobody.
    started.on('error', () => undefined);
    return started;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const ended = pool;
    pool = null;
    await ended?.destroy();
  }

  return {
    async run(task) {
      if (tasks >= tasksMax) throw busy();
      clearTimeout(idle);
      tasks += 1;
      const limit = AbortSignal.timeout(limitMs);
      try {
        pool ??= start();
        return await pool.run(task, { signal: limit });
      } catch (error) {
        throw limit.aborted ? busy() : error;
      } finally {
        tasks -= 1;
        if (tasks === 0) idle = setTimeout(() => void stop(), idleMs).unref();
      }
    },
    stop,
  };
}
