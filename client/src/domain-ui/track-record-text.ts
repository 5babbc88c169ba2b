/** Sentences about a pilot's track record (reliability and fairness), for the pilot or for admins. */
import { LATE_CANCEL_HOURS, LEDGER_DAYS, RELIABILITY } from '#shared/limits.ts';
import type { TrackRecordDto } from '#shared/schemas/track-record.ts';
import type { MissionOutcome } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';

/** Reader of the sentences: the pilot, or an admin. */
export type Reader = 'pilot' | 'admin';

/** A smaller debt counts as even, seats. */
const EVEN = 0.05;

/** Percentage of a share from 0 to 1: `86 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Explanation of the reliability figure. */
export function reliabilitySentence({ isNew }: Pick<TrackRecordDto, 'isNew'>, reader: Reader): string {
  const start = `New pilots start at ${percent(RELIABILITY.newPilot)}`;
  const whose = reader === 'pilot' ? 'your' : 'this pilot’s';
  return isNew
    ? `${start}. None of ${whose} missions count yet.`
    : `${start}. Missions flown raise it; no-shows and seats given back less than ${LATE_CANCEL_HOURS} h before the start lower it. Each counts half as much ${RELIABILITY.halfLifeDays} days later. Excused absences do not count.`;
}

/** `The community owes you 0.7 seats: you are seated earlier.` */
export function debtSentence({ debt }: Pick<TrackRecordDto, 'debt'>, reader: Reader): string {
  const isOwn = reader === 'pilot';
  const words = count(tenths(Math.abs(debt)), 'seat');
  if (Math.abs(debt) < EVEN) return `${isOwn ? 'You have' : 'This pilot has'} had a fair share of the seats.`;
  if (debt > 0)
    return `The community owes ${isOwn ? 'you' : 'this pilot'} ${words}: ${isOwn ? 'you are' : 'the pilot is'} seated earlier.`;
  const about = debt <= -1 ? Math.round(-debt) : tenths(-debt);
  return `${isOwn ? "You've" : 'This pilot has'} had about ${count(about, 'seat')} more than average, so others get seats first.`;
}

/** Labels of the outcomes, in the order of the legend. */
export const OUTCOME_NAMES: Record<MissionOutcome, string> = {
  flown: 'Flown',
  standby: 'On standby',
  declined_early: 'Declined early',
  declined_late: 'Given back late',
  no_show: 'No-show',
  excused: 'Excused',
  unanswered: 'Not answered',
  unmarked: 'Attendance not marked',
};

/** With one decimal at most: 3, 0.7. */
const tenths = (seats: number): number => Number(seats.toFixed(1));

/** Seats with one decimal at most: `3`, `0.7`. */
export const seatsOf = (seats: number): string => String(tenths(seats));

/** `Owed 0.7 seats`, `0.7 seats more than a fair share` or `A fair share`, as `debtSentence` judges it. */
export function shareWords(debt: number): string {
  if (Math.abs(debt) < EVEN) return 'A fair share';
  const words = count(tenths(Math.abs(debt)), 'seat');
  return debt > 0 ? `Owed ${words}` : `${words} more than a fair share`;
}

export const trackRecordCopy = {
  outcomesTitle: `The last ${LEDGER_DAYS} days`,
  outcomesLoading: 'Loading missions...',
  outcomesFailed: 'Failed to load missions',
  noOutcomes: `No missions in the last ${LEDGER_DAYS} days.`,
  title: 'Reliability',
  loading: 'Loading reliability...',
  loadFailed: 'Failed to load reliability',
  figure: 'likely to show up',
  fairnessSpan: `Counts missions from the last ${LEDGER_DAYS} days and upcoming ones.`,
  secret: 'Only you and the admins see this.',
} as const;
