/** Words for values, the same on every screen, in Discord and in mail. */
import { FRAG_LABEL_DIGITS } from './limits.ts';
import { SIDES, type Side } from './vocabulary.ts';

/** FRAG-007; more than three digits stay whole. */
export function fragLabel(seq: number): string {
  return `FRAG-${String(seq).padStart(FRAG_LABEL_DIGITS, '0')}`;
}

export function sideName(side: Side): 'Blue' | 'Red' {
  return side === SIDES.blue ? 'Blue' : 'Red';
}

/** Seats count from 0 in the contract and from 1 for people. */
export function seatLabel(seatIndex: number): string {
  return `Seat ${seatIndex + 1}`;
}
