/** The end of shared offers, which the first pilot who accepts one takes from the others. */
import { rowsText, tableOf, type RowsText } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { changeOrders, emitChanged, transition } from './order-writes.ts';
import type { LockedMission } from './orders.ts';

type Place = { flightId: string; seatIndex: number };
type Ended = { missionId: string; seats: RowsText<Place>; now: Date };
const endOffers = named('end_offers', (source, { missionId, seats, now }: Ended) => {
  const lost = source
    .selectFrom('frag_order as o')
    .innerJoin(tableOf('taken', seats, { flightId: 'uuid', seatIndex: 'smallint' }), (join) =>
      join.onRef('o.flight_id', '=', 'taken.flightId').onRef('o.seat_index', '=', 'taken.seatIndex'),
    )
    .select('o.id')
    .where('o.is_shared_offer', '=', true)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'pending');
  return transition(source, 'supersede', lost.as('given'), now).select(({ selectFrom }) =>
    selectFrom('frag_order as o')
      .select('o.id')
      .where('o.mission_id', '=', missionId)
      .whereRef('o.pilot_id', '=', 'changed.pilotId')
      .where('o.rsvp', '=', 'standby')
      .where('o.status_reason', '=', 'superseded')
      .orderBy('o.seq', 'desc')
      .limit(1)
      .as('waitedId'),
  );
});

/**
 * End the shared offers of seats that somebody has taken. A pilot whom the offer had called from the standby queue returns
 * to the same place in it.
 * @returns true if pilots lost an offer
 */
export async function endSharedOffers(
  tx: Em,
  mission: LockedMission,
  taken: readonly Place[],
  now: Date,
): Promise<boolean> {
  const seats = rowsText(taken.map(({ flightId, seatIndex }) => ({ flightId, seatIndex })));
  const lost = await endOffers(tx, { missionId: mission.id, seats, now });
  const waiting = lost.flatMap(({ waitedId }) => (waitedId === null ? [] : [{ id: waitedId }]));
  emitChanged(tx, mission, 'order.superseded', lost, now);
  await changeOrders(tx, mission, 'wait again', waiting, now);
  return lost.length > 0;
}
