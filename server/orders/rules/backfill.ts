/** Backfill decisions for a mission's free seats: seat standby pilots at once, ask first, or first come first served. */
import { BACKFILL_HOURS } from '#shared/limits.ts';
import type { OrderStatus, OrderStatusReason, Rsvp } from '#shared/vocabulary.ts';
import {
  type Assessment,
  assessPilot,
  type SeatingMission,
  type EligibilityFacts,
  type SeatingPilot,
  type SeatingSeat,
} from '#server/orders/seating/rules/eligibility.ts';
import {
  assessPilots,
  seatAssessed,
  seatMission,
  seatReasons,
} from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';

/**
 * The backfill rule that applies. `seat`: more than 24 h before the start, standby pilots are seated at once; `ask`: 24 h
 * to 2 h, everybody is asked first; `shared`: under 2 h, the first to accept wins; `closed`: the mission has started.
 */
export type BackfillMode = 'seat' | 'ask' | 'shared' | 'closed';

export type BackfillOffer = {
  readonly flightId: string;
  readonly seatIndex: number;
  readonly pilotId: string;
  /** `seat`: accepted, holds the seat; `order`: pending, holds the seat; `shared`: pending, holds no seat */
  readonly kind: 'seat' | 'order' | 'shared';
  /** sentences for the pilot */
  readonly reasons: string[];
};

export type BackfillDecision = { readonly mode: BackfillMode; readonly offers: BackfillOffer[] };

type Place = Pick<SeatingSeat, 'flightId' | 'seatIndex'>;

export type StandbyPilot = SeatingPilot & {
  /** the seat that the pilot gave up under the same rule, if no other pilot has held it since */
  readonly gaveUp?: Place | undefined;
};

export type BackfillRequest = {
  /** free now, in any order */
  readonly seats: readonly SeatingSeat[];
  readonly mission: SeatingMission;
  readonly nowMs: number;
  /** pilots on standby for this mission, the longest waiting first */
  readonly standby: readonly StandbyPilot[];
  /** all other pilots, except those whose orders keep them from being asked (`isAnswered`) */
  readonly candidates: readonly SeatingPilot[];
};

export type PastOrder = {
  readonly status: OrderStatus;
  readonly statusReason: OrderStatusReason | null;
  readonly rsvp: Rsvp;
  readonly isSharedOffer: boolean;
};

/**
 * True if an order keeps its pilot from being asked for another seat in the same mission: it is live, declined, withdrawn
 * or expired. In the last two hours an expired order no longer does, since only pilots who are looking for a flight are
 * asked then, but an expired shared offer does. Having been too slow for a shared offer does not count as an answer, and
 * neither does a superseded standby order.
 */
export function isAnswered({ status, statusReason, rsvp, isSharedOffer }: PastOrder, mode: BackfillMode): boolean {
  if (status !== 'cancelled' || rsvp === 'declined') return true;
  if (statusReason === 'expired') return isSharedOffer || mode !== 'shared';
  return !(rsvp === 'standby' || (rsvp === 'pending' && isSharedOffer));
}

/**
 * True if backfill could offer a seat to the pilot, leaving other pilots out of account.
 * @param aircraftIds aircraft of the free seats
 * @param orders the pilot's orders for this mission
 */
export function mayBeOffered(
  pilot: EligibilityFacts,
  mission: SeatingMission,
  aircraftIds: readonly number[],
  orders: readonly PastOrder[],
  nowMs: number,
): boolean {
  const mode = backfillMode(mission.startMs, nowMs);
  const { reason, fitFor } = assessPilot(pilot, mission, nowMs);
  if (mode === 'closed' || reason !== null || !aircraftIds.some((id) => fitFor(id) !== null)) return false;
  if (orders.some(({ status, rsvp }) => status === 'issued' && rsvp === 'standby')) return true;
  return !orders.some((order) => isAnswered(order, mode)) && (mode !== 'shared' || pilot.state === 'now');
}

/** The rule that applies at an instant; at exactly 24 h and 2 h pilots are asked. */
export function backfillMode(startMs: number, nowMs: number): BackfillMode {
  const hoursLeft = (startMs - nowMs) / HOUR_MS;
  if (hoursLeft <= 0) return 'closed';
  if (hoursLeft < BACKFILL_HOURS.shared) return 'shared';
  return hoursLeft <= BACKFILL_HOURS.ask ? 'ask' : 'seat';
}

/**
 * Decide the next offers. Standby pilots come first, in queue order; the remaining seats go to the next best pilots. Both
 * are seated together, so that nobody takes a seat that only another pilot could fill. Before the last two hours each
 * seat has at most one offer, and a pending order holds its seat, so calling this again after a seat is freed asks the
 * next pilot.
 */
export function decideBackfill(request: BackfillRequest): BackfillDecision {
  const { seats, mission, nowMs } = request;
  const mode = backfillMode(mission.startMs, nowMs);
  if (mode === 'closed' || seats.length === 0) return { mode, offers: [] };
  const queued = new Set(request.standby.map(({ id }) => id));
  const candidates = request.candidates.filter(({ id }) => !queued.has(id));
  const standby = request.standby.filter((pilot) => hasOtherSeat(pilot, seats, mission, nowMs));
  if (mode === 'shared') return { mode, offers: offerToAll({ ...request, standby, candidates }) };

  const first = new Set(pickFromQueue(seats, standby, mission, nowMs));
  const pilots = [
    ...standby.filter(({ id }) => first.has(id)).map((pilot) => ({ ...pilot, goesFirst: true })),
    ...candidates,
  ];
  const { seated } = seatMission({ seats, mission, nowMs, pilots });
  const offers = seated.map((seat): BackfillOffer => ({
    ...seat,
    kind: mode === 'seat' && first.has(seat.pilotId) ? 'seat' : 'order',
  }));
  return { mode, offers };
}

/** True if a fitting seat is free other than the one that the pilot gave up, so that they are not just offered it again. */
function hasOtherSeat(
  { gaveUp, ...pilot }: StandbyPilot,
  seats: readonly SeatingSeat[],
  mission: SeatingMission,
  nowMs: number,
): boolean {
  if (!gaveUp) return true;
  const assessment = assessPilot(pilot, mission, nowMs);
  const isOther = (seat: Place) => seat.flightId !== gaveUp.flightId || seat.seatIndex !== gaveUp.seatIndex;
  return seats.some((seat) => isOther(seat) && isFitting(assessment, seat));
}

/** The standby pilots who can be seated together; none of them gives way to one who has waited less long. */
function pickFromQueue(
  seats: readonly SeatingSeat[],
  standby: readonly SeatingPilot[],
  mission: SeatingMission,
  nowMs: number,
): string[] {
  const holderOf = new Map<SeatingSeat, Assessment>();
  /** Find a seat for the pilot. Pilots placed earlier may change seats but never lose one. */
  const place = (assessment: Assessment, tried: Set<SeatingSeat>): boolean =>
    seats.some((seat) => {
      if (tried.has(seat) || !isFitting(assessment, seat)) return false;
      tried.add(seat);
      const holder = holderOf.get(seat);
      if (holder && !place(holder, tried)) return false;
      holderOf.set(seat, assessment);
      return true;
    });
  return standby
    .map((pilot) => assessPilot(pilot, mission, nowMs))
    .filter((assessment) => place(assessment, new Set()))
    .map(({ pilot }) => pilot.id);
}

/** With more pilots, a round of the solver for each pilot of a seat would take minutes. */
const ROUNDS_PILOTS_MAX = 256;

/**
 * One shared offer for every fitting standby pilot and every fitting pilot who is looking for a flight right now,
 * spread over the seats they fit.
 */
function offerToAll({ seats, mission, nowMs, standby, candidates }: BackfillRequest): BackfillOffer[] {
  const waiting = standby.map((pilot) => ({ ...pilot, goesFirst: true }));
  const ready = candidates.filter(({ state }) => state === 'now');
  let left = assessPilots([...waiting, ...ready], mission, nowMs);
  const offers: BackfillOffer[] = [];
  // Each round seats the pilots without an offer, so that every seat is offered to as many fitting pilots as possible.
  while (left.length > 0) {
    const { seated } = seatAssessed(seats, mission, left);
    if (seated.length === 0) break;
    offers.push(...seated.map((seat): BackfillOffer => ({ ...seat, kind: 'shared' })));
    const offered = new Set(seated.map(({ pilotId }) => pilotId));
    left = left.filter(({ pilot }) => !offered.has(pilot.id));
    if (left.length > ROUNDS_PILOTS_MAX) return [...offers, ...spread(left, seats, mission, nowMs)];
  }
  return offers;
}

/** Shared offers for thousands of pilots: each gets the seat that was offered the least often, of those that fit. */
function spread(
  pilots: readonly Assessment[],
  seats: readonly SeatingSeat[],
  mission: SeatingMission,
  nowMs: number,
): BackfillOffer[] {
  const places = seats.map((seat) => ({ seat, offers: 0 }));
  return pilots.flatMap((assessment): BackfillOffer[] => {
    const fitting = places.filter(({ seat }) => isFitting(assessment, seat));
    const [first] = fitting;
    if (!first) return [];
    const least = fitting.reduce((best, place) => (place.offers < best.offers ? place : best), first);
    least.offers += 1;
    const { flightId, seatIndex } = least.seat;
    const reasons = seatReasons(assessment.pilot, least.seat, mission, nowMs);
    return [{ flightId, seatIndex, pilotId: assessment.pilot.id, kind: 'shared', reasons }];
  });
}

function isFitting({ reason, fitFor }: Assessment, { aircraftId }: SeatingSeat): boolean {
  return reason === null && fitFor(aircraftId) !== null;
}
