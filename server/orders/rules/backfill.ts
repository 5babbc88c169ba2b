/** Decides the backfill of a mission's free seats: seated at once, asked, or first come first served. */
import { OPEN_OFFER_HOURS, STANDBY_CONSENT_HOURS } from '#shared/limits.ts';
import type { OrderStatus, OrderStatusReason, Rsvp } from '#shared/vocabulary.ts';
import {
  type Assessment,
  assessPilot,
  type SeatingMission,
  type SeatingPilot,
  type SeatingSeat,
} from '#server/seating/rules/eligibility.ts';
import { seatMission } from '#server/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';

/**
 * `seat`: more than 24 h before start, standby pilots are seated at once; `ask`: 24 h to 2 h, everybody is asked first;
 * `open`: under 2 h, the first to accept wins; `closed`: the mission has started.
 */
export type BackfillMode = 'seat' | 'ask' | 'open' | 'closed';

export type BackfillOffer = {
  readonly flightId: string;
  readonly seatIndex: number;
  readonly pilotId: string;
  /** `seat`: holds the seat, accepted; `order`: holds it, pending; `open`: pending, holds nothing */
  readonly kind: 'seat' | 'order' | 'open';
  /** sentences for the pilot */
  readonly reasons: string[];
};

export type BackfillDecision = { readonly mode: BackfillMode; readonly offers: BackfillOffer[] };

type Place = Pick<SeatingSeat, 'flightId' | 'seatIndex'>;

export type StandbyPilot = SeatingPilot & {
  /** the seat that the pilot stood down from under the rule that still holds, when nobody has had it since */
  readonly gaveUp?: Place | undefined;
};

export type BackfillRequest = {
  /** free now, in any order */
  readonly seats: readonly SeatingSeat[];
  readonly mission: SeatingMission;
  readonly nowMs: number;
  /** pilots on standby for this mission, the longest waiting first */
  readonly standby: readonly StandbyPilot[];
  /** everybody else whom no order of theirs keeps from being asked (`isAnswered`) */
  readonly candidates: readonly SeatingPilot[];
};

export type PastOrder = {
  readonly status: OrderStatus;
  readonly statusReason: OrderStatusReason | null;
  readonly rsvp: Rsvp;
  readonly isOpenOffer: boolean;
};

/**
 * Whether an order keeps its pilot from being asked for a seat of the same mission: it is live, was declined, was taken
 * back, or ran out. In the last two hours an order that ran out does so no longer, since only pilots who look for a flight
 * right now are asked then; an open offer that ran out does. Being slower than another to an open offer is no answer, nor
 * is a place in the queue that was called.
 */
export function isAnswered({ status, statusReason, rsvp, isOpenOffer }: PastOrder, mode: BackfillMode): boolean {
  if (status !== 'cancelled' || rsvp === 'declined') return true;
  if (statusReason === 'expired') return isOpenOffer || mode !== 'open';
  return !(rsvp === 'standby' || (rsvp === 'pending' && isOpenOffer));
}

/**
 * Whether backfill might offer a pilot a seat, by the pilot alone: others may be before them.
 * @param aircraftIds of the free seats
 * @param orders the pilot's for this mission
 */
export function mayBeOffered(
  pilot: SeatingPilot,
  mission: SeatingMission,
  aircraftIds: readonly number[],
  orders: readonly PastOrder[],
  nowMs: number,
): boolean {
  const mode = backfillMode(mission.startMs, nowMs);
  const { blocked, fitFor } = assessPilot(pilot, mission, nowMs);
  if (mode === 'closed' || blocked !== null || !aircraftIds.some((id) => fitFor(id) !== null)) return false;
  if (orders.some(({ status, rsvp }) => status === 'issued' && rsvp === 'standby')) return true;
  return !orders.some((order) => isAnswered(order, mode)) && (mode !== 'open' || pilot.state === 'now');
}

/** Which rule holds at an instant; at exactly 24 h and 2 h pilots are asked. */
export function backfillMode(startMs: number, nowMs: number): BackfillMode {
  const hoursLeft = (startMs - nowMs) / HOUR_MS;
  if (hoursLeft <= 0) return 'closed';
  if (hoursLeft < OPEN_OFFER_HOURS) return 'open';
  return hoursLeft <= STANDBY_CONSENT_HOURS ? 'ask' : 'seat';
}

/**
 * Decide the next offers. Standby pilots come first, in the order they have waited; the seats they leave go to the
 * next best pilots. The seats of both are chosen together, so nobody takes a seat that only another could fill.
 * Before the last two hours each seat has one offer at most; an order that is waiting for its answer holds its seat,
 * so calling this again when a seat frees up asks the next pilot.
 */
export function decideBackfill(request: BackfillRequest): BackfillDecision {
  const { seats, mission, nowMs } = request;
  const mode = backfillMode(mission.startMs, nowMs);
  if (mode === 'closed' || seats.length === 0) return { mode, offers: [] };
  const queued = new Set(request.standby.map(({ id }) => id));
  const candidates = request.candidates.filter(({ id }) => !queued.has(id));
  const standby = request.standby.filter((pilot) => hasOtherSeat(pilot, seats, mission, nowMs));
  if (mode === 'open') return { mode, offers: offerToAll({ ...request, standby, candidates }) };

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

/** Nobody is handed back what they gave up: a seat that would be offered for the first time must be among those free. */
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

/** The standby pilots who can be seated together, where nobody gives way to one who has waited less long. */
function pickFromQueue(
  seats: readonly SeatingSeat[],
  standby: readonly SeatingPilot[],
  mission: SeatingMission,
  nowMs: number,
): string[] {
  const holderOf = new Map<SeatingSeat, Assessment>();
  /** Find the pilot a seat, moving earlier ones to other seats but never out. */
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

/**
 * One open offer for every fitting standby pilot and every fitting pilot who is looking for a flight right now,
 * spread over the seats they fit.
 */
function offerToAll({ seats, mission, nowMs, standby, candidates }: BackfillRequest): BackfillOffer[] {
  const waiting = standby.map((pilot) => ({ ...pilot, goesFirst: true }));
  const ready = candidates.filter(({ state }) => state === 'now');
  let left = [...waiting, ...ready];
  const offers: BackfillOffer[] = [];
  // Each round is a seating of those without an offer, so that every seat is offered to as many pilots as fit it.
  while (left.length > 0) {
    const { seated } = seatMission({ seats, mission, nowMs, pilots: left });
    if (seated.length === 0) break;
    offers.push(...seated.map((seat): BackfillOffer => ({ ...seat, kind: 'open' })));
    const offered = new Set(seated.map(({ pilotId }) => pilotId));
    left = left.filter(({ id }) => !offered.has(id));
  }
  return offers;
}

function isFitting({ blocked, fitFor }: Assessment, { aircraftId }: SeatingSeat): boolean {
  return blocked === null && fitFor(aircraftId) !== null;
}
