/** Where weeks are seated: a small one here, others in threads of their own, since they keep a core busy for seconds. */
import { Worker } from 'node:worker_threads';
import { solveWeek, type WeekAnswer, type WeekProblem } from '#server/domain/week-issue.ts';
import { AppError } from '#server/errors.ts';
import { copy } from '#shared/copy.ts';
import type { WeekReply, WeekRequest } from './week-worker.ts';

/** Seats times pilots that take less than 50 ms; a thread takes twice that to start. */
const SMALL = 5000;
/** Beyond so many at once whoever asks is told to come back. */
const RUNNING_MAX = 4;
const RETRY_AFTER_SECONDS = 2;
/** Many times what the largest week takes on two cores: whoever publishes it keeps its drafts locked so long. */
export const SOLVE_LIMIT_MS = 30_000;

export interface WeekSolver {
  /**
   * Seat the missions together, and on demand one by one.
   * @throws AppError 503 when too many are being seated, or this takes too long
   */
  solve(problem: WeekProblem, options: { withOneByOne: boolean }): Promise<WeekAnswer>;
}

const busy = () => new AppError(503, copy.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** The thread's one reply, its end, or too long. */
function replyOf(worker: Worker, limitMs: number): Promise<WeekReply> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(busy()), limitMs);
    worker
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => {
        clearTimeout(limit);
        reject(new Error('the thread that seats a week ended'));
      });
  });
}

export function createWeekSolver({ limitMs = SOLVE_LIMIT_MS } = {}): WeekSolver {
  let running = 0;
  return {
    async solve(problem, options) {
      const seats = problem.missions.reduce((sum, mission) => sum + mission.seats.length, 0);
      if (seats * problem.pilots.length <= SMALL) return solveWeek(problem, options);
      if (running >= RUNNING_MAX) throw busy();
      running += 1;
      const workerData: WeekRequest = { ...problem, ...options };
      const worker = new Worker(new URL('./week-worker.ts', import.meta.url), { workerData });
      // A seating in progress never holds a stopping process back.
      worker.unref();
      try {
        const reply = await replyOf(worker, limitMs);
        if ('error' in reply) throw new Error(`The week could not be seated: ${reply.error}`);
        return reply;
      } finally {
        running -= 1;
        void worker.terminate();
      }
    },
  };
}
