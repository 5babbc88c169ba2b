/** Pilots who have not answered or confirmed for a while: who they are, and an admin's nudge. */
import type { z } from 'zod';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { lockMission } from '#server/orders/seats/orders.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import type { nudgeInput } from '#shared/schemas/mission-admin.ts';
import { nudgeDue } from './rules/nudges.ts';

/** Orders of missions ahead whose pilots may be nudged now, by start. @param until the latest start */
export async function listNudgeable(
  em: Em,
  { now, until, missionId }: { now: Date; until?: Date; missionId?: string },
) {
  const rows = await db(em)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .select(({ ref }) => [
      'o.id',
      'o.status',
      'o.rsvp',
      'o.is_shared_offer as isSharedOffer',
      'm.id as missionId',
      'm.name as missionName',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      ms(ref('o.issued_at')).as('issuedMs'),
      ms(ref('o.changed_at')).as('changedMs'),
      ms(ref('o.nudged_at')).as('nudgedMs'),
      ms(ref('o.expires_at')).as('expiresMs'),
      ms(ref('o.accepted_at')).as('acceptedMs'),
      ms(ref('o.confirmed_at')).as('confirmedMs'),
    ])
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>', now)
    .$if(until !== undefined, (select) => select.where('m.starts_at', '<=', until ?? now))
    .$if(missionId !== undefined, (select) => select.where('m.id', '=', missionId ?? ''))
    .where('o.status', '=', 'issued')
    .where('o.rsvp', 'in', ['pending', 'accepted'])
    .where(isActivePilot('u'))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .orderBy('o.seq')
    .execute();
  return rows.flatMap((row) => {
    const about = nudgeDue(row, now.getTime());
    return about === null ? [] : [{ ...row, about }];
  });
}

/**
 * Ask the pilots of a mission again who have not answered, or not confirmed, for a while, on the channels that they chose.
 * @returns how many; 0 when all have answered meanwhile, or were nudged by somebody else
 * @throws AppError 404; 409 for a mission that has started or was cancelled, and for a draft
 */
export async function nudgePilots(
  em: Em,
  viewer: Viewer,
  { id, about }: z.infer<typeof nudgeInput>,
  now: Date,
): Promise<{ nudged: number }> {
  return transact(em, async (tx) => {
    const mission = await lockMission(tx, id);
    if (!mission) throw new AppError('MISSION_NOT_FOUND');
    if (mission.status === 'draft') throw new AppError('MISSION_IS_DRAFT');
    if (mission.status === 'cancelled') throw new AppError('MISSION_FINAL');
    if (mission.startMs <= now.getTime()) throw new AppError('MISSION_STARTED');
    const due = (await listNudgeable(tx, { now, missionId: id })).filter((order) => order.about === about);
    const nudged = await changeOrders(
      tx,
      mission,
      'nudge',
      due.map((order) => ({ id: order.id })),
      now,
    );
    if (nudged.length > 0) emit(tx, { type: 'pilots.nudged', by: viewer, mission, about, pilots: nudged.length });
    return { nudged: nudged.length };
  });
}
