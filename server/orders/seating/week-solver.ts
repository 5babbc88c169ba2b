/** The week solver: seats small weeks on the event loop and larger ones, which can take seconds, in worker threads. */
import { solveWeek, type WeekAnswer, type WeekProblem } from '#server/orders/seating/rules/week/week-issue.ts';
import { createThreads } from '#server/platform/threads.ts';
import type { WeekRequest } from './week-worker.ts';

/** Seats times pilots; a week up to this size takes less than 50 ms, and a thread takes twice that to start. */
const SMALL = 5000;
/** Weeks that are seated at the same time; further requests are refused with 503. */
const RUNNING_MAX = 4;
/** Many times what the largest week takes on two cores. Publishing keeps the drafts locked for up to this long. */
export const SOLVE_LIMIT_MS = 30_000;
const IDLE_MS = 10_000;

export interface WeekSolver {
  /**
   * Seat the missions together, and on request also one by one.
   * @throws AppError 503 when too many weeks are being seated or this one takes too long
   */
  solve(problem: WeekProblem, options: { withOneByOne: boolean }): Promise<WeekAnswer>;
  stop(): Promise<void>;
}

export function createWeekSolver({ limitMs = SOLVE_LIMIT_MS } = {}): WeekSolver {
  const threads = createThreads<WeekRequest, WeekAnswer>(new URL('./week-worker.ts', import.meta.url), {
    threads: RUNNING_MAX,
    tasksMax: RUNNING_MAX,
    limitMs,
    idleMs: IDLE_MS,
  });
  return {
    async solve(problem, options) {
      const seats = problem.missions.reduce((sum, mission) => sum + mission.seats.length, 0);
      if (seats * problem.pilots.length <= SMALL) return solveWeek(problem, options);
      return threads.run(() => ({ ...problem, ...options }));
    },
    stop: () => threads.stop(),
  };
}
