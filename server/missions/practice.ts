/** Practice missions: one for an admin to try orders with, alone, and its removal without a trace. */
import { emit } from '#server/signals/emit.ts';
import { db, ms } from '#server/schema/database.ts';
import { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { overlapsRange } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { lockMission } from '#server/orders/seats/orders.ts';
import { AppError } from '#server/platform/errors.ts';
import { requirePilot, type Viewer } from '#server/platform/viewer.ts';
import { cancelJob, jobKey } from '#server/signals/jobs.ts';
import { DAY_MS, HOUR_MS, localDateTime, MINUTE_MS } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_MINUTES_STEP, PRACTICE } from '#shared/limits.ts';
import { createMissionInput, type CreatedMissionDto } from '#shared/schemas/missions.ts';
import { createMission } from './missions.ts';

/** A day ahead, so that the order waits for hours; later if the admin holds a seat at that time. */
async function findTimes(em: Em, viewer: Viewer, now: Date): Promise<{ startMs: number; endMs: number }> {
  const step = MISSION_MINUTES_STEP * MINUTE_MS;
  const first = Math.ceil((now.getTime() + DAY_MS) / step) * step;
  for (let day = 0; day < PRACTICE.daysAhead; day += 1) {
    const startMs = first + day * DAY_MS;
    const times = { startMs, endMs: startMs + PRACTICE.hours * HOUR_MS };
    const seat = await db(em)
      .selectFrom('seat as s')
      .select('s.seat_index')
      .where('s.pilot_id', '=', viewer.id)
      .where(overlapsRange('s', times))
      .limit(1)
      .executeTakeFirst();
    if (!seat) return times;
  }
  throw new AppError('OVERLAP', copy.noPracticeTime);
}

/** An aircraft that the admin flies, or else the first of the catalogue. */
async function findAircraftId(em: Em, viewer: Viewer): Promise<number> {
  const row = await db(em)
    .selectFrom('aircraft as a')
    .leftJoin('proficiency as p', (join) => join.onRef('p.aircraft_id', '=', 'a.id').on('p.user_id', '=', viewer.id))
    .select('a.id')
    .where('a.active', '=', true)
    .orderBy((eb) => eb('p.user_id', 'is', null))
    .orderBy('a.id')
    .limit(1)
    .executeTakeFirst();
  if (!row) throw new AppError('AIRCRAFT_NOT_FOUND', copy.noAircraft);
  return row.id;
}

/** The admin's practice missions. */
const selectPractice = (em: Em, viewer: Viewer) =>
  db(em)
    .selectFrom('mission as m')
    .select(({ ref }) => ['m.id', ms(ref('m.starts_at')).as('startMs')])
    .where('m.is_practice', '=', true)
    .where('m.created_by_id', '=', viewer.id)
    .orderBy('m.created_at', 'desc');

/**
 * Make a practice mission with an order for the admin, in place of an earlier one. Nobody else is asked, and nothing leaves the
 * site. 403 for an admin who does not fly; 409 for one who has no time for it.
 */
export async function createPractice(em: Em, viewer: Viewer, now: Date): Promise<CreatedMissionDto> {
  requirePilot(viewer);
  for (const { id } of await selectPractice(em, viewer).execute()) await removePractice(em, viewer, id, now);
  const { startMs, endMs } = await findTimes(em, viewer, now);
  const input = createMissionInput.parse({
    name: PRACTICE.name,
    theater: 'Caucasus',
    startLocal: localDateTime(startMs, 'UTC'),
    endLocal: localDateTime(endMs, 'UTC'),
    timeZone: 'UTC',
    notes: PRACTICE.notes,
    aircraftSlots: [{ aircraftId: await findAircraftId(em, viewer), slotCount: 2, side: 0, notes: 'Training' }],
  });
  return createMission(em, viewer, input, null, now, { isPractice: true });
}

/**
 * Remove a practice mission with its orders and everything that followed from them. 404 for an unknown mission, 409 for a
 * real one.
 */
export async function removePractice(em: Em, viewer: Viewer, id: string, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const mission = await lockMission(tx, id);
    if (!mission) throw new AppError('MISSION_NOT_FOUND');
    const pilots = await db(tx)
      .selectFrom('frag_order')
      .select('pilot_id as pilotId')
      .where('mission_id', '=', id)
      .execute();
    const seats = await db(tx).selectFrom('seat').select('pilot_id as pilotId').where('mission_id', '=', id).execute();
    for (const kind of ['backfill_mission', 'backfill_mission_at'] as const) await cancelJob(tx, jobKey(kind, id));
    const removed = await tx.nativeDelete(Mission, { id, isPractice: true });
    if (removed === 0) throw new AppError('MISSION_NOT_PRACTICE');
    const { startMs, endMs } = mission;
    emit(tx, {
      type: 'practice.removed',
      by: viewer,
      mission,
      pilotIds: pilots.map(({ pilotId }) => pilotId),
      freed: { missionId: id, pilotIds: seats.map(({ pilotId }) => pilotId), startMs, endMs, now },
    });
  });
}
