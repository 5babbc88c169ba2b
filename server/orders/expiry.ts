/** Expiry by the clock: orders nobody answered give their seats back, and backfill looks for the next pilot. */
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { backfill } from './backfill.ts';
import { isSeatRace, lockMission, scheduleMissionBackfill, expireOverdueOrders } from '#server/seats/orders.ts';

/** Safe to run twice, late, or for a mission that is gone. */
export async function backfillMission(em: Em, missionId: string, now: Date): Promise<void> {
  await transact(
    em,
    async (tx) => {
      const mission = await lockMission(tx, missionId);
      if (!mission) return;
      await expireOverdueOrders(tx, now, { missionId });
      await backfill(tx, mission, now);
      await scheduleMissionBackfill(tx, missionId);
    },
    isSeatRace,
  );
}
