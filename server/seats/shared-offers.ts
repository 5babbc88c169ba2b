/** The end of shared offers, which the first pilot who accepts one takes from the others. */
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { publishLiveQueue } from '#server/signals/live-signals.ts';

type EndedSeat = { missionId: string; flightId: string; seatIndex: number };
const endOffers = named('end_offers', (source, { missionId, flightId, seatIndex }: EndedSeat) =>
  source
    .with('lost', (cte) =>
      cte
        .updateTable('frag_order')
        .set({ status: 'cancelled', status_reason: 'superseded' })
        .where('flight_id', '=', flightId)
        .where('seat_index', '=', seatIndex)
        .where('is_open_offer', '=', true)
        .where('status', '=', 'issued')
        .where('rsvp', '=', 'pending')
        .returning('pilot_id'),
    )
    // other rows than those above: a statement sees none of its own changes
    .with('waiting_again', (cte) =>
      cte
        .updateTable('frag_order')
        .set({ status: 'issued', status_reason: null })
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
 * End the shared offers of a seat that somebody has taken. A pilot whom the offer had called from the standby queue returns
 * to the same place in it.
 * @returns the pilots who lost the offer, for the caller to publish
 */
export async function endSharedOffers(
  tx: Em,
  missionId: string,
  { flightId, seatIndex }: Omit<EndedSeat, 'missionId'>,
): Promise<string[]> {
  const lost = await endOffers(tx, { missionId, flightId, seatIndex });
  if (lost.some(({ isQueueChanged }) => isQueueChanged)) await publishLiveQueue(tx, missionId);
  return lost.map(({ pilotId }) => pilotId);
}
