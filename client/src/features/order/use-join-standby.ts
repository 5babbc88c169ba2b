import { useState } from 'react';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { SeatFix } from '#shared/vocabulary.ts';
import { flagsOf, refreshOwnData } from './fly-anyway-text.ts';
import { queuePlace } from './order-state.ts';
import { seatCopy } from './seat-text.ts';

/** Joins the standby queue of a mission; resolves with a toast after the page's lists have been refreshed. */
export function useJoinStandby(): {
  isJoining: boolean;
  join: (missionId: string, fixes?: readonly SeatFix[]) => Promise<void>;
} {
  const utils = trpc.useUtils();
  const mutation = trpc.pilot.seats.joinStandby.useMutation();
  const [isJoining, setJoining] = useState(false);

  const join = async (missionId: string, fixes: readonly SeatFix[] = []): Promise<void> => {
    setJoining(true);
    try {
      const order = await mutation.mutateAsync({ id: missionId, ...flagsOf(fixes) });
      await Promise.all([
        utils.pilot.inbox.invalidate(),
        utils.pilot.seats.invalidate(),
        utils.pilot.missions.invalidate(),
      ]);
      if (fixes.length > 0) refreshOwnData(utils);
      showToast(`${queuePlace(order)}: ${order.label} ${order.missionName}`);
    } catch (cause) {
      showFailure(cause, seatCopy.standbyFailed);
      void utils.pilot.seats.invalidate();
    } finally {
      setJoining(false);
    }
  };

  return { isJoining, join };
}
