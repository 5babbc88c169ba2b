/** The effect of a pilot's RSVP to a frag order. Overlaps with other missions are checked by the database. */
import { LATE_CANCEL_HOURS } from '#shared/limits.ts';
import { ANSWER_RULES, standDownUntilMs } from '#shared/order-answers.ts';
import type { OrderStatus, OrderStatusReason, Rsvp, RsvpResponse } from '#shared/vocabulary.ts';
import { isExpired } from '#shared/order-state.ts';
import { HOUR_MS } from '#server/time/time.ts';

export type RsvpRefusal =
  | 'GONE_EXPIRED'
  | 'GONE_CANCELLED'
  /** on standby or declined, and no fitting seat is free */
  | 'NO_SEAT'
  /** an open offer that another pilot took first */
  | 'SEAT_TAKEN'
  | 'STARTED'
  /** a held seat can be given up for standby only until 24 h before the start */
  | 'STANDBY_TOO_LATE'
  | 'NOT_POSSIBLE';

export type RsvpDecision =
  /** `late`: a held seat is given back less than 24 h before the start */
  | { readonly kind: 'changed'; readonly to: RsvpResponse; readonly late: boolean }
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: RsvpRefusal };

export type RsvpQuestion = {
  readonly status: OrderStatus;
  readonly statusReason: OrderStatusReason | null;
  readonly rsvp: Rsvp;
  readonly expiresMs: number;
  readonly startMs: number;
  readonly nowMs: number;
  /** true if a fitting seat could be taken now; a pending order that holds its seat does not need one */
  readonly seatFree: boolean;
  /** a pending order without a seat, sent to several pilots: the first to accept takes it */
  readonly isOpenOffer?: boolean;
  readonly response: RsvpResponse;
};

/** Decide the effect of an answer. */
export function decideRsvp(question: RsvpQuestion): RsvpDecision {
  const { status, statusReason, rsvp, response, startMs, nowMs } = question;
  if (status === 'draft') return refuse('NOT_POSSIBLE');
  if (status === 'cancelled') return refuse(statusReason === 'expired' ? 'GONE_EXPIRED' : 'GONE_CANCELLED');
  if (isExpired(question, nowMs)) return refuse('GONE_EXPIRED');

  const rule = ANSWER_RULES[rsvp][response];
  if (rule === 'nothing') return { kind: 'unchanged' };
  if (rule === 'confirm') return { kind: 'confirmed' };
  const hoursLeft = (startMs - nowMs) / HOUR_MS;
  if (hoursLeft <= 0) return refuse('STARTED');
  if (rule === 'stand down' && nowMs > standDownUntilMs(startMs)) return refuse('STANDBY_TOO_LATE');
  if (!question.seatFree) {
    if (rule === 'take seat') return refuse('NO_SEAT');
    if (rule === 'answer' && response === 'accepted' && question.isOpenOffer) return refuse('SEAT_TAKEN');
  }
  return { kind: 'changed', to: response, late: rule === 'give back' && hoursLeft < LATE_CANCEL_HOURS };
}

function refuse(code: RsvpRefusal): RsvpDecision {
  return { kind: 'refused', code };
}
