/** Sentences of the dry run. */
import type { DryRunDto } from '#shared/schemas/mission-plan.ts';
import type { IneligibilityReason } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';

/** `If issued now, 14 of 16 seats fill.` */
export function filledSentence({ filled, seats }: Pick<DryRunDto, 'filled' | 'seats'>): string {
  if (seats === 1 && filled === 0) {
    return 'If issued now, the seat stays open.';
  }
  if (filled === seats) {
    return seats === 1 ? 'If issued now, the seat fills.' : `If issued now, all ${seats} seats fill.`;
  }
  return `If issued now, ${filled} of ${count(seats, 'seat')} ${filled === 1 ? 'fills' : 'fill'}.`;
}

/** `2 of 4 haven't listed it.`; '' if all have. */
export function unlistedSentence({
  unlisted,
  filled,
}: Pick<DryRunDto['slots'][number], 'unlisted' | 'filled'>): string {
  return unlisted === 0 ? '' : `${unlisted} of ${filled} ${unlisted === 1 ? "hasn't" : "haven't"} listed it.`;
}

/** Predicates in the singular and the plural. */
const REASONS: Record<IneligibilityReason, readonly [string, string]> = {
  NOT_AVAILABLE: ["isn't free for the whole mission", "aren't free for the whole mission"],
  ON_LEAVE: ['is on leave', 'are on leave'],
  AIRCRAFT: ['is free only in other aircraft', 'are free only in other aircraft'],
  COMMITTED: ['is on another mission', 'are on another mission'],
  DO_NOT_DISTURB: ['is on Do Not Disturb', 'are on Do Not Disturb'],
  OUTRANKED: ['is ready, but others get the seats', 'are ready, but others get the seats'],
};

/** Reasons of pilots without a seat: `5 aren't free for the whole mission; 1 is on another mission`; '' for none. */
export function ineligibleSentence(unseated: DryRunDto['unseated']): string {
  return unseated.map(({ reason, pilots }) => `${pilots} ${REASONS[reason][pilots === 1 ? 0 : 1]}`).join('; ');
}
