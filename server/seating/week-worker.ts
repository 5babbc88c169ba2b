/** Worker thread of the week solver. */
import { solveWeek, type WeekAnswer, type WeekProblem } from '#server/seating/rules/week/week-issue.ts';

export type WeekRequest = WeekProblem & { withOneByOne: boolean };

export function run(request: WeekRequest): WeekAnswer {
  return solveWeek(request, request);
}
