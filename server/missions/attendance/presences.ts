/** Presences of a mission: what a source saw is added, names get their pilots, and the rule makes proposals of both. */
import { nameForAdmins } from '#server/schema/predicates.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { lockMission, selectMissions, type LockedMission, type MissionRow } from '#server/orders/seats/orders.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { db, isOneOf, json, ms, tableOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { clip, mergeIntervals, overlaps, type Interval } from '#server/time/intervals.ts';
import { MINUTE_MS, toIso } from '#server/time/time.ts';
import { copy, recordingOfOtherTimeSentence } from '#shared/copy.ts';
import { createOwnerOf, isUnitName, ownersOf, type Known, type Owner, type Proved } from './rules/game-names.ts';
import { assess, type Assessment, type SeenBy } from './rules/propose.ts';
import type { Seen, Sighting } from './rules/seen.ts';
import { FLOWN, RECORDING } from '#shared/presence.ts';

/** Rows of one statement. */
const CHUNK = 2_000;
/** Of a recording that runs for days, this long before and after the time that counts is kept. */
const MARGIN_MS = 30 * MINUTE_MS;

/** A seat that was held until the end, with its pilot. */
export interface HeldSeat {
  orderId: string;
  userId: string;
  userDisplayName: string;
  flightCallsign: string;
  seatIndex: number;
  side: 0 | 1;
  aircraftCode: string;
  aircraftName: string;
  launchMs: number | null;
  attendance: 'attended' | 'no_show' | 'excused' | null;
}

function checkFlown<Mission extends MissionRow>(mission: Mission | null | undefined, now: Date): Mission {
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const status = missionStatus(mission.status, mission.startMs, mission.endMs, now.getTime());
  if (status === 'cancelled') throw new AppError('MISSION_FINAL');
  if (status !== 'completed') throw new AppError('MISSION_NOT_OVER');
  return mission;
}

/** A mission that is over, locked. @throws AppError 404; 409 before its end, and for a cancelled one */
export const lockFlown = async (tx: Em, missionId: string, now: Date): Promise<LockedMission> =>
  checkFlown(await lockMission(tx, missionId), now);

/** The same without a lock, before long work. */
export const requireFlown = async (em: Em, missionId: string, now: Date): Promise<MissionRow> =>
  checkFlown(await selectMissions(em).where('m.id', '=', missionId).executeTakeFirst(), now);

/** Seats whose pilots had accepted, in the order of the flights: those that attendance is marked for. */
export const listHeldSeats = (em: Em, missionId: string): Promise<HeldSeat[]> =>
  db(em)
    .selectFrom('frag_order as o')
    .innerJoin('seat as s', 's.order_id', 'o.id')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .innerJoin('flight as f', 'f.id', 'o.flight_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref }) => [
      'o.id as orderId',
      'o.pilot_id as userId',
      nameForAdmins('u').as('userDisplayName'),
      'f.callsign as flightCallsign',
      'o.seat_index as seatIndex',
      'f.side',
      'a.code as aircraftCode',
      'a.name as aircraftName',
      ms(ref('f.launch_at')).as('launchMs'),
      'o.attendance',
    ])
    .where('o.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'accepted')
    .orderBy('f.sort_order')
    .orderBy('f.callsign')
    .orderBy('o.seat_index')
    .execute();

export type StoredPresence = SeenBy & { id: string; pilotId: string | null };

/** The presences of a mission, in the order of time. */
export const listPresences = (em: Em, missionId: string): Promise<StoredPresence[]> =>
  db(em)
    .selectFrom('presence as p')
    .select(({ ref }) => [
      'p.id',
      'p.pilot_id as pilotId',
      'p.source',
      'p.name',
      'p.unit',
      'p.aircraft',
      'p.side',
      ms(ref('p.from_at')).as('startMs'),
      ms(ref('p.to_at')).as('endMs'),
      ms(ref('p.took_off_at')).as('tookOffMs'),
      ms(ref('p.landed_at')).as('landedMs'),
    ])
    .where('p.mission_id', '=', missionId)
    .orderBy('p.from_at')
    .orderBy('p.id')
    .execute();

const listKnown = (em: Em): Promise<Known[]> =>
  db(em)
    .selectFrom('app_user as u')
    .select(['u.id as pilotId', 'u.display_name as callSign'])
    .where('u.display_name', 'is not', null)
    .where('u.erased_at', 'is', null)
    .execute();

const listProved = (em: Em): Promise<Proved[]> =>
  db(em).selectFrom('game_identity as g').select(['g.user_id as pilotId', 'g.name']).orderBy('g.id').execute();

const timesByName = (seen: readonly Seen[]): Map<string, Interval[]> =>
  new Map([...Map.groupBy(seen, ({ name }) => name)].map(([name, times]) => [name, mergeIntervals(times)]));

/** Whose the names of these presences are. */
export async function findOwners(em: Em, seen: readonly Seen[]): Promise<Map<string, Owner>> {
  if (seen.length === 0) return new Map();
  const known = await listKnown(em);
  const proved = await listProved(em);
  return ownersOf(timesByName(seen), createOwnerOf(known, proved));
}

/** The verdict of the rule on each seat, by order. */
export function assessSeats(
  mission: Pick<MissionRow, 'startMs' | 'endMs'>,
  seats: readonly HeldSeat[],
  presences: readonly StoredPresence[],
): Map<string, Assessment> {
  const byPilot = Map.groupBy(presences, ({ pilotId }) => pilotId ?? '');
  return new Map(
    seats.map(({ orderId, userId, side, aircraftCode, aircraftName, launchMs }) => {
      const seat = {
        side,
        aircraft: { code: aircraftCode, name: aircraftName },
        launchMs: launchMs ?? mission.startMs,
        missionEndMs: mission.endMs,
      };
      return [orderId, assess(seat, byPilot.get(userId) ?? [])];
    }),
  );
}

/**
 * Give names their pilots, and propose what follows. Proposals that an admin has decided stay, and so do marks.
 * @returns the number of open proposals
 */
export async function proposeAgain(tx: Em, mission: LockedMission, now: Date): Promise<number> {
  const presences = await listPresences(tx, mission.id);
  const owners = await findOwners(tx, presences);
  const joined = presences.map((presence) => {
    const owner = owners.get(presence.name);
    return { ...presence, pilotId: owner?.kind === 'pilot' ? owner.pilotId : null };
  });
  const changed = joined.filter(({ pilotId }, index) => pilotId !== presences[index]?.pilotId);
  for (const [pilotId, rows] of Map.groupBy(changed, (row) => row.pilotId)) {
    const ids = rows.map(({ id }) => id);
    await db(tx).updateTable('presence').set({ pilot_id: pilotId }).where(isOneOf('id', ids)).execute();
  }
  const seats = await listHeldSeats(tx, mission.id);
  const assessed = assessSeats(mission, seats, joined);
  await db(tx)
    .deleteFrom('attendance_proposal')
    .where('mission_id', '=', mission.id)
    .where('state', '=', 'open')
    .execute();
  const proposals = seats.flatMap(({ orderId, userId, attendance }) => {
    const { verdict = null, evidence = null } = assessed.get(orderId) ?? {};
    if (verdict === null || evidence === null || attendance !== null) return [];
    return { order_id: orderId, pilot_id: userId, verdict, evidence: json(evidence) };
  });
  if (proposals.length === 0) return 0;
  const made = await db(tx)
    .insertInto('attendance_proposal')
    .values(proposals.map((one) => ({ ...one, mission_id: mission.id, state: 'open' as const, created_at: now })))
    .onConflict((conflict) => conflict.columns(['mission_id', 'pilot_id']).doNothing())
    .returning('order_id')
    .execute();
  return made.length;
}

async function storePresences(tx: Em, mission: LockedMission, { source }: Sighting, seen: readonly Seen[], now: Date) {
  for (let from = 0; from < seen.length; from += CHUNK) {
    const rows = seen.slice(from, from + CHUNK).map((one) => ({
      id: newId(),
      name: one.name,
      unit: one.unit,
      aircraft: one.aircraft,
      side: one.side,
      from_at: toIso(one.startMs),
      to_at: toIso(one.endMs),
      took_off_at: one.tookOffMs === null ? null : toIso(one.tookOffMs),
      landed_at: one.landedMs === null ? null : toIso(one.landedMs),
    }));
    await db(tx)
      .insertInto('presence')
      .columns([
        'id',
        'name',
        'unit',
        'aircraft',
        'side',
        'from_at',
        'to_at',
        'took_off_at',
        'landed_at',
        'mission_id',
        'source',
        'created_at',
      ])
      .expression(({ selectFrom, cast, val }) =>
        selectFrom(
          tableOf('given', rows, {
            id: 'uuid',
            name: 'text',
            unit: 'text',
            aircraft: 'text',
            side: 'smallint',
            from_at: 'timestamptz',
            to_at: 'timestamptz',
            took_off_at: 'timestamptz',
            landed_at: 'timestamptz',
          }),
        )
          .selectAll()
          .select([
            cast<string>(val(mission.id), 'uuid').as('mission_id'),
            val(source).as('source'),
            cast<Date>(val(now), 'timestamptz').as('created_at'),
          ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The time from which presences can count, for any of the flights, to the end. */
function countedTime(mission: LockedMission, seats: readonly HeldSeat[]): Interval {
  const launches = seats.flatMap(({ launchMs }) => launchMs ?? []);
  const first = Math.min(mission.startMs, ...launches);
  return { startMs: first - FLOWN.minutesBeforeLaunch * MINUTE_MS, endMs: mission.endMs };
}

/**
 * Add what a source has seen of a mission that is over, and propose attendance. The same again adds nothing.
 * @throws AppError 404; 409 before the end, and for a sighting of another time
 */
export async function addSighting(
  em: Em,
  viewer: Viewer,
  missionId: string,
  sighting: Sighting,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    const mission = await lockFlown(tx, missionId, now);
    const counted = countedTime(mission, await listHeldSeats(tx, missionId));
    if (!overlaps(counted, sighting.covers)) {
      throw new AppError('RECORDING_OF_OTHER_TIME', recordingOfOtherTimeSentence(sighting.covers, mission));
    }
    const kept = { startMs: counted.startMs - MARGIN_MS, endMs: counted.endMs + MARGIN_MS };
    const within = sighting.seen.flatMap((one) => clip(one, kept) ?? []);
    const owners = await findOwners(tx, within);
    // computer pilots are nobody's business, but a pilot may well be named like a unit
    const people = within.filter(({ name, unit }) => owners.get(name)?.kind !== 'unknown' || !isUnitName(name, unit));
    await storePresences(tx, mission, sighting, people, now);
    const stored = await listPresences(tx, missionId);
    if (stored.length > RECORDING.presencesMax) throw new AppError('LIMIT_REACHED', copy.recordingsFull);
    const proposals = await proposeAgain(tx, mission, now);
    emit(tx, { type: 'attendance.proposed', by: viewer, mission, proposals });
  });
}
