/** Frag orders and the seats they hold: lock, expire, issue. Every seat transaction starts with `lockMission`. */
import { sql, type InferResult, type Kysely, type RawBuilder } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { db, isOneOf, ms, type Database } from '#server/schema/database.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isExpired } from '#server/schema/predicates.ts';
import { overlapSentence } from '#shared/copy.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import { BACKFILL_HOURS } from '#shared/limits.ts';
import { recordWilling } from '#server/accounts/pilots/fairness.ts';
import { addJob, jobKey } from '#server/signals/jobs.ts';
import type { Issue } from './rules/transitions.ts';
import { emitChanged, insertOrders, transition } from './order-writes.ts';
import { AppError } from '#server/platform/errors.ts';

/**
 * True if another transaction took the pilot or seat first: a constraint failed, and a retry will see that transaction.
 * Different missions share no lock, so this is how races between them are resolved.
 */
export function isSeatRace(error: unknown): boolean {
  return ['seat_no_overlap', 'seat_pkey', 'seat_one_per_mission'].includes(violatedConstraint(error) ?? '');
}

/** Selects missions `m` with the columns that seating needs, times in epoch milliseconds; the caller adds the condition. */
export const selectMissions = (em: Em) => selectMissionsFrom(db(em));

const selectMissionsFrom = (source: Kysely<Database>) =>
  source
    .selectFrom('mission as m')
    .select(({ ref }) => [
      'm.id',
      'm.name',
      'm.status',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
    ]);

/** A mission that was read without a lock. */
export type MissionRow = InferResult<ReturnType<typeof selectMissions>>[number];

declare const locked: unique symbol;
/** A mission whose row this transaction has locked: only functions that lock return it. */
export type LockedMission = MissionRow & { readonly [locked]: true };

export interface SeatHolder {
  flightId: string;
  seatIndex: number;
  pilotId: string;
  reasons: string[];
}

const selectLocked = named('locked_mission', (source, { missionId }: { missionId: string }) =>
  selectMissionsFrom(source).where('m.id', '=', missionId).forUpdate(),
);

/** Lock a mission's row, which every change to its seats does first; null for an unknown mission. */
export async function lockMission(tx: Em, missionId: string): Promise<LockedMission | null> {
  const [mission] = await selectLocked(tx, { missionId });
  return mission === undefined ? null : (mission as LockedMission);
}

/** Expires overdue orders, which the condition names, and frees their seats. */
const expireWhere = (source: Kysely<Database>, now: Date, condition: RawBuilder<boolean>) => {
  const overdue = source.selectFrom('frag_order as o').select('o.id').where(isExpired('o', now)).where(condition);
  return transition(source, 'expire', overdue.as('given'), now)
    .innerJoin('mission as m', 'm.id', 'changed.missionId')
    .select(({ ref }) => [ms(ref('m.starts_at')).as('startMs'), ms(ref('m.ends_at')).as('endMs')]);
};

type InMissions = { missionIds: readonly string[]; now: Date };
const findOverdue = named('overdue_in_missions', (source, { missionIds, now }: InMissions) =>
  source
    .selectFrom('frag_order as o')
    .select('o.id')
    .where(isExpired('o', now))
    .where(isOneOf('o.mission_id', missionIds))
    .limit(1),
);
const expireInMissions = named('expire_in_missions', (source, { missionIds, now }: InMissions) =>
  expireWhere(source, now, isOneOf('o.mission_id', missionIds)),
);
/**
 * Expire overdue pending orders, in one mission or of some pilots in any mission, and free their seats. Load orders and
 * seats after this, never before: it changes rows without the entity manager. A job fills the freed seats, unless this
 * transaction's own backfill does, and another looks for seats in other missions for their pilots.
 * @returns the number of expired orders
 */
export async function expireOverdueOrders(
  tx: Em,
  now: Date,
  where: { missionId: string } | { pilotIds: readonly string[] },
): Promise<number> {
  const pilotIds = 'pilotIds' in where ? where.pilotIds : [];
  const inMission = 'missionId' in where ? { missionIds: [where.missionId], now } : null;
  // mostly there are none, and a statement that writes runs its triggers even so
  if (inMission && (await findOverdue(tx, inMission)).length === 0) return 0;
  const expired = await (inMission
    ? expireInMissions(tx, inMission)
    : expireWhere(db(tx), now, isOneOf('o.pilot_id', pilotIds)).execute());
  for (const [missionId, orders] of Map.groupBy(expired, (order) => order.missionId)) {
    emitChanged(tx, { ...orders[0], id: missionId }, 'order.expired', orders, now);
  }
  return expired.length;
}

/** The flights of a mission in board order, with their numbers of seats. */
export async function listFlights(tx: Em, missionId: string) {
  return db(tx)
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .select([
      'f.id as flightId',
      'f.callsign',
      'f.size_cap as sizeCap',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
      'f.side',
    ])
    .where('f.mission_id', '=', missionId)
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .orderBy('f.id')
    .execute();
}

/** Free seats in board order. Expire overdue orders first. */
export async function listFreeSeats(tx: Em, missionId: string) {
  const held = await db(tx)
    .selectFrom('seat')
    .select(['flight_id', 'seat_index'])
    .where('mission_id', '=', missionId)
    .execute();
  const taken = new Set(held.map((seat) => `${seat.flight_id}:${seat.seat_index}`));
  const flights = await listFlights(tx, missionId);
  return flights.flatMap((flight) =>
    Array.from({ length: flight.sizeCap }, (_, seatIndex) => ({ ...flight, seatIndex })).filter(
      ({ flightId, seatIndex }) => !taken.has(`${flightId}:${seatIndex}`),
    ),
  );
}

/**
 * Issue one order per holder, and record their pilots as willing.
 * @returns their ids, in the order of the holders
 */
export async function issueOrders(
  tx: Em,
  mission: LockedMission,
  holders: readonly SeatHolder[],
  now: Date,
  kind: Issue = 'issue',
): Promise<string[]> {
  if (holders.length === 0) return [];
  const expiresAt = new Date(orderExpiryMs(now.getTime(), mission.startMs));
  const orders = holders.map(({ flightId, seatIndex, pilotId, reasons }) => ({
    pilot_id: pilotId,
    flight_id: flightId,
    seat_index: seatIndex,
    reasons,
    expires_at: expiresAt,
  }));
  const ids = await insertOrders(tx, mission, kind, orders, now);
  const pilotIds = holders.map(({ pilotId }) => pilotId);
  await recordWilling(tx, mission.id, pilotIds);
  return ids;
}

type OtherMission = { pilotId: string; missionId: string; startsAt: Date; endsAt: Date };

const findOther = named('overlap', (source, { pilotId, missionId, startsAt, endsAt }: OtherMission) =>
  source
    .selectFrom('seat as s')
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .select('m.name')
    .where('s.pilot_id', '=', pilotId)
    .where('s.mission_id', '<>', missionId)
    .where('s.starts_at', '<', endsAt)
    .where('s.ends_at', '>', startsAt)
    .limit(1),
);

/**
 * Refuse a seat at the time of another mission in which the pilot holds one. Their overdue orders expire first, for which there
 * is nothing to do when nothing overlaps.
 * @param sentence of the refusal, with the name of the other mission; default: to the pilot
 * @throws AppError OVERLAP
 */
export async function refuseOverlap(
  tx: Em,
  pilotId: string,
  mission: LockedMission,
  now: Date,
  sentence: (name: string) => string = overlapSentence,
): Promise<void> {
  const { id: missionId, startMs, endMs } = mission;
  const times = { pilotId, missionId, startsAt: new Date(startMs), endsAt: new Date(endMs) };
  const [seat] = await findOther(tx, times);
  if (seat === undefined) return;
  await expireOverdueOrders(tx, now, { pilotIds: [pilotId] });
  const [other] = await findOther(tx, times);
  if (other !== undefined) throw new AppError('OVERLAP', sentence(other.name));
}

/** The instant from which a backfill rule applies: just after `hours` before the start. */
const ruleBegins = (hours: number) =>
  sql<Date>`starts_at - make_interval(hours => ${sql.lit(hours)}) + interval '1 ms'`;

/**
 * Schedule the mission's next backfill, for when its next pending order expires or another backfill rule begins to apply
 * (`BACKFILL_HOURS`). Part of the seat transaction, so that neither commits without the other. A job that is
 * already due, or is being retried, is not postponed: it may have work that the caller has not done.
 */
export async function scheduleMissionBackfill(tx: Em, missionId: string): Promise<void> {
  const key = jobKey('backfill_mission_at', missionId);
  const pending = db(tx)
    .selectFrom('frag_order')
    .select('expires_at as at')
    .where('mission_id', '=', missionId)
    .where('status', '=', 'issued')
    .where('rsvp', '=', 'pending');
  const rule = (hours: number) =>
    db(tx)
      .selectFrom('mission')
      .select(ruleBegins(hours).as('at'))
      .where('id', '=', missionId)
      .where('status', '=', 'scheduled')
      .where(ruleBegins(hours), '>', ({ fn }) => fn<Date>('now'));
  const moments = Object.values(BACKFILL_HOURS).reduce((union, hours) => union.unionAll(rule(hours)), pending);
  await db(tx)
    .selectFrom(({ selectFrom }) =>
      selectFrom(moments.as('moment'))
        .select(({ fn }) => fn.min('moment.at').as('at'))
        .as('next'),
    )
    .select(({ ref, cast, val }) =>
      addJob('backfill_mission', {
        payload: jsonBuildObject({ missionId: cast<string>(val(missionId), 'text') }),
        key: val(key),
        runAt: ref('next.at'),
      }).as('job'),
    )
    .where('next.at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('graphile_worker.jobs')
            .where('key', '=', key)
            .where('locked_at', 'is', null)
            .whereRef('attempts', '<', 'max_attempts')
            .where(({ or, eb, fn }) => or([eb('attempts', '>', 0), eb('run_at', '<=', fn<Date>('now'))])),
        ),
      ),
    )
    .execute();
}
