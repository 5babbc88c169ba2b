/** The warning of too few pilots in words, the same in all channels. */
import { localDate } from '#server/time/time.ts';
import { RECOMMENDED_MINUTES } from '#shared/limits.ts';
import type { TurnoutStage } from '#shared/vocabulary.ts';

/** What a warning tells of a mission. */
export interface TurnoutFacts {
  missionId: string;
  missionName: string;
  startMs: number;
  /** the length of the mission */
  minutes: number;
  /** of the reader */
  timeZone: string;
  stage: TurnoutStage;
  probability: number;
  seats: number;
  accepted: number;
  enough: number;
}

/** Rounded down, so that a chance just below the limit does not read as the limit. */
const percent = (probability: number) => `${Math.floor(probability * 100)} %`;

export const turnoutHeading = ({ missionName }: Pick<TurnoutFacts, 'missionName'>): string =>
  `Go or no-go: ${missionName}`;

export function turnoutSentence({ stage, probability, seats, accepted, enough }: TurnoutFacts): string {
  const held = `${accepted} of ${seats} seats ${accepted === 1 ? 'is' : 'are'} accepted, and at least ${enough} ${enough === 1 ? 'pilot is' : 'pilots are'} needed`;
  return `${stage} before the start, the chance of having enough pilots is ${percent(probability)}. ${held}.`;
}

/** The board with its recommended times, for the mission's length on the day of its start. */
export function betterTimesPath({
  startMs,
  minutes,
  timeZone,
}: Pick<TurnoutFacts, 'startMs' | 'minutes' | 'timeZone'>): string {
  const length = RECOMMENDED_MINUTES.choices.find((choice) => choice >= minutes);
  const search = new URLSearchParams({ day: localDate(startMs, timeZone), ...(length && { minutes: String(length) }) });
  return `/admin?${search.toString()}`;
}
