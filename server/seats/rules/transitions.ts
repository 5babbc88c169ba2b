/**
 * Transitions of a frag order that an answer or a new seat makes: one row each, with every column that answers and seats
 * concern. A row that lacks a column does not compile: "keep" is a decision.
 */

/** The columns of an order that say who sits where, and what its pilot has answered. */
export const ORDER_COLUMNS = [
  'flight_id',
  'seat_index',
  'rsvp',
  'is_open_offer',
  'reasons',
  'expires_at',
  'read_at',
  'answered_at',
  'accepted_at',
  'confirmed_at',
  'gave_up_at',
  'is_late',
  'changes',
  'changed_at',
] as const;
export type OrderColumn = (typeof ORDER_COLUMNS)[number];

/** How a transition sets a column. */
export type Setting =
  | 'keep'
  /** the caller gives it */
  | 'given'
  | 'now'
  /** the time it has, or else now */
  | 'first time'
  /** the same, but never before the acceptance, which another process's clock may have dated */
  | 'once accepted'
  /** now, but always later than before: the time identifies the version that an answer is for */
  | 'next version'
  | { readonly is: string | boolean | null };

const NONE = { is: null } as const;
const NO = { is: false } as const;
const ACCEPTED = { is: 'accepted' } as const;

/** A pilot's own acceptance, which acknowledges an admin's changes. Whoever holds a seat has given none up. */
const ACCEPT = {
  flight_id: 'given',
  seat_index: 'given',
  rsvp: ACCEPTED,
  is_open_offer: 'keep',
  reasons: 'keep',
  expires_at: 'keep',
  read_at: 'first time',
  answered_at: 'now',
  accepted_at: 'now',
  confirmed_at: NONE,
  gave_up_at: NONE,
  is_late: NO,
  changes: NONE,
  changed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;

/** An answer that needs no seat, of a pilot without one. */
const STEP_ASIDE = {
  flight_id: 'keep',
  seat_index: 'keep',
  rsvp: 'given',
  is_open_offer: 'keep',
  reasons: 'keep',
  expires_at: 'keep',
  read_at: 'first time',
  answered_at: 'now',
  // calendars cancel the event of an acceptance that was taken back
  accepted_at: 'keep',
  confirmed_at: NONE,
  gave_up_at: 'keep',
  is_late: 'keep',
  changes: NONE,
  changed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;

const SEEN = {
  flight_id: 'keep',
  seat_index: 'keep',
  rsvp: 'keep',
  is_open_offer: 'keep',
  reasons: 'keep',
  expires_at: 'keep',
  read_at: 'keep',
  answered_at: 'keep',
  accepted_at: 'keep',
  confirmed_at: 'keep',
  gave_up_at: 'keep',
  is_late: 'keep',
  changes: NONE,
  changed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;

export const TRANSITIONS = {
  accept: ACCEPT,
  /** an open seat, without having been asked */
  'take seat': { ...ACCEPT, is_open_offer: NO, reasons: 'given' },
  /** from standby, without being asked: unread, so that a notice tells the pilot, and nothing is acknowledged */
  promote: { ...ACCEPT, is_open_offer: NO, reasons: 'given', read_at: NONE, changes: 'given' },
  'step aside': STEP_ASIDE,
  /** the same of a pilot who holds a seat */
  'give up seat': { ...STEP_ASIDE, gave_up_at: 'now', is_late: 'given' },
  /** a pilot on standby or without an answer has read an admin's changes */
  acknowledge: SEEN,
  /** "Still flying?": yes */
  confirm: { ...SEEN, confirmed_at: 'once accepted' },
  /** an admin's change needs a new answer */
  'ask again': {
    flight_id: 'keep',
    seat_index: 'keep',
    rsvp: { is: 'pending' },
    is_open_offer: 'keep',
    reasons: 'keep',
    expires_at: 'given',
    read_at: NONE,
    answered_at: NONE,
    // the pilot gave the seat back if the next answer is no
    accepted_at: 'keep',
    confirmed_at: NONE,
    gave_up_at: NONE,
    is_late: 'keep',
    changes: 'keep',
    changed_at: 'keep',
  },
  /** by an admin, to another seat of the mission: whoever accepted or confirmed the mission still flies it */
  move: {
    flight_id: 'given',
    seat_index: 'given',
    rsvp: 'keep',
    is_open_offer: NO,
    reasons: 'given',
    expires_at: 'keep',
    read_at: NONE,
    answered_at: 'keep',
    accepted_at: 'keep',
    confirmed_at: 'keep',
    gave_up_at: NONE,
    is_late: 'keep',
    changes: 'given',
    changed_at: 'next version',
  },
  /** with another pilot, as both agreed, who thereby have seen an admin's changes */
  swap: {
    flight_id: 'given',
    seat_index: 'given',
    rsvp: 'keep',
    is_open_offer: NO,
    reasons: 'given',
    expires_at: 'keep',
    read_at: 'keep',
    answered_at: 'keep',
    accepted_at: 'keep',
    confirmed_at: NONE,
    gave_up_at: NONE,
    is_late: 'keep',
    changes: NONE,
    changed_at: 'next version',
  },
} as const satisfies Record<string, Record<OrderColumn, Setting>>;
export type Transition = keyof typeof TRANSITIONS;

/** The columns that the caller of a transition gives. */
export type GivenColumn<T extends Transition> = {
  [C in OrderColumn]: (typeof TRANSITIONS)[T][C] extends 'given' ? C : never;
}[OrderColumn];
