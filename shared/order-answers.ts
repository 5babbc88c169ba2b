/** Rules for changing an answer: one table for the server's rule, the site and the card in Discord. */
import { STANDBY_CONSENT_HOURS } from './limits.ts';
import { type OrderMoments, orderStateAt } from './order-state.ts';
import { type Rsvp, RSVP_RESPONSES, type RsvpResponse } from './vocabulary.ts';

export type AnswerRule =
  /** the first answer to an order */
  | 'answer'
  /** the site's Confirm: changes nothing but the time of confirmation */
  | 'confirm'
  /** give a held seat back */
  | 'give back'
  /** swap a held seat for a place in the queue */
  | 'stand down'
  /** take a seat after having had none; refused while no seat that fits is free */
  | 'take seat'
  /** move between the queue and declined */
  | 'move'
  | 'nothing';

/** From the current answer (row) to the new one. */
export const ANSWER_RULES: Record<Rsvp, Record<RsvpResponse, AnswerRule>> = {
  pending: { accepted: 'answer', standby: 'answer', declined: 'answer' },
  accepted: { accepted: 'confirm', standby: 'stand down', declined: 'give back' },
  standby: { accepted: 'take seat', standby: 'nothing', declined: 'move' },
  declined: { accepted: 'take seat', standby: 'move', declined: 'nothing' },
};

/** The last millisecond at which a held seat can be swapped for a place in the queue. */
export const standDownUntilMs = (startMs: number): number => startMs - STANDBY_CONSENT_HOURS * 3_600_000;

/**
 * The answers that would change an order at an instant, as buttons offer them. Only the server knows if a seat is free, and
 * refuses an Accept without one.
 * @param order instants are epoch milliseconds
 * @returns [] for a draft, after the order's end and once the mission has started
 */
export function answersAt(order: OrderMoments, nowMs: number): RsvpResponse[] {
  const { status, rsvp, startMs } = order;
  const isOpen = status === 'issued' && orderStateAt(order, nowMs) === rsvp && nowMs < startMs;
  return RSVP_RESPONSES.filter((response) => {
    const rule = ANSWER_RULES[rsvp][response];
    if (!isOpen || rule === 'nothing' || rule === 'confirm') return false;
    return rule !== 'stand down' || nowMs <= standDownUntilMs(startMs);
  });
}
