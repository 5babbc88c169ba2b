/** Publishing a week: several drafts at once, seated together. */
import type { z } from 'zod';
import { emit } from '#server/signals/emit.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { willingPilots } from '#server/orders/seating/rules/one-mission/seating.ts';
import { byStart } from '#server/orders/seating/rules/week/week-issue.ts';
import { AppError } from '#server/platform/errors.ts';
import type { publishedWeek, publishWeekInput } from '#shared/schemas/mission-plan.ts';
import { newId } from '#server/schema/base.ts';
import { Mission } from '#server/schema/mission.ts';
import { recordWilling } from '#server/accounts/pilots/fairness.ts';
import {
  isSeatRace,
  issueOrders,
  lockMission,
  scheduleMissionBackfill,
  expireOverdueOrders,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { allowIdle } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { setMissionStatus } from './missions.ts';
import { loadWeekPilots, requireDraft, withSeats } from '#server/orders/seating/week-plan.ts';
import { SOLVE_LIMIT_MS, type WeekSolver } from '#server/orders/seating/week-solver.ts';

/** How long this transaction may be idle: longer than any seating takes. */
const IDLE_MS = 2 * SOLVE_LIMIT_MS;

/** Lock the drafts in order of their ids, which prevents deadlocks. */
async function lockDrafts(tx: Em, missionIds: readonly string[], now: Date): Promise<LockedMission[]> {
  const drafts: LockedMission[] = [];
  for (const id of [...new Set(missionIds)].sort()) {
    const mission = await lockMission(tx, id);
    if (!mission) throw new AppError('MISSION_NOT_FOUND');
    drafts.push(mission);
  }
  for (const draft of drafts) requireDraft(draft, now);
  return drafts;
}

/**
 * Publish drafts together, all or none, with the seating that `planWeek` gives for the same drafts.
 * @returns the missions, by start
 * @throws AppError 404 for an unknown mission, 409 for one that is published or cancelled, 400 for a start in the past
 */
export async function publishWeek(
  em: Em,
  viewer: Viewer,
  solver: WeekSolver,
  { missionIds }: z.infer<typeof publishWeekInput>,
  now: Date,
): Promise<z.infer<typeof publishedWeek>> {
  const work = async (tx: Em) => {
    const missions = await withSeats(tx, await lockDrafts(tx, missionIds, now));
    const ids = missions.map(({ id }) => id);
    const weekId = missions.length > 1 ? newId() : null;
    const pilots = await loadWeekPilots(tx, missions, now);
    // while a thread does the seating, the database would end the idle transaction
    await allowIdle(tx, IDLE_MS);
    const { together } = await solver.solve({ missions, nowMs: now.getTime(), pilots }, { withOneByOne: false });
    // overdue orders in other missions must not block pilots whom the seating counted as free
    const pilotIds = [...new Set([...together.values()].flatMap(({ seated }) => seated.map(({ pilotId }) => pilotId)))];
    await expireOverdueOrders(tx, now, { pilotIds });
    await setMissionStatus(tx, ids, 'scheduled', now);
    await tx.nativeUpdate(Mission, { id: { $in: ids } }, { weekId });
    emit(tx, {
      type: 'mission.opened',
      missionIds: missions.toSorted(byStart).map(({ id }) => id),
      hasBegun: missions.some(({ startMs }) => startMs <= now.getTime()),
      isPractice: false,
      week: weekId,
    });

    const published: z.infer<typeof publishedWeek>['missions'] = [];
    for (const { seats, ...draft } of missions.toSorted(byStart)) {
      const mission = { ...draft, status: 'scheduled' as const };
      const seating = together.get(mission.id);
      const seated = seating?.seated ?? [];
      if (seating) await recordWilling(tx, mission.id, willingPilots(seating));
      await issueOrders(tx, mission, seated, now);
      await scheduleMissionBackfill(tx, mission.id);
      const issued = { orders: seated.length, openSeats: seats.length - seated.length };
      emit(tx, { type: 'mission.published', by: viewer, mission, ...issued });
      published.push({ id: mission.id, ...issued });
    }
    return { missions: published };
  };
  return transact(em, work, isSeatRace);
}
