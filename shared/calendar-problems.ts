/** Why a busy calendar cannot be read, each with what to do about it: the refusal when it is added, and the note in the list. */
import { BUSY_CALENDARS } from './limits.ts';

const ANEW = 'Copy the secret address from your calendar again and add it here.';

export const CALENDAR_PROBLEM_TEXTS = {
  unreachable: 'The calendar’s server can’t be reached. Check the address, or try again later.',
  slow: `The calendar’s server did not answer within ${BUSY_CALENDARS.timeoutSeconds} seconds. Try again later.`,
  refused: `The calendar’s server asks for a sign-in, so this is not its secret address. ${ANEW}`,
  gone: `There is no calendar at this address any more: it may have been reset. ${ANEW}`,
  answer: 'The calendar’s server reported an error. Try again later.',
  address: 'The address leads to a private or local network, which Marshal doesn’t call. Use a public address.',
  redirect: `The address keeps redirecting. ${ANEW}`,
  tooLarge: 'The calendar is larger than 1 MB. Use a calendar with fewer events, or delete old ones.',
  notCalendar: `This address leads to something else, such as a web page. ${ANEW}`,
  tooManyEvents:
    'The calendar has more events than Marshal reads. Use one with fewer, or end events that repeat forever.',
} as const satisfies Record<string, string>;
export type CalendarProblem = keyof typeof CALENDAR_PROBLEM_TEXTS;
export const CALENDAR_PROBLEMS = Object.keys(CALENDAR_PROBLEM_TEXTS) as CalendarProblem[];
