/** All orders of a mission, as admins see them. */
import { sql } from 'kysely';
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { isInQueue, queuePlace } from '#server/orders/seats/standby-queue.ts';
import { isExpired } from '#shared/order-expiry.ts';
import { loadMissionReminders } from '#server/missions/reminders/mission-reminders.ts';
import { toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import { fragLabel } from '#shared/labels.ts';
import type { missionOrders } from '#shared/schemas/mission-admin.ts';

const isoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant));

/** A mission's orders, newest first. Overdue ones read as expired, even if no job has expired them. Unknown id: 404. */
export async function listMissionOrders(em: Em, missionId: string, now: Date): Promise<z.infer<typeof missionOrders>> {
  const mission = await db(em).selectFrom('mission').select('id').where('id', '=', missionId).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const rows = await db(em)
    .selectFrom('frag_order as o')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .innerJoin('flight as f', 'f.id', 'o.flight_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .leftJoin('seat as s', 's.order_id', 'o.id')
    .select(({ eb, ref }) => [
      'o.id',
      'o.seq',
      'o.pilot_id as userId',
      nameForAdmins('u').as('userDisplayName'),
      'o.flight_id as flightId',
      'f.callsign as flightCallsign',
      'a.name as aircraftName',
      'o.seat_index as seatIndex',
      'o.status',
      'o.status_reason as statusReason',
      'o.rsvp',
      'o.is_shared_offer as isOpenOffer',
      eb('s.order_id', 'is not', null).$castTo<boolean>().as('holdsSeat'),
      'o.is_late as isLate',
      sql<number | null>`case when ${isInQueue('o')} then
          (rank() over (partition by ${isInQueue('o')} order by ${queuePlace('o')}))::int
        end`.as('standbyPosition'),
      ms(ref('o.issued_at')).as('issuedMs'),
      ms(ref('o.expires_at')).as('expiresMs'),
      ms(ref('o.answered_at')).as('answeredMs'),
      ms(ref('o.confirmed_at')).as('confirmedMs'),
      'o.reasons',
      'o.changes',
      'o.attendance',
    ])
    .where('o.mission_id', '=', missionId)
    .where('o.status', '<>', 'draft')
    .orderBy('o.issued_at', 'desc')
    .orderBy('o.seq', 'desc')
    .limit(LISTED_MAX.pilots)
    .execute();
  const remindersOf = await loadMissionReminders(em, missionId);
  return rows.map(({ seq, issuedMs, expiresMs, answeredMs, confirmedMs, ...row }) => {
    const expired = isExpired({ ...row, expiresMs }, now.getTime());
    return {
      ...row,
      seq,
      label: fragLabel(seq),
      ...(expired ? { status: 'cancelled' as const, statusReason: 'expired' as const, holdsSeat: false } : {}),
      issuedAt: toIso(issuedMs),
      expiresAt: toIso(expiresMs),
      answeredAt: isoOrNull(answeredMs),
      confirmedAt: isoOrNull(confirmedMs),
      changes: row.changes ?? [],
      reminders: remindersOf(row.id),
    };
  });
}
