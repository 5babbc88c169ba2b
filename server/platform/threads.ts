/**
 * Worker threads for work that would block the event loop: a bounded queue and a time limit, with 503 beyond either.
 * Every kind of work has its own pool, so that seating a week, which takes seconds, never delays a card or a chart.
 */
import { Piscina } from 'piscina';
import { AppError } from './errors.ts';
import { copy } from '#shared/copy.ts';

const RETRY_AFTER_SECONDS = 2;

export interface ThreadOptions {
  /** threads that run at the same time */
  threads: number;
  /** tasks running and waiting together; more are refused */
  tasksMax: number;
  /** time limit of a task, waiting included; its thread is terminated */
  limitMs: number;
  /** idle threads end after this time and free their memory */
  idleMs: number;
  /** the heap of a thread, in MB; a task that needs more ends with its thread, and with the error of `isOutOfMemory` */
  heapMb?: number;
  /** passed to each thread as `workerData` */
  workerData?: unknown;
}

export interface Threads<Task, Answer> {
  /**
   * Tasks run in the order of the calls.
   * @param begin called when a thread is free; returns the task
   * @throws AppError 503 when too many tasks wait or this one takes too long; otherwise the thread's own error
   */
  run(begin: () => Task): Promise<Answer>;
  /** Terminate every thread, busy or not. */
  stop(): Promise<void>;
}

/** True for the error of a task that needed more memory than its thread may use. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

export const busy = () => new AppError('BUSY', copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** The answer, or 503 when it takes longer; what was begun goes on, and is of use to the next caller. */
export async function within<Answer>(limitMs: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(busy()), limitMs);
  });
  answer.catch(() => undefined);
  return Promise.race([answer, limit]).finally(() => clearTimeout(timer));
}

/** @param script exports `run`, which takes a task and returns its answer; both are cloned between threads */
export function createThreads<Task, Answer>(script: URL, options: ThreadOptions): Threads<Task, Answer> {
  const { threads, tasksMax, limitMs, idleMs, heapMb, workerData } = options;
  let pool: Piscina<Task, Answer> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let tasks = 0;
  let free = threads;
  /** Tasks without a thread, the longest waiting first: in Piscina's own queue a later task may overtake an earlier one. */
  const waiting = new Set<() => void>();

  function open(): Piscina<Task, Answer> {
    const started = new Piscina<Task, Answer>({
      filename: script.href,
      name: 'run',
      // at least one, so that a thread that fails is replaced at once for the waiting tasks
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: idleMs,
      workerData,
      ...(heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
      recordTiming: false,
      // an idle thread keeps handling events, such as the server closing its database connection
      atomics: 'disabled',
    });
    // An error between two tasks affects no caller.
    started.on('error', () => undefined);
    return started;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const ended = pool;
    pool = null;
    await ended?.destroy();
  }

  /** Resolves when it is this task's turn. @throws AppError 503 when the limit comes first */
  async function takeThread(limit: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      waiting.delete(resolve);
      reject(busy());
    };
    waiting.add(resolve);
    limit.addEventListener('abort', giveUp, { once: true });
    await promise;
    limit.removeEventListener('abort', giveUp);
  }

  function giveThread(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  async function runNow(begin: () => Task, limit: AbortSignal): Promise<Answer> {
    try {
      pool ??= open();
      return await pool.run(begin(), { signal: limit });
    } catch (error) {
      throw limit.aborted ? busy() : error;
    } finally {
      giveThread();
    }
  }

  return {
    async run(begin) {
      if (tasks >= tasksMax) throw busy();
      clearTimeout(idle);
      tasks += 1;
      const limit = AbortSignal.timeout(limitMs);
      try {
        await takeThread(limit);
        return await runNow(begin, limit);
      } finally {
        tasks -= 1;
        if (tasks === 0) idle = setTimeout(() => void stop(), idleMs).unref();
      }
    },
    stop,
  };
}
