/** Worker thread of the week solver. */
import { yieldThread } from '#server/platform/thread-priority.ts';
import { solveWeek, type WeekAnswer, type WeekProblem } from '#server/orders/seating/rules/week/week-issue.ts';

yieldThread();

export type WeekRequest = WeekProblem & { withOneByOne: boolean };

export function run(request: WeekRequest): WeekAnswer {
  return solveWeek(request, request);
}
