/** The effect of a pilot's RSVP to a frag order. Overlaps with other missions are checked by the database. */
import { LATE_CANCEL_HOURS } from '#shared/limits.ts';
import { ANSWER_RULES, standDownUntilMs } from '#shared/order-answers.ts';
import type { OrderStatus, OrderStatusReason, Rsvp, RsvpResponse } from '#shared/vocabulary.ts';
import { isExpired } from '#shared/order-expiry.ts';
import { HOUR_MS } from '#server/time/time.ts';

export type RsvpRefusal =
  | 'ORDER_EXPIRED'
  | 'ORDER_CANCELLED'
  /** on standby or declined, and no fitting seat is free */
  | 'NO_SEAT_FREE'
  /** a shared offer that another pilot took first */
  | 'SEAT_TAKEN'
  | 'MISSION_STARTED'
  /** a held seat can be given up for standby only until 24 h before the start */
  | 'STANDBY_TOO_LATE'
  | 'ANSWER_NOT_POSSIBLE'
  /** an admin has changed the order since the state that the pilot accepts */
  | 'CHANGED';

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
  /** sent to several pilots: the first to accept takes the seat */
  readonly isSharedOffer: boolean;
  /** changed by an admin since the state that the pilot has read */
  readonly isUnseen: boolean;
  readonly expiresMs: number;
  readonly startMs: number;
  readonly nowMs: number;
  /** true if the order holds a seat or a fitting seat could be taken now */
  readonly seatFree: boolean;
  readonly response: RsvpResponse;
};

/** Decide the effect of an answer. */
export function decideRsvp(question: RsvpQuestion): RsvpDecision {
  const { status, statusReason, rsvp, response, startMs, nowMs } = question;
  const isAccept = response === 'accepted';
  if (status === 'draft') return refuse('ANSWER_NOT_POSSIBLE');
  if (status === 'cancelled' ? statusReason === 'expired' : isExpired(question, nowMs)) return refuse('ORDER_EXPIRED');
  if (status === 'cancelled') {
    const isTaken = question.isSharedOffer && statusReason === 'superseded' && isAccept;
    return refuse(isTaken ? 'SEAT_TAKEN' : 'ORDER_CANCELLED');
  }

  const rule = ANSWER_RULES[rsvp][response];
  if (rule === 'nothing') return { kind: 'unchanged' };
  const hoursLeft = (startMs - nowMs) / HOUR_MS;
  if (rule !== 'confirm') {
    if (hoursLeft <= 0) return refuse('MISSION_STARTED');
    if (rule === 'stand down' && nowMs > standDownUntilMs(startMs)) return refuse('STANDBY_TOO_LATE');
    if (isAccept && !question.seatFree) return refuse(rule === 'take seat' ? 'NO_SEAT_FREE' : 'SEAT_TAKEN');
  }
  if (isAccept && question.isUnseen) return refuse('CHANGED');
  if (rule === 'confirm') return { kind: 'confirmed' };
  return { kind: 'changed', to: response, late: rule === 'give back' && hoursLeft < LATE_CANCEL_HOURS };
}

function refuse(code: RsvpRefusal): RsvpDecision {
  return { kind: 'refused', code };
}
