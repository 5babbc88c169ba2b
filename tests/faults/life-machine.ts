/** The states of an order, its legal transitions, and row types that all checkers share. */
import type { OrderRow, Tx } from './life-journal.ts';

/** The state of an order; `shared` is an offer without a seat, the last three are final. */
export type State =
  | 'none'
  | 'pending'
  | 'shared'
  | 'accepted'
  | 'standby'
  | 'declined'
  | 'expired'
  | 'mission cancelled'
  | 'superseded';

/** Causes of an order's transitions; the checkers look for each in the calls or in the same transaction. */
export type Cause =
  | 'answered'
  /** its pilot joined the standby queue without having been asked */
  | 'joined'
  /** created or published with the mission */
  | 'issued'
  | 'assigned'
  | 'removed'
  | 'edited'
  | 'suspended'
  | 'called off'
  /** its time limit had passed */
  | 'ran out'
  /** the pilot is on leave at that time */
  | 'on leave'
  /** a free seat was offered */
  | 'offered'
  /** a standby pilot was given a free seat more than 24 h ahead */
  | 'promoted'
  /** called from the queue: the pilot has another order in its place */
  | 'called'
  /** its seat was taken by another */
  | 'outrun'
  /** back in the queue, because the offer that came from it was taken by another or ended */
  | 'back';

export const MOVES: Partial<Record<State, Partial<Record<State, readonly Cause[]>>>> = {
  none: { pending: ['issued', 'assigned', 'offered'], shared: ['offered'], standby: ['joined'] },
  pending: {
    pending: ['edited', 'assigned'],
    accepted: ['answered'],
    standby: ['answered'],
    declined: ['answered'],
    expired: ['ran out'],
    superseded: ['assigned', 'removed', 'edited', 'suspended', 'on leave'],
    'mission cancelled': ['called off'],
  },
  shared: {
    shared: ['edited'],
    accepted: ['answered'],
    standby: ['answered'],
    declined: ['answered'],
    expired: ['ran out'],
    superseded: ['outrun', 'assigned', 'edited', 'suspended', 'on leave'],
    'mission cancelled': ['called off'],
  },
  accepted: {
    pending: ['edited', 'assigned'],
    accepted: ['edited', 'assigned'],
    standby: ['answered'],
    declined: ['answered'],
    superseded: ['assigned', 'removed', 'edited', 'suspended', 'on leave'],
    'mission cancelled': ['called off'],
  },
  standby: {
    standby: ['edited'],
    accepted: ['answered', 'promoted'],
    declined: ['answered'],
    superseded: ['called', 'assigned', 'suspended', 'on leave'],
    'mission cancelled': ['called off'],
  },
  declined: {
    declined: ['edited'],
    accepted: ['answered'],
    standby: ['answered'],
    superseded: ['assigned'],
    'mission cancelled': ['called off'],
  },
  superseded: { standby: ['back'] },
};

export function stateOf(order: OrderRow | null | undefined): State {
  if (!order) return 'none';
  if (order.status === 'issued') return order.rsvp === 'pending' && order.isSharedOffer ? 'shared' : order.rsvp;
  return order.statusReason ?? 'none';
}
export const holdsSeat = (order: OrderRow): boolean => ['pending', 'accepted'].includes(stateOf(order));
export const isLive = (order: OrderRow) => order.status === 'issued' && order.rsvp !== 'declined';
export const keyOf = ({ flightId, seatIndex }: { flightId: string; seatIndex: number }) => `${flightId}:${seatIndex}`;
export const meet = (a: { startMs: number; endMs: number }, b: { startMs: number; endMs: number }) =>
  a.startMs < b.endMs && b.startMs < a.endMs;

/** A pilot with availability that needs no calculation: always free for this aircraft (0: any), or never. */
export interface Steady {
  id: string;
  aircraftId: number | null;
}

/** The missions whose rows a transaction changed. */
export function missionsOf({ changes }: Tx): Set<string> {
  return new Set(
    changes.flatMap(({ table, before, after }) => {
      if (table === 'mission') return after ? [after.id] : [];
      return [before, after].flatMap((row) => (row && 'missionId' in row ? [row.missionId] : []));
    }),
  );
}
