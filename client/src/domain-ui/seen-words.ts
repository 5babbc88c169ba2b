/** A sighting of a pilot in the game, in words. */
import { formatZulu } from '#shared/clock.ts';
import type { Evidence } from '#shared/schemas/attendance.ts';
import type { ProposalVerdict } from '#shared/presence.ts';

const LEADS = { flew: 'Flew', other_seat: 'In another seat', none: 'Seen for only' } as const;

/** `74 min, F-16C_50, 1905Z to 2020Z` */
export function sightingWords({ minutes, otherMinutes, aircraft, firstSeenAt, lastSeenAt }: Evidence): string {
  const types = aircraft.length === 0 ? [] : [aircraft.join(' and ')];
  const span = `${formatZulu(firstSeenAt)} to ${formatZulu(lastSeenAt)}`;
  return [`${minutes + otherMinutes} min`, ...types, span].join(', ');
}

/** `Flew 74 min, F-16C_50, 1905Z to 2020Z` */
export function evidenceWords(
  seen: { verdict: ProposalVerdict | null; evidence: Evidence | null } | undefined,
): string {
  if (!seen?.evidence) return 'Not seen';
  return `${LEADS[seen.verdict ?? 'none']} ${sightingWords(seen.evidence)}`;
}
