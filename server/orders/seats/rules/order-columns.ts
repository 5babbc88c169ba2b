/** The columns of an order that change in its life, and what transitions have in common in setting them. */

export const ORDER_COLUMNS = [
  'flight_id',
  'seat_index',
  'status',
  'status_reason',
  'rsvp',
  'is_shared_offer',
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
  'nudged_at',
  'attendance',
  'notice_closed_at',
] as const;
export type OrderColumn = (typeof ORDER_COLUMNS)[number];

/** How a transition sets a column. */
export type Setting =
  | 'keep'
  /** the caller gives it */
  | 'given'
  /** the caller may give it; null keeps it */
  | 'given or keep'
  | 'now'
  /** the time it has, or else now */
  | 'first time'
  /** the same, but never before the acceptance, which another process's clock may have dated */
  | 'once accepted'
  /** now, but always later than before: the time identifies the version that an answer is for */
  | 'next version'
  /** false once the order has been answered */
  | 'only while pending'
  | { readonly is: string | boolean | null };

export const NONE = { is: null } as const;
export const NO = { is: false } as const;
export const ISSUED = { is: 'issued' } as const;
const CANCELLED = { is: 'cancelled' } as const;

/** For the transitions of a single fact. */
export const KEEP = {
  flight_id: 'keep',
  seat_index: 'keep',
  status: 'keep',
  status_reason: 'keep',
  rsvp: 'keep',
  is_shared_offer: 'keep',
  reasons: 'keep',
  expires_at: 'keep',
  read_at: 'keep',
  answered_at: 'keep',
  accepted_at: 'keep',
  confirmed_at: 'keep',
  gave_up_at: 'keep',
  is_late: 'keep',
  changes: 'keep',
  changed_at: 'keep',
  nudged_at: 'keep',
  attendance: 'keep',
  notice_closed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;

/** A new order. */
export const NEW = {
  flight_id: 'given',
  seat_index: 'given',
  status: ISSUED,
  status_reason: NONE,
  rsvp: { is: 'pending' },
  is_shared_offer: NO,
  reasons: 'given',
  expires_at: 'given',
  read_at: NONE,
  answered_at: NONE,
  accepted_at: NONE,
  confirmed_at: NONE,
  gave_up_at: NONE,
  is_late: NO,
  changes: NONE,
  changed_at: NONE,
  nudged_at: NONE,
  attendance: NONE,
  notice_closed_at: NONE,
} as const satisfies Record<OrderColumn, Setting>;

/** A pilot's own acceptance, which acknowledges an admin's changes. Whoever holds a seat has given none up. */
export const ACCEPT = {
  flight_id: 'keep',
  seat_index: 'keep',
  status: 'keep',
  status_reason: 'keep',
  rsvp: { is: 'accepted' },
  is_shared_offer: 'keep',
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
  nudged_at: 'keep',
  attendance: 'keep',
  notice_closed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;
export const ACCEPT_ELSEWHERE = { ...ACCEPT, flight_id: 'given', seat_index: 'given' } as const;

/** An answer that needs no seat. */
export const STEP_ASIDE = {
  flight_id: 'keep',
  seat_index: 'keep',
  status: 'keep',
  status_reason: 'keep',
  rsvp: 'given',
  is_shared_offer: 'keep',
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
  nudged_at: 'keep',
  attendance: 'keep',
  notice_closed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;

/** An admin's change needs a new answer. */
export const ASK_AGAIN = {
  flight_id: 'keep',
  seat_index: 'keep',
  status: 'keep',
  status_reason: 'keep',
  rsvp: { is: 'pending' },
  is_shared_offer: 'keep',
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
  nudged_at: 'keep',
  attendance: 'keep',
  notice_closed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;

/** By an admin, to another seat of the mission: whoever accepted or confirmed the mission still flies it. */
export const MOVE = {
  flight_id: 'given',
  seat_index: 'given',
  status: 'keep',
  status_reason: 'keep',
  rsvp: 'keep',
  is_shared_offer: NO,
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
  nudged_at: 'keep',
  attendance: 'keep',
  notice_closed_at: 'keep',
} as const satisfies Record<OrderColumn, Setting>;

/** The end of an order. Its answer and its times stay for the record. */
export const END = { ...KEEP, status: CANCELLED, status_reason: { is: 'superseded' } } as const;
