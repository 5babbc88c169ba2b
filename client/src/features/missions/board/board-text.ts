/** Sentences of the seat board. */
import { count } from '#shared/plural.ts';
import type { AppliedSeatsDto } from '#shared/schemas/seat-board.ts';
import type { BenchGroup } from '#shared/bench-groups.ts';

export const boardCopy = {
  loading: 'Loading the seat board...',
  failed: 'Error loading the seat board: ',
  noSuchMission: 'It may have been removed. The day lists the missions that there are.',
  applyFailed: 'Failed to apply the changes',
  checking: 'Checking what this does...',
  unsaved: 'The staged changes are not applied yet.',
  keys: 'Enter picks up, arrow keys choose a seat, Enter drops, Escape puts back.',
  howTo: 'Drag a pilot onto a seat, or select a pilot and then a seat. Nobody is told before you apply.',
  chooseSeat: 'Select a seat for',
  choosePilot: 'Select a pilot for',
  nobodyFound: 'No pilot on the bench has this call sign.',
  emptyBench: 'Every pilot has a seat.',
} as const;

/** Why the seats cannot be changed, by the status of the mission. */
export const FIXED: Readonly<Record<string, string>> = {
  draft: 'This mission is a draft. Publish it on its day, then place pilots here.',
  launched: 'This mission is under way, so its seats can no longer change.',
  completed: 'This mission is over, so its seats can no longer change.',
  cancelled: 'This mission is cancelled, so its seats can no longer change.',
};

export const GROUP_TITLES: Record<Exclude<BenchGroup, 'seated'>, string> = {
  fits: 'Free and fits',
  otherAircraft: 'Free, other aircraft',
  nearlyFree: 'Nearly free',
  standby: 'Standby',
  others: 'Others',
};

export const STATE_WORDS = { open: 'open', asked: 'asked', accepted: 'accepted', confirmed: 'confirmed' } as const;

/** `3 changes, 2 pilots notified` */
export const stagedWords = (changes: number, notified: number | undefined): string =>
  [count(changes, 'change'), ...(notified === undefined ? [] : [`${count(notified, 'pilot')} notified`])].join(', ');

const OFFERED = { seat: 'is seated from standby on', order: 'is asked for', shared: 'is offered' } as const;
const NAMED_MAX = 3;

/** Pilots who are asked for the seats that become free; null for nobody. */
export function backfillWords(backfill: AppliedSeatsDto['backfill']): string | null {
  if (backfill.length === 0) return null;
  const named = backfill
    .slice(0, NAMED_MAX)
    .map(({ userDisplayName, place, kind }) => `${userDisplayName} ${OFFERED[kind]} ${place}`);
  const more = backfill.length - named.length;
  return `Then ${[...named, ...(more > 0 ? [`${more} more are asked`] : [])].join(', ')}.`;
}

/** `92%` */
export const percent = (reliability: number): string => `${Math.round(reliability * 100)}%`;
