/** The state of a frag order as text. */
import { copy } from '#shared/copy.ts';
import { answersAt } from '#shared/order-answers.ts';
import { asksAgain } from '#shared/order-changes.ts';
import { momentsOf, type OrderState, orderStateAt, removedSentence } from '#shared/order-state.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';

/** The state at this time: an order expires on the screen without a new response from the server. */
export function orderState(order: FragOrderDto, now: Date): OrderState {
  return orderStateAt(momentsOf(order), now.getTime());
}

/** The answers that are possible now. */
export function openAnswers(order: FragOrderDto, now: Date): RsvpResponse[] {
  return answersAt(momentsOf(order), now.getTime());
}

/** `1st`, `2nd`, `3rd`, `11th` */
export function ordinal(count: number): string {
  const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${count}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th'}`;
}

/** `2nd in line`; without a known place, `On standby`. */
export function queuePlace({ standbyPosition }: FragOrderDto): string {
  return standbyPosition === null ? 'On standby' : `${ordinal(standbyPosition)} in line`;
}

/** The state in one or two sentences. */
export function stateSentence(order: FragOrderDto, state: OrderState): string {
  switch (state) {
    case 'pending':
      return asksAgain(order, order.changes)
        ? 'The mission changed. Please answer again.'
        : 'This order needs your answer.';
    case 'accepted':
      return order.confirmedAt === null
        ? "This seat is yours. Confirm once you're sure."
        : "This seat is yours, and you've confirmed it.";
    case 'standby':
      return `${queuePlace(order)} for a seat. You'll be notified when one opens up for you.`;
    case 'declined':
      return 'You declined this order.';
    case 'expired':
      return `${copy.orderExpired} You didn't answer in time, so the seat was released.`;
    case 'mission cancelled':
      return `${copy.orderCancelled} The mission won't take place.`;
    case 'removed':
      return removedSentence(order);
    case 'taken':
      return copy.seatTaken;
    case 'replaced':
      return 'A newer order for this mission replaced this one.';
    case 'missed':
      return copy.missionStarted;
    case 'flown':
      return 'This mission is over.';
  }
}
