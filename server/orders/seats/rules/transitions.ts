/**
 * Transitions of a frag order: one row each, with the states it may start from, what becomes of the seat, the event that it
 * emits, and every column that changes in an order's life. A row that lacks a column does not compile: "keep" is a decision.
 * `server/orders/seats/order-writes.ts` applies them, and nothing else writes orders and seats.
 */
import type { TransitionEvents } from '#server/signals/rules/orders.ts';
import {
  ACCEPT,
  ACCEPT_ELSEWHERE,
  ASK_AGAIN,
  END,
  ISSUED,
  KEEP,
  MOVE,
  NEW,
  NO,
  NONE,
  STEP_ASIDE,
  type OrderColumn,
  type Setting,
} from './order-columns.ts';

/** What an order is to its pilot. */
export type OrderState =
  /** asks its pilot, and holds a seat meanwhile */
  | 'pending'
  /** asks several pilots for one seat, which it does not hold */
  | 'offered'
  /** either of them, past its time */
  | 'overdue'
  | 'accepted'
  | 'standby'
  | 'declined'
  | 'cancelled';

/** What becomes of an order's seat. A seat that is taken passes on: whoever gave it up before may be offered it again. */
export type SeatEffect = 'keeps' | 'takes' | 'changes' | 'frees';

export interface TransitionRow {
  /** null for a new order */
  readonly from: readonly OrderState[] | null;
  readonly seat: SeatEffect;
  /** null: nobody else sees it, or the caller knows who does */
  readonly event: keyof TransitionEvents | null;
  /** An order in another state stays as it is, because another mission's transaction may have expired it. Otherwise: refused. */
  readonly skips?: true;
  readonly set: Record<OrderColumn, Setting>;
}

const LIVE = ['pending', 'offered', 'accepted', 'standby'] as const;
const ALL_ISSUED = [...LIVE, 'declined'] as const;

export const TRANSITIONS = {
  issue: { from: null, seat: 'takes', event: 'order.issued', set: NEW },
  /** of one seat to several pilots, of whom the first to accept takes it */
  offer: { from: null, seat: 'keeps', event: 'order.issued', set: { ...NEW, is_shared_offer: { is: true } } },
  /** by the pilot, without having been asked */
  'join queue': {
    from: null,
    seat: 'keeps',
    event: 'order.queued',
    set: { ...NEW, rsvp: { is: 'standby' }, read_at: 'now', answered_at: 'now' },
  },

  /** with the seat that the order holds */
  accept: { from: ['pending'], seat: 'keeps', event: 'order.answered', set: ACCEPT },
  /** with a free one */
  'accept free seat': {
    from: ['offered', 'standby', 'declined'],
    seat: 'takes',
    event: 'order.answered',
    set: ACCEPT_ELSEWHERE,
  },
  /** an open one, without having been asked */
  'take seat': {
    from: ['offered', 'standby', 'declined'],
    seat: 'takes',
    event: 'order.answered',
    set: { ...ACCEPT_ELSEWHERE, is_shared_offer: NO, reasons: 'given' },
  },
  /** from standby, without being asked: unread, so that a notice tells the pilot, and nothing is acknowledged */
  promote: {
    from: ['standby'],
    seat: 'takes',
    event: 'order.promoted',
    set: { ...ACCEPT_ELSEWHERE, is_shared_offer: NO, reasons: 'given', read_at: NONE, changes: 'given' },
  },
  'step aside': {
    from: ['offered', 'standby', 'declined'],
    seat: 'keeps',
    event: 'order.answered',
    set: STEP_ASIDE,
  },
  'give up seat': {
    from: ['pending', 'accepted'],
    seat: 'frees',
    event: 'order.answered',
    set: { ...STEP_ASIDE, gave_up_at: 'now', is_late: 'given' },
  },
  /** "Still flying?": yes */
  confirm: {
    from: ['accepted'],
    seat: 'keeps',
    event: 'order.confirmed',
    set: { ...KEEP, confirmed_at: 'once accepted', changes: NONE },
  },
  /** by an admin, while the pilot has not answered, or not confirmed */
  nudge: {
    from: ['pending', 'accepted'],
    seat: 'keeps',
    event: 'order.nudged',
    skips: true,
    set: { ...KEEP, nudged_at: 'now' },
  },
  /** the pilot has read an admin's changes */
  acknowledge: { from: ALL_ISSUED, seat: 'keeps', event: null, set: { ...KEEP, changes: NONE } },

  /** an admin's changes, which ask nothing */
  tell: {
    from: LIVE,
    seat: 'keeps',
    event: 'order.told',
    skips: true,
    set: {
      ...KEEP,
      is_shared_offer: 'only while pending',
      reasons: 'given',
      changes: 'given',
      changed_at: 'next version',
    },
  },
  'ask again': {
    from: ['pending', 'offered', 'accepted'],
    seat: 'keeps',
    event: 'order.told',
    skips: true,
    set: ASK_AGAIN,
  },
  move: { from: ['pending', 'accepted'], seat: 'changes', event: 'order.moved', set: MOVE },
  /** with another pilot, as both agreed, who thereby have seen an admin's changes */
  swap: {
    from: ['accepted'],
    seat: 'changes',
    event: 'order.swapped',
    set: { ...MOVE, read_at: 'keep', confirmed_at: NONE, changes: NONE },
  },
  /** an order without a seat, whose flight is removed: it forgets a seat that its pilot gave up there */
  'change flight': {
    from: ['offered', 'standby', 'declined', 'cancelled'],
    seat: 'keeps',
    event: null,
    set: { ...KEEP, flight_id: 'given', gave_up_at: NONE, changes: 'given' },
  },

  expire: {
    from: ['overdue'],
    seat: 'frees',
    event: 'order.expired',
    skips: true,
    set: { ...END, status_reason: { is: 'expired' } },
  },
  /** by an admin, or because the pilot is suspended, on leave or no longer fits */
  withdraw: {
    from: ALL_ISSUED,
    seat: 'frees',
    event: 'order.withdrawn',
    skips: true,
    set: { ...END, reasons: 'given or keep', changes: 'given', changed_at: 'next version' },
  },
  /** another pilot has the seat, or another order asks this one */
  supersede: { from: ['offered', 'standby'], seat: 'keeps', event: 'order.superseded', skips: true, set: END },
  /** back in the same place of the queue, after an offer that another pilot took; it showed the mission as it is */
  'wait again': {
    from: ['cancelled'],
    seat: 'keeps',
    event: 'order.waits_again',
    set: { ...KEEP, status: ISSUED, status_reason: NONE, changes: NONE },
  },
  /** with its mission */
  cancel: {
    from: ALL_ISSUED,
    seat: 'frees',
    event: 'order.cancelled',
    skips: true,
    set: { ...END, status_reason: { is: 'mission cancelled' }, changed_at: 'now' },
  },

  /** by its pilot */
  read: {
    from: [...ALL_ISSUED, 'cancelled'],
    seat: 'keeps',
    event: null,
    set: { ...KEEP, read_at: 'first time' },
  },
  'close notice': {
    from: [...ALL_ISSUED, 'cancelled'],
    seat: 'keeps',
    event: null,
    set: { ...KEEP, notice_closed_at: 'first time' },
  },
  /** a new mark shows its notice */
  'mark attendance': {
    from: ['accepted'],
    seat: 'keeps',
    event: null,
    set: { ...KEEP, attendance: 'given', notice_closed_at: NONE },
  },
} as const satisfies Record<string, TransitionRow>;
export type Transition = keyof typeof TRANSITIONS;

type Table = typeof TRANSITIONS;
/** The columns that the caller of a transition gives. */
export type GivenColumn<T extends Transition> = {
  [C in OrderColumn]: Table[T]['set'][C] extends 'given' | 'given or keep' ? C : never;
}[OrderColumn];

/** Transitions that make an order. */
export type Issue = { [T in Transition]: Table[T]['from'] extends null ? T : never }[Transition];
/** Transitions of an order that is there. */
export type Change = Exclude<Transition, Issue>;
/** Transitions that change who holds a seat. */
export type Seating = { [T in Change]: Table[T]['seat'] extends 'keeps' ? never : T }[Change];
