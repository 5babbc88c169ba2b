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
  /** time limit of a caller, waiting included; a task that has not begun by then is dropped */
  limitMs: number;
  /** the thread of a task that takes longer than this is terminated; `limitMs` by default */
  stuckMs?: number;
  /** idle threads end after this time and free their memory */
  idleMs: number;
  /** passed to each thread as `workerData` */
  workerData?: unknown;
}

export interface Threads<Task, Answer> {
  /** @throws AppError 503 when too many tasks wait or this one takes too long; otherwise the thread's own error */
  run(task: Task): Promise<Answer>;
  /** Terminate every thread, busy or not. */
  stop(): Promise<void>;
}

const busy = () => new AppError('BUSY', copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** @param script exports `run`, which takes a task and returns its answer; both are cloned between threads */
export function createThreads<Task, Answer>(script: URL, options: ThreadOptions): Threads<Task, Answer> {
  const { threads, tasksMax, limitMs, stuckMs = limitMs, idleMs, workerData } = options;
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

  /** Resolves when it is this task's turn, in the order of the calls. @throws AppError 503 when the limit comes first */
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

  async function runNow(task: Task): Promise<Answer> {
    const stuck = AbortSignal.timeout(stuckMs);
    try {
      pool ??= open();
      return await pool.run(task, { signal: stuck });
    } catch (error) {
      throw stuck.aborted ? busy() : error;
    } finally {
      giveThread();
    }
  }

  return {
    async run(task) {
      if (tasks >= tasksMax) throw busy();
      clearTimeout(idle);
      tasks += 1;
      const limit = AbortSignal.timeout(limitMs);
      const answer = takeThread(limit)
        .then(() => runNow(task))
        .finally(() => {
          tasks -= 1;
          if (tasks === 0) idle = setTimeout(() => void stop(), idleMs).unref();
        });
      // the caller waits no longer, but what the thread has begun is of use to the next one
      answer.catch(() => undefined);
      const { promise: tooLate, reject } = Promise.withResolvers<never>();
      limit.addEventListener('abort', () => reject(busy()), { once: true });
      return Promise.race([answer, tooLate]);
    },
    stop,
  };
}
