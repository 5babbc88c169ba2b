/** The end of shared offers, which the first pilot who accepts one takes from the others. */
import { rowsText, tableOf, type RowsText } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { publishLiveQueue } from '#server/signals/live-signals.ts';

type Place = { flightId: string; seatIndex: number };
type Ended = { missionId: string; seats: RowsText<Place> };
const endOffers = named('end_offers', (source, { missionId, seats }: Ended) =>
  source
    .with('lost', (cte) =>
      cte
        .updateTable('frag_order as o')
        .from(tableOf('taken', seats, { flightId: 'uuid', seatIndex: 'smallint' }))
        .set({ status: 'cancelled', status_reason: 'superseded' })
        .whereRef('o.flight_id', '=', 'taken.flightId')
        .whereRef('o.seat_index', '=', 'taken.seatIndex')
        .where('o.is_open_offer', '=', true)
        .where('o.status', '=', 'issued')
        .where('o.rsvp', '=', 'pending')
        .returning('o.pilot_id'),
    )
    // other rows than those above: a statement sees none of its own changes. The offer showed its pilot the mission as it is.
    .with('waiting_again', (cte) =>
      cte
        .updateTable('frag_order')
        .set({ status: 'issued', status_reason: null, changes: null })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('lost')
            .innerJoinLateral(
              (waiting) =>
                waiting
                  .selectFrom('frag_order as o')
                  .select('o.id')
                  .where('o.mission_id', '=', missionId)
                  .whereRef('o.pilot_id', '=', 'lost.pilot_id')
                  .where('o.rsvp', '=', 'standby')
                  .where('o.status_reason', '=', 'superseded')
                  .orderBy('o.seq', 'desc')
                  .limit(1)
                  .as('last'),
              (join) => join.onTrue(),
            )
            .select('last.id'),
        )
        .returning('id'),
    )
    .selectFrom('lost')
    .select(({ exists, selectFrom }) => [
      'pilot_id as pilotId',
      exists(selectFrom('waiting_again').select('id')).as('isQueueChanged'),
    ]),
);

/**
 * End the shared offers of seats that somebody has taken. A pilot whom the offer had called from the standby queue returns
 * to the same place in it.
 * @returns the pilots who lost the offer, for the caller to publish
 */
export async function endSharedOffers(tx: Em, missionId: string, taken: readonly Place[]): Promise<string[]> {
  const seats = rowsText(taken.map(({ flightId, seatIndex }) => ({ flightId, seatIndex })));
  const lost = await endOffers(tx, { missionId, seats });
  if (lost.some(({ isQueueChanged }) => isQueueChanged)) await publishLiveQueue(tx, missionId);
  return lost.map(({ pilotId }) => pilotId);
}
