/** "Needs you" on the admins' board: missions of the next seven days that are short of pilots, or wait for some of them. */
import { listNudgeable } from '#server/orders/nudges.ts';
import type { Em } from '#server/schema/orm.ts';
import { DAY_MS } from '#server/time/time.ts';
import { TURNOUT } from '#shared/limits.ts';
import type { BoardNeedDto } from '#shared/schemas/dashboard.ts';
import { BOARD_NEEDS } from '#shared/board-needs.ts';
import { loadTurnouts } from './turnout-alerts.ts';

/** By start; of one mission what is short first, then who has not answered, then who has not confirmed. */
export async function listNeeds(em: Em, now: Date): Promise<BoardNeedDto[]> {
  const turnouts = await loadTurnouts(em, now);
  const until = new Date(now.getTime() + TURNOUT.days * DAY_MS);
  const silent = await listNudgeable(em, { now, until });
  return turnouts.flatMap(({ isShort, ...turnout }) =>
    BOARD_NEEDS.flatMap((kind) => {
      const { missionId } = turnout;
      const pilots = silent.filter((order) => order.missionId === missionId && order.about === kind).length;
      const isNeeded = kind === 'short' ? isShort : pilots > 0;
      return isNeeded ? [{ ...turnout, kind, pilots }] : [];
    }),
  );
}
