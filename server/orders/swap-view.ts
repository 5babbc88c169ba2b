/** Seat swaps as their pilots see them, and until when one stands. */
import { expressionBuilder, type InferResult, type Kysely } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { db, ms, type Database } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { publicName } from '#server/schema/predicates.ts';
import { toIso } from '#server/time/time.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { SeatSwapDto } from '#shared/schemas/seats.ts';
import type { SwapState } from '#shared/vocabulary.ts';
import { NAMELESS } from '#shared/labels.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** The tables of a swap by the aliases that `selectSwaps` gives them. */
type SwapTables = Database &
  Record<'o' | 'q', Database['frag_order']> &
  Record<'f' | 'g', Database['flight']> & { w: Database['seat_swap']; m: Database['mission'] };
const swap = expressionBuilder<SwapTables, 'w' | 'm' | 'o' | 'q' | 'f' | 'g'>();

/**
 * True while a proposal can be agreed to: both orders have held the same seats, accepted, since it was made, both
 * fly for one side, the mission has not begun and the proposal has not expired. It lapses on read, so nothing needs to be written.
 * Over `w` (seat_swap), `m` (mission), `o` and `q` (the orders of the pilot who asks and the one who is asked).
 */
const stands = (now: Date) => {
  const holds = (order: 'o' | 'q', flight: 'flight_id' | 'with_flight_id', seat: 'seat_index' | 'with_seat_index') =>
    swap.and([
      swap(`${order}.status`, '=', 'issued'),
      swap(`${order}.rsvp`, '=', 'accepted'),
      swap(`${order}.flight_id`, '=', swap.ref(`w.${flight}`)),
      swap(`${order}.seat_index`, '=', swap.ref(`w.${seat}`)),
      swap(swap.fn.coalesce(`${order}.accepted_at`, `${order}.issued_at`), '<=', swap.ref('w.created_at')),
    ]);
  return swap.and([
    swap('m.status', '=', 'scheduled'),
    swap('m.starts_at', '>', now),
    swap('w.expires_at', '>', now),
    swap('f.side', '=', swap.ref('g.side')),
    holds('o', 'flight_id', 'seat_index'),
    holds('q', 'with_flight_id', 'with_seat_index'),
  ]);
};

/** True if the pilot lists the aircraft. */
const lists = (pilot: 'o.pilot_id' | 'q.pilot_id', aircraft: 'f.aircraft_id' | 'g.aircraft_id') =>
  swap
    .exists(
      swap
        .selectFrom('proficiency as l')
        .select('l.user_id')
        .whereRef('l.user_id', '=', pilot)
        .whereRef('l.aircraft_id', '=', aircraft),
    )
    .$castTo<boolean>();

/** Swaps `w` between the order `o` of the pilot who asks and the order `q` of the one who is asked, newest first. */
export const selectSwaps = (em: Em, now: Date) => selectSwapsFrom(db(em), now);

/** The same for a named statement. */
const selectSwapsFrom = (source: Kysely<Database>, now: Date) =>
  source
    .selectFrom('seat_swap as w')
    .innerJoin('mission as m', 'm.id', 'w.mission_id')
    .innerJoin('frag_order as o', 'o.id', 'w.order_id')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .innerJoin('frag_order as q', 'q.id', 'w.with_order_id')
    .innerJoin('app_user as v', 'v.id', 'q.pilot_id')
    .innerJoin('flight as f', 'f.id', 'w.flight_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .innerJoin('flight as g', 'g.id', 'w.with_flight_id')
    .innerJoin('aircraft as b', 'b.id', 'g.aircraft_id')
    .select(({ eb, ref, and, not, val }) => [
      'w.id',
      'm.id as missionId',
      'm.name as missionName',
      'm.theater',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      ms(ref('w.expires_at')).as('expiresMs'),
      eb
        .case()
        .when(and([eb('w.state', '=', 'proposed'), not(stands(now))]))
        .then(val<SwapState>('lapsed'))
        .else(ref('w.state'))
        .end()
        .as('state'),
      'o.id as orderId',
      'o.pilot_id as pilotId',
      lists('o.pilot_id', 'g.aircraft_id').as('listsWithPlace'),
      lists('q.pilot_id', 'f.aircraft_id').as('listsPlace'),
      publicName('u', NAMELESS).as('pilotName'),
      'q.id as withOrderId',
      'q.pilot_id as withPilotId',
      publicName('v', NAMELESS).as('withPilotName'),
      jsonBuildObject({
        flightId: ref('f.id'),
        flightCallsign: ref('f.callsign'),
        seatIndex: ref('w.seat_index'),
        aircraftName: ref('a.name'),
        role: ref('f.role'),
        side: ref('f.side'),
      }).as('place'),
      jsonBuildObject({
        flightId: ref('g.id'),
        flightCallsign: ref('g.callsign'),
        seatIndex: ref('w.with_seat_index'),
        aircraftName: ref('b.name'),
        role: ref('g.role'),
        side: ref('g.side'),
      }).as('withPlace'),
    ])
    .orderBy('w.created_at', 'desc')
    .orderBy('w.id', 'desc')
    .limit(LISTED_MAX.orders);

export type SwapRow = InferResult<ReturnType<typeof selectSwapsFrom>>[number];

/** Swaps of the pilot's orders. */
export const ofPilot = (pilotId: string) =>
  swap.or([swap('o.pilot_id', '=', pilotId), swap('q.pilot_id', '=', pilotId)]);

export function presentSwap(row: SwapRow, viewer: Viewer): SeatSwapDto {
  const isMine = row.pilotId === viewer.id;
  return {
    id: row.id,
    missionId: row.missionId,
    missionName: row.missionName,
    theater: row.theater,
    startUtc: toIso(row.startMs),
    endUtc: toIso(row.endMs),
    state: row.state,
    pilotName: isMine ? row.withPilotName : row.pilotName,
    orderId: isMine ? row.orderId : row.withOrderId,
    isMine,
    from: isMine ? row.place : row.withPlace,
    to: isMine ? row.withPlace : row.place,
    isListed: isMine ? row.listsWithPlace : row.listsPlace,
    expiresAt: toIso(row.expiresMs),
  };
}

const listProposed = named('swaps', (source, { pilotId, now }: { pilotId: string; now: Date }) =>
  selectSwapsFrom(source, now).where('w.state', '=', 'proposed').where(ofPilot(pilotId)),
);

/** The viewer's swaps that wait for an answer, from either pilot, newest first. */
export async function listSwaps(em: Em, viewer: Viewer, now: Date): Promise<SeatSwapDto[]> {
  const rows = await listProposed(em, { pilotId: viewer.id, now });
  return rows.filter(({ state }) => state === 'proposed').map((row) => presentSwap(row, viewer));
}
