/** Matchmaking tables beside orders and seats: willing pilots and proposed seat swaps. */
import { defineEntity } from '@mikro-orm/core';
import { SWAP_STATES, type SwapState } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf } from './base.ts';
import { p, text } from './columns.ts';
import { none } from './personal.ts';
import { FragOrder } from './frag-order.ts';
import { Flight, Mission } from './mission.ts';
import { User } from './user.ts';

/**
 * A pilot who could have flown a mission: eligible for one of its seats when it was issued, or asked or seated since.
 * The fairness ledger is computed from these rows and the orders, so it cannot drift from what happened.
 */
export const WillingPilotSchema = defineEntity({
  name: 'WillingPilot',
  properties: {
    mission: () => p.manyToOne(Mission).primary().deleteRule('cascade'),
    pilot: () => p.manyToOne(User).primary().deleteRule('cascade').index('willing_pilot_pilot_idx'),
  },
});
export class WillingPilot extends WillingPilotSchema.class {}
WillingPilotSchema.setClass(WillingPilot);

export const SeatSwapSchema = defineEntity({
  name: 'SeatSwap',
  properties: {
    id: id(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade').index('seat_swap_mission_idx'),
    /** the order of the pilot who asks */
    order: () => p.manyToOne(FragOrder).deleteRule('cascade'),
    /** the order of the pilot who is asked */
    withOrder: () => p.manyToOne(FragOrder).deleteRule('cascade').index('seat_swap_with_order_idx'),
    /** the seats at the time of the proposal: it is void once either pilot has moved */
    flight: () => p.manyToOne(Flight).deleteRule('cascade'),
    seatIndex: p.smallint(),
    withFlight: () => p.manyToOne(Flight).deleteRule('cascade'),
    withSeatIndex: p.smallint(),
    state: text(none).$type<SwapState>(),
    expiresAt: p.datetime(),
    answeredAt: p.datetime().nullable(),
    createdAt: createdAt(),
  },
  uniques: [
    {
      name: 'seat_swap_one_open',
      expression: `create unique index "seat_swap_one_open" on "seat_swap" ("order_id") where state = 'proposed'`,
    },
  ],
  checks: [
    { name: 'seat_swap_state_known', expression: oneOf('state', SWAP_STATES) },
    { name: 'seat_swap_two_orders', expression: 'order_id <> with_order_id' },
  ],
});
export class SeatSwap extends SeatSwapSchema.class {}
SeatSwapSchema.setClass(SeatSwap);
