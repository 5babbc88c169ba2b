import { useState } from 'react';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { youAreIn } from '#shared/labels.ts';
import type { SeatFix } from '#shared/vocabulary.ts';
import { flagsOf, refreshOwnData, withdrawnWords } from './fly-anyway-text.ts';
import { seatCopy } from './seat-text.ts';

interface SeatToTake {
  missionId: string;
  flightId: string;
  seatIndex: number;
  /** changes of the pilot's own data in the same transaction */
  fixes?: readonly SeatFix[];
  /** names of missions whose offers are declined */
  withdraws?: readonly string[];
}

/** Takes an open seat; resolves with a toast after the page's lists have been refreshed. */
export function useTakeSeat(): { isTaking: boolean; take: (seat: SeatToTake) => Promise<void> } {
  const utils = trpc.useUtils();
  const mutation = trpc.pilot.seats.take.useMutation();
  const [isTaking, setTaking] = useState(false);

  const take = async ({ fixes = [], withdraws = [], ...seat }: SeatToTake): Promise<void> => {
    setTaking(true);
    try {
      const order = await mutation.mutateAsync({ ...seat, ...flagsOf(fixes) });
      await Promise.all([utils.pilot.inbox.invalidate(), utils.pilot.accepted.invalidate()]);
      showToast([`${youAreIn(order)} (${order.label} ${order.missionName})`, ...withdrawnWords(withdraws)].join('. '));
      if (fixes.length > 0) refreshOwnData(utils);
    } catch (cause) {
      showFailure(cause, seatCopy.takeFailed);
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
