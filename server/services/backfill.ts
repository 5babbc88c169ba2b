/** Backfill: whenever a seat is free, look for the next pilot, inside the transaction that freed it. */
import { FragOrder } from '#server/db/frag-order.ts';
import { Flight } from '#server/db/mission.ts';
import type { Em } from '#server/db/orm.ts';
import { query, sql } from '#server/db/query.ts';
import { backfillMode, decideBackfill, type BackfillOffer } from '#server/domain/backfill.ts';
import { announceOrders, announceQueue } from './announce.ts';
import { loadCandidates } from './candidates.ts';
import { holdSeat, issueOrders, listFreeSeats, sweepExpired, type LockedMission } from './orders.ts';
import { enqueuePushes } from './push.ts';

type HistoryRow = { id: string; pilot_id: string; is_standby: boolean; was_asked: boolean };

/** A standby pilot's order becomes the seat: more than a day ahead nobody needs to be asked again. */
async function promote(
  tx: Em,
  mission: LockedMission,
  offer: BackfillOffer,
  orderId: string,
  now: Date,
): Promise<void> {
  const order = await tx.findOneOrFail(FragOrder, { id: orderId });
  order.rsvp = 'accepted';
  order.answeredAt = now;
  order.acceptedAt = now;
  order.flight = tx.getReference(Flight, offer.flightId);
  order.seatIndex = offer.seatIndex;
  order.reasons = offer.reasons;
  holdSeat(tx, mission, orderId, offer);
}

/**
 * Offer the mission's free seats until no seat or no candidate is left. The mission is locked and swept.
 * @param exceptPilotId the pilot whose answer freed a seat: who just gave one up is not handed it back
 */
export async function backfill(
  tx: Em,
  mission: LockedMission,
  now: Date,
  { exceptPilotId = null }: { exceptPilotId?: string | null } = {},
): Promise<void> {
  if (mission.status !== 'scheduled' || backfillMode(mission.startMs, now.getTime()) === 'closed') return;
  const seats = await listFreeSeats(tx, mission.id);
  if (seats.length === 0) return;

  const history = await query<HistoryRow>(
    tx,
    sql`select id, pilot_id, status = 'issued' and rsvp = 'standby' as is_standby,
               not (is_open_offer and rsvp = 'pending' and status_reason is not distinct from 'superseded') as was_asked
        from frag_order where mission_id = ${mission.id} order by answered_at, seq`,
  );
  // being slower than another to an open offer is not an answer: who lost one may get the next
  const asked = new Set(history.flatMap(({ pilot_id, was_asked }) => (was_asked ? [pilot_id] : [])));
  const standbyOrders = new Map(history.flatMap((row) => (row.is_standby ? [[row.pilot_id, row.id]] : [])));
  if (exceptPilotId !== null) standbyOrders.delete(exceptPilotId);

  const pilots = new Map((await loadCandidates(tx, mission, now)).map((pilot) => [pilot.id, pilot]));
  const { offers } = decideBackfill({
    seats: seats.map((seat) => ({ ...seat, flightSize: seat.sizeCap })),
    mission,
    nowMs: now.getTime(),
    standby: [...standbyOrders.keys()].flatMap((id) => pilots.get(id) ?? []),
    candidates: [...pilots.values()].filter(({ id }) => !asked.has(id)),
  });

  const superseded: string[] = [];
  const promoted: string[] = [];
  await sweepExpired(tx, now, { pilotIds: offers.map(({ pilotId }) => pilotId) });
  for (const offer of offers) {
    const standbyOrder = standbyOrders.get(offer.pilotId);
    if (standbyOrder === undefined) continue;
    if (offer.kind === 'seat') {
      await promote(tx, mission, offer, standbyOrder, now);
      promoted.push(standbyOrder);
    } else superseded.push(standbyOrder);
  }
  await tx.flush();
  await enqueuePushes(tx, promoted, 'seat');
  if (superseded.length > 0) {
    await query(
      tx,
      sql`update frag_order set status = 'cancelled', status_reason = 'superseded' where id = any(${superseded}::uuid[])`,
    );
  }
  const called = offers.flatMap(({ pilotId }) => (standbyOrders.has(pilotId) ? [pilotId] : []));
  if (called.length > 0) {
    await announceOrders(tx, called);
    await announceQueue(tx, mission.id);
  }
  const ofKind = (kind: BackfillOffer['kind']) => offers.filter((offer) => offer.kind === kind);
  await issueOrders(tx, mission, ofKind('order'), now);
  await issueOrders(tx, mission, ofKind('open'), now, { isOpenOffer: true });
}
