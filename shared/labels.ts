/** Labels of orders, sides and seats, the same on every screen and in Discord. */
import { FRAG_LABEL_DIGITS } from './limits.ts';
import { type MissionRole, SIDES, type Side } from './vocabulary.ts';

/** FRAG-007; padded to three digits, never cut. */
export function fragLabel(seq: number): string {
  return `FRAG-${String(seq).padStart(FRAG_LABEL_DIGITS, '0')}`;
}

export function sideName(side: Side): 'Blue' | 'Red' {
  return side === SIDES.blue ? 'Blue' : 'Red';
}

/** Seat indexes start at 0 in the API and at 1 on screens. */
export function seatLabel(seatIndex: number): string {
  return `Seat ${seatIndex + 1}`;
}

/** `CAP, F-16C Viper, seat 1` */
export function orderTitle(role: MissionRole, aircraftName: string, seatIndex: number): string {
  return `${role}, ${aircraftName}, seat ${seatIndex + 1}`;
}

/** Stands in for a missing call sign, since pilots never see each other's email addresses. */
export const NAMELESS = 'Pilot';
/** What stands for a pilot whose account was deleted. */
export const FORMER_PILOT = 'former pilot';
