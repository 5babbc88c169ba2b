/**
 * Frag orders and the seats they hold. A Seat row *is* the holding: only pending and accepted orders have one, so that
 * "one holder", "one seat per mission" and "no two overlapping missions" are plain constraints.
 */
import { defineEntity } from '@mikro-orm/core';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import {
  ATTENDANCES,
  ORDER_STATUS_REASONS,
  ORDER_STATUSES,
  RSVPS,
  type Attendance,
  type OrderStatus,
  type OrderStatusReason,
  type Rsvp,
} from '#shared/vocabulary.ts';
import { createdAt, id, oneOf } from './base.ts';
import { freeJson, freeTexts, p, text } from './columns.ts';
import { personal, quotes, shown } from './personal.ts';
import { rosterTriggers } from './roster-triggers.ts';
import { Flight, Mission } from './mission.ts';
import { User } from './user.ts';

export const FragOrderSchema = defineEntity({
  name: 'FragOrder',
  properties: {
    id: id(),
    /** one global sequence; people read it as FRAG-007 */
    seq: p.integer().autoincrement().unique(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade'),
    flight: () => p.manyToOne(Flight).deleteRule('cascade').index('frag_order_flight_idx'),
    seatIndex: p.smallint(),
    pilot: () => p.manyToOne(User),
    status: text(shown('status')).$type<OrderStatus>(),
    statusReason: text(shown('statusReason')).$type<OrderStatusReason>().nullable(),
    rsvp: text(shown('answer')).$type<Rsvp>(),
    /** offered to several pilots at once; none of them holds the seat until the first one accepts */
    isSharedOffer: p.boolean().default(false),
    reasons: freeTexts(400, shown('reasons')),
    issuedAt: personal(p.datetime(), shown('issuedAt')),
    expiresAt: personal(p.datetime(), shown('expiresAt')),
    readAt: personal(p.datetime().nullable(), shown('readAt')),
    answeredAt: personal(p.datetime().nullable(), shown('answeredAt')),
    /** the last time it was accepted; kept when the seat is given back, so that calendars can cancel the event */
    acceptedAt: p.datetime().nullable(),
    /** "Still flying" since this acceptance */
    confirmedAt: personal(p.datetime().nullable(), shown('confirmedAt')),
    /** the last time its pilot gave up the seat it names; null again with a seat, and once another pilot has held that seat */
    gaveUpAt: personal(p.datetime().nullable(), shown('gaveUpAt')),
    /** the seat was given back less than 24 h before the start */
    isLate: personal(p.boolean().default(false), shown('wasLate')),
    /** changes by admins since it was issued, with old and new values; null for none */
    changes: freeJson<OrderChange[]>(
      ['from', 'to', 'before', 'after', 'text'],
      quotes('marks', 'as long as the order', { as: 'changes' }),
    ).nullable(),
    /** the last change by an admin: identifies the version that an answer is for, and gives calendars their sequence */
    changedAt: p.datetime().nullable(),
    /** the last time that an admin asked again for an answer or a confirmation */
    nudgedAt: personal(p.datetime().nullable(), shown('nudgedAt')),
    /** recorded by an admin once the mission is over */
    attendance: text(shown('attendance')).$type<Attendance>().nullable(),
    /** when the pilot dismissed the notice about its end */
    noticeClosedAt: p.datetime().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'frag_order_pilot_idx', properties: ['pilot', 'issuedAt'] },
    { name: 'frag_order_mission_idx', properties: ['mission', 'pilot'] },
    {
      // few orders at any time, among all that there ever were
      name: 'frag_order_pending_idx',
      expression: `create index "frag_order_pending_idx" on "frag_order" ("expires_at") where status = 'issued' and rsvp = 'pending'`,
    },
    {
      // track records are summed up from the index alone
      name: 'frag_order_outcome_idx',
      expression: `create index "frag_order_outcome_idx" on "frag_order" ("pilot_id") include ("mission_id", "attendance", "is_late") where attendance is not null or is_late`,
    },
  ],
  uniques: [
    {
      name: 'frag_order_one_live',
      expression: `create unique index "frag_order_one_live" on "frag_order" ("mission_id", "pilot_id") where status = 'issued' and rsvp <> 'declined'`,
    },
  ],
  checks: [
    { name: 'frag_order_status_known', expression: oneOf('status', ORDER_STATUSES) },
    { name: 'frag_order_rsvp_known', expression: oneOf('rsvp', RSVPS) },
    {
      name: 'frag_order_attendance_known',
      expression: `(attendance is null) or (${oneOf('attendance', ATTENDANCES)})`,
    },
    {
      name: 'frag_order_reason_of_cancelled',
      expression: `(status = 'cancelled'::text) = (status_reason is not null) and (status_reason is null or (${oneOf('status_reason', ORDER_STATUS_REASONS)}))`,
    },
    {
      name: 'frag_order_confirmed_acceptance',
      expression: `confirmed_at is null or (rsvp = 'accepted'::text and accepted_at is not null and confirmed_at >= accepted_at)`,
    },
    {
      name: 'frag_order_gave_up_seat',
      expression: `gave_up_at is null or rsvp = any (array['standby'::text, 'declined'::text])`,
    },
    { name: 'frag_order_seat_index', expression: '((seat_index >= 0) and (seat_index <= 3))' },
  ],
  // an order comes and goes with its seat, whose triggers note that; most orders that change hold none
  triggers: rosterTriggers('frag_order', 'note_roster_order_change()', ['update']),
});
export class FragOrder extends FragOrderSchema.class {}
FragOrderSchema.setClass(FragOrder);

export const SeatSchema = defineEntity({
  name: 'Seat',
  properties: {
    flight: () => p.manyToOne(Flight).primary().deleteRule('cascade'),
    seatIndex: p.smallint().primary(), // 0-based; shown 1-based
    pilot: () => p.manyToOne(User),
    mission: () => p.manyToOne(Mission).deleteRule('cascade'),
    order: () => p.oneToOne(FragOrder).owner().deleteRule('cascade'),
    /** copies of the mission's times: an exclusion constraint can only read its own table */
    startsAt: p.datetime(),
    endsAt: p.datetime(),
  },
  uniques: [{ name: 'seat_one_per_mission', properties: ['mission', 'pilot'] }],
  indexes: [{ name: 'seat_ends_at_idx', properties: ['endsAt', 'startsAt'] }],
  checks: [
    {
      name: 'seat_no_overlap',
      expression: `exclude using gist (pilot_id with =, tstzrange(starts_at, ends_at) with &&)`,
    },
    { name: 'seat_index_range', expression: '((seat_index >= 0) and (seat_index <= 3))' },
    { name: 'seat_has_length', expression: 'ends_at > starts_at' },
  ],
  triggers: rosterTriggers('seat', "note_roster_change('pilot_id')"),
});
export class Seat extends SeatSchema.class {}
SeatSchema.setClass(Seat);
