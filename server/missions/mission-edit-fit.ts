/** The fit of pilots for an edited mission: those who no longer fit lose their seat, unless an admin keeps them. */
import type { Em } from '#server/schema/orm.ts';
import { overlapsRange } from '#server/schema/predicates.ts';
import { loadNames } from '#server/accounts/users.ts';
import { addRecords, loadFacts } from '#server/orders/seating/candidates.ts';
import type { SeatingSeat } from '#server/orders/seating/rules/eligibility.ts';
import {
  findIneligibility,
  type Ineligibility,
  ineligibilitySentence,
  TO_PILOT,
} from '#server/orders/seating/rules/ineligibility.ts';
import { seatReasons } from '#server/orders/seating/rules/one-mission/seating.ts';
import { selectHeldSeats } from '#server/orders/seats/held-seats.ts';
import { firstOverlap } from '#server/time/intervals.ts';
import { copy } from '#shared/copy.ts';
import type { MisfitDto } from '#shared/schemas/mission-edit.ts';
import { type EditEffect, type LiveOrder, listAskedOrders } from './mission-edit-orders.ts';

/** A pilot who does not fit the seat after the edit. */
export interface Misfit {
  order: LiveOrder;
  ineligibility: Exclude<Ineligibility, { reason: 'OUTRANKED' }>;
  /** false for suspended pilots and those who are on leave or fly elsewhere at that time: nobody can override that */
  isKeepable: boolean;
}

export interface Fit {
  /** in order of their numbers */
  misfits: Misfit[];
  /** by order id: the reasons for the seat after the edit, as sentences for its pilot */
  reasons: Map<string, string[]>;
}

/**
 * Check the pilots whom an edit asks again against the mission as it will be. Once it is under way nobody is asked, and only
 * pilots who fly elsewhere at the new time no longer fit.
 */
export async function checkFit(em: Em, effect: EditEffect, now: Date): Promise<Fit> {
  const orders = await listAskedOrders(em, effect);
  const fit: Fit = { misfits: [], reasons: new Map() };
  if (orders.length === 0) return fit;
  const { times, isUnderWay } = effect;
  const mission = { ...times, id: effect.mission.id };
  const pilotIds = orders.map(({ pilotId }) => pilotId);
  const flightOf = new Map(effect.after.map((flight) => [flight.id, flight]));
  const facts = await loadFacts(em, { range: mission, exceptMissionId: mission.id, pilotIds, now });
  const pilots = await addRecords(em, facts, now, pilotIds);
  const pilotOf = new Map(pilots.map((pilot) => [pilot.id, pilot]));
  const elsewhere = await selectHeldSeats(em, now)
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .select('m.name')
    .where('s.mission_id', '<>', mission.id)
    .where('s.pilot_id', 'in', pilotIds)
    .where(overlapsRange('s', mission))
    .execute();
  const elsewhereOf = Map.groupBy(elsewhere, ({ pilotId }) => pilotId);
  const nowMs = now.getTime();
  for (const order of orders) {
    const [pilot, flight] = [pilotOf.get(order.pilotId), flightOf.get(order.flightId)];
    if (!pilot || !flight) continue;
    const seat: SeatingSeat = {
      flightId: order.flightId,
      seatIndex: order.seatIndex,
      aircraftId: flight.aircraft.id,
      aircraftName: flight.aircraft.name,
      role: flight.role,
      flightSize: flight.sizeCap,
    };
    const other = firstOverlap(elsewhereOf.get(pilot.id) ?? [], mission);
    const ineligibility: Ineligibility = other
      ? { reason: 'COMMITTED', missionName: other.name }
      : findIneligibility({
          pilot,
          mission,
          flights: [{ ...seat, sizeCap: flight.sizeCap }],
          committedTo: [],
          waiting: 0,
          nowMs,
        });
    if (ineligibility.reason === 'OUTRANKED') {
      fit.reasons.set(order.id, seatReasons(pilot, seat, mission, nowMs));
    } else if (!isUnderWay || other) {
      fit.misfits.push({
        order,
        ineligibility,
        isKeepable: pilot.active && !other && ineligibility.reason !== 'ON_LEAVE',
      });
      fit.reasons.set(order.id, [copy.keptByAdmin, ineligibilitySentence(ineligibility, TO_PILOT)]);
    }
  }
  return fit;
}

/** The reasons of a withdrawn order, as sentences for its pilot. */
export const lostReasons = ({ ineligibility }: Misfit): string[] => [
  copy.noLongerFits,
  ineligibilitySentence(ineligibility, TO_PILOT),
];

/** The misfits by name, as an admin reads them before saving. */
export async function presentMisfits(
  em: Em,
  misfits: readonly Misfit[],
  { after, before }: Pick<EditEffect, 'after' | 'before'>,
): Promise<MisfitDto[]> {
  const names = await loadNames(
    em,
    misfits.map(({ order }) => order.pilotId),
  );
  const callsignOf = new Map([...before, ...after].map(({ id, callsign }) => [id, callsign]));
  return misfits.map(({ order, ineligibility, isKeepable }) => {
    const name = names.get(order.pilotId) ?? order.pilotId;
    return {
      orderId: order.id,
      userId: order.pilotId,
      userDisplayName: name,
      flightCallsign: callsignOf.get(order.flightId) ?? '',
      seatIndex: order.seatIndex,
      rsvp: order.rsvp,
      reason: ineligibility.reason,
      sentence: ineligibilitySentence(ineligibility, { to: 'admin', name }),
      isKeepable,
    };
  });
}
