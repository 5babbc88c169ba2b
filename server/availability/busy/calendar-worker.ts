/** Worker thread that reads calendars: a large one, or one with a rule that repeats for ever, must not block the event loop. */
import { yieldThread } from '#server/platform/thread-priority.ts';
import type { CalendarProblem } from '#shared/calendar-problems.ts';
import {
  type CalendarAnswer,
  type CalendarQuestion,
  NotACalendar,
  readCalendar,
  TooManyEvents,
} from './read-calendar.ts';

yieldThread();

export type CalendarTask = CalendarQuestion & { readonly text: string };
/** A problem as data: errors lose their class when they are passed between threads. */
export type CalendarReply = CalendarAnswer | { problem: CalendarProblem };

export function run({ text, ...question }: CalendarTask): CalendarReply {
  try {
    return readCalendar(text, question);
  } catch (error) {
    if (error instanceof NotACalendar) return { problem: 'notCalendar' };
    if (error instanceof TooManyEvents) return { problem: 'tooManyEvents' };
    throw error;
  }
}
