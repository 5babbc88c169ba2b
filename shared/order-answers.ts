/** Rules for changing the answer to a frag order (RSVP): one table for the server, the site and Discord. */
import { STANDBY_CONSENT_HOURS } from './limits.ts';
import { type OrderMoments, orderStateAt } from './order-state.ts';
import { type Rsvp, RSVP_RESPONSES, type RsvpResponse } from './vocabulary.ts';

export type AnswerRule =
  /** the first answer to an order */
  | 'answer'
  /** Confirm on an accepted order: only updates the time of confirmation */
  | 'confirm'
  /** give up a held seat */
  | 'give back'
  /** exchange a held seat for a place in the standby queue */
  | 'stand down'
  /** take a seat from standby or after declining; refused while no fitting seat is free */
  | 'take seat'
  /** move between the standby queue and declined */
  | 'move'
  | 'nothing';

/** The rule for each step from the current answer (row) to a new one (column). */
export const ANSWER_RULES: Record<Rsvp, Record<RsvpResponse, AnswerRule>> = {
  pending: { accepted: 'answer', standby: 'answer', declined: 'answer' },
  accepted: { accepted: 'confirm', standby: 'stand down', declined: 'give back' },
  standby: { accepted: 'take seat', standby: 'nothing', declined: 'move' },
  declined: { accepted: 'take seat', standby: 'move', declined: 'nothing' },
};

/** The last moment, in epoch milliseconds, at which a held seat can be exchanged for standby. */
export const standDownUntilMs = (startMs: number): number => startMs - STANDBY_CONSENT_HOURS * 3_600_000;

/** The answers that would change an order with this answer, whatever the time; in the order of the buttons. */
export const answersTo = (rsvp: Rsvp): RsvpResponse[] =>
  RSVP_RESPONSES.filter((response) => !['nothing', 'confirm'].includes(ANSWER_RULES[rsvp][response]));

/**
 * The answers that an order allows at an instant, in the order of the buttons. Accept may still be refused: only the server
 * knows if a seat is free.
 * @param order instants are epoch milliseconds
 * @returns [] for a draft, for an order that is over, and once the mission has started
 */
export function answersAt(order: OrderMoments, nowMs: number): RsvpResponse[] {
  const { status, rsvp, startMs } = order;
  const isOpen = status === 'issued' && orderStateAt(order, nowMs) === rsvp && nowMs < startMs;
  if (!isOpen) return [];
  const mayStandDown = nowMs <= standDownUntilMs(startMs);
  return answersTo(rsvp).filter((response) => mayStandDown || ANSWER_RULES[rsvp][response] !== 'stand down');
}
