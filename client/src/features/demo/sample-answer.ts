/** Answers to frag orders in the demo, by the same rules as the server. */
import { copy } from '#shared/copy.ts';
import { ANSWER_RULES } from '#shared/order-answers.ts';
import { isExpired } from '#shared/order-expiry.ts';
import { momentsOf } from '#shared/order-state.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { SAMPLE_NAME, type SampleOrder } from './sample-home.ts';

/** The order after the answer, or the sentence of a refusal. */
export type SampleAnswer = { answered: AcceptedMissionDto } | { refused: string };

/** The order's package after the pilot takes the seat or gives it back. */
function seatPilot(order: AcceptedMissionDto, isSeated: boolean): AcceptedMissionDto['package'] {
  if (!isSeated && order.rsvp !== 'accepted') return order.package;
  return {
    ...order.package,
    composition: order.package.composition.map((flight) =>
      flight.callsign === order.flightCallsign
        ? { ...flight, pilots: flight.pilots.with(order.seatIndex, isSeated ? SAMPLE_NAME : null) }
        : flight,
    ),
  };
}

export function answerSample({ order, seatFree }: SampleOrder, response: RsvpResponse, now: Date): SampleAnswer {
  if (isExpired(momentsOf(order), now.getTime())) {
    return { refused: copy.orderExpired };
  }
  const rule = ANSWER_RULES[order.rsvp][response];
  if (rule === 'take seat' && !seatFree) {
    return { refused: copy.noSeatFree };
  }
  return {
    answered: {
      ...order,
      package: seatPilot(order, response === 'accepted'),
      rsvp: response,
      confirmedAt: rule === 'confirm' ? (order.confirmedAt ?? now.toISOString()) : null,
      // With a free seat the queue is empty; without one, one other pilot is ahead in the queue.
      standbyPosition: response === 'standby' ? (order.standbyPosition ?? (seatFree ? 1 : 2)) : null,
    },
  };
}
