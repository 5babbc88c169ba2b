/** The thread that seats one week, answers and is over. */
import { parentPort, workerData } from 'node:worker_threads';
import { solveWeek, type WeekAnswer, type WeekProblem } from '#server/domain/week-issue.ts';

export type WeekRequest = WeekProblem & { withOneByOne: boolean };
export type WeekReply = WeekAnswer | { error: string };

function answer(request: WeekRequest): WeekReply {
  try {
    return solveWeek(request, request);
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(answer(workerData as WeekRequest));
