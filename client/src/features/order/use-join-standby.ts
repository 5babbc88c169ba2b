import { useState } from 'react';
import { errorMessage } from '#client/lib/errors.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { queuePlace } from './order-state.ts';
import { seatCopy } from './seat-text.ts';

/** Joins the standby queue of a mission; resolves with a toast after the page's lists have been refreshed. */
export function useJoinStandby(): { isJoining: boolean; join: (missionId: string) => Promise<void> } {
  const utils = trpc.useUtils();
  const mutation = trpc.pilot.seats.joinStandby.useMutation();
  const [isJoining, setJoining] = useState(false);

  const join = async (missionId: string): Promise<void> => {
    setJoining(true);
    try {
      const order = await mutation.mutateAsync({ id: missionId });
      await Promise.all([utils.pilot.inbox.invalidate(), utils.pilot.seats.invalidate(), utils.missions.invalidate()]);
      showToast(`${queuePlace(order)}: ${order.label} ${order.missionName}`);
    } catch (cause) {
      showToast(errorMessage(cause, seatCopy.standbyFailed), { signal: 'red' });
      void utils.pilot.seats.invalidate();
    } finally {
      setJoining(false);
    }
  };

  return { isJoining, join };
}
