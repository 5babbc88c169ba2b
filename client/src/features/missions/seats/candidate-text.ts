/** Text about a candidate for a seat: availability, current order, and the search. */
import type { SeatCandidateDto } from '#shared/schemas/mission-admin.ts';
import type { IneligibilityReason } from '#shared/vocabulary.ts';

const REASON_WORDS: Record<IneligibilityReason, string> = {
  NOT_AVAILABLE: 'not available at that time',
  ON_LEAVE: 'on leave at that time',
  AIRCRAFT: 'not available for this aircraft',
  COMMITTED: 'on another mission at that time',
  DO_NOT_DISTURB: 'on Do Not Disturb',
  OUTRANKED: 'others rank higher for this seat',
};

const FIT_WORDS = {
  exact: 'free in this aircraft',
  any: 'free in any aircraft',
  unlisted: 'free, no aircraft listed',
} as const;

/** `free in this aircraft`, `not available at that time`; followed by the pilot's seat or order in this mission. */
export function candidateWords({ fit, reason, rsvp, holds }: SeatCandidateDto): string {
  const parts = [
    ...(reason !== null ? [REASON_WORDS[reason]] : fit !== null ? [FIT_WORDS[fit]] : []),
    ...(holds !== null ? [`holds ${holds}`] : rsvp !== null ? [rsvp === 'pending' ? 'has an order' : rsvp] : []),
  ];
  return parts.join(' · ');
}

/** Candidates whose call sign contains the typed text; those that begin with it come first. */
export function findCandidates(candidates: readonly SeatCandidateDto[], typed: string): SeatCandidateDto[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') {
    return [...candidates];
  }
  const found = candidates
    .map((candidate) => ({ candidate, at: candidate.userDisplayName.toLowerCase().indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  return [...found.filter(({ at }) => at === 0), ...found.filter(({ at }) => at > 0)].map(({ candidate }) => candidate);
}
