import { useState } from 'react';
import { errorMessage } from '#client/lib/errors.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { seatCopy } from './seat-text.ts';

interface SeatToTake {
  missionId: string;
  flightId: string;
  seatIndex: number;
  /** also adds dated availability for the parts of the mission that a near miss lacks */
  addAvailability?: boolean;
}

/** Takes an open seat; resolves with a toast after the page's lists have been refreshed. */
export function useTakeSeat(): { isTaking: boolean; take: (seat: SeatToTake) => Promise<void> } {
  const utils = trpc.useUtils();
  const mutation = trpc.pilot.seats.take.useMutation();
  const [isTaking, setTaking] = useState(false);

  const take = async (seat: SeatToTake): Promise<void> => {
    setTaking(true);
    try {
      const order = await mutation.mutateAsync(seat);
      await Promise.all([utils.pilot.inbox.invalidate(), utils.pilot.accepted.invalidate()]);
      showToast(`Seat taken: ${order.label} ${order.missionName}`);
    } catch (cause) {
      showToast(errorMessage(cause, seatCopy.takeFailed), { signal: 'red' });
    } finally {
      setTaking(false);
      void utils.pilot.inboxStatus.invalidate();
      void utils.pilot.notices.invalidate();
      void utils.pilot.seats.invalidate();
      void utils.pilot.order.invalidate();
      void utils.availability.invalidate();
    }
  };

  return { isTaking, take };
}
