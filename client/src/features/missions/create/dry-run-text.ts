/** The dry run in sentences. */
import type { DryRunDto } from '#shared/schemas/mission-work.ts';
import type { UnseatedReason } from '#shared/vocabulary.ts';

/** `If issued now, 14 of 16 seats fill.` */
export function filledSentence({ filled, seats }: Pick<DryRunDto, 'filled' | 'seats'>): string {
  if (seats === 1 && filled === 0) {
    return 'If issued now, the seat stays open.';
  }
  if (filled === seats) {
    return seats === 1 ? 'If issued now, the seat fills.' : `If issued now, all ${seats} seats fill.`;
  }
  return `If issued now, ${filled} of ${seats} ${seats === 1 ? 'seat' : 'seats'} ${filled === 1 ? 'fills' : 'fill'}.`;
}

const REASONS: Record<UnseatedReason, string> = {
  NOT_AVAILABLE: 'not free for all of it',
  AIRCRAFT: 'free, but for other aircraft',
  COMMITTED: 'on another mission',
  DO_NOT_DISTURB: 'on Do Not Disturb',
  OUTRANKED: 'ready, but the seats go to others',
};

/** `5 not free for all of it; 1 on another mission`; '' when everybody has a seat. */
export function unseatedSentence(unseated: DryRunDto['unseated']): string {
  return unseated.map(({ reason, pilots }) => `${pilots} ${REASONS[reason]}`).join('; ');
}
