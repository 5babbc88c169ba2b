import { useState } from 'react';
import type { Loadable } from '#client/components/loaded.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { SeatSwapDto } from '#shared/schemas/seats.ts';
import { polled } from '#client/lib/polling.ts';
import { placeName } from '#shared/labels.ts';
import { seatCopy } from './seat-text.ts';

export interface Swaps {
  /** pending requests, the pilot's own and others' */
  list: Loadable<SeatSwapDto[]>;
  /** the swap whose answer is being sent */
  busyId: string | null;
  answer: (swap: SeatSwapDto, response: 'agreed' | 'declined') => void;
  withdraw: (swap: SeatSwapDto) => void;
}

/** The viewer's seat swaps from the server, with functions to answer and withdraw. Every outcome is a toast. */
export function useSwaps(): Swaps {
  const utils = trpc.useUtils();
  const list = trpc.pilot.swaps.list.useQuery(undefined, polled(POLL_MS.inbox));
  const answer = trpc.pilot.swaps.answer.useMutation();
  const withdraw = trpc.pilot.swaps.withdraw.useMutation();
  const [busyId, setBusyId] = useState<string | null>(null);

  const send = async (swap: SeatSwapDto, call: () => Promise<string>, failure: string): Promise<void> => {
    setBusyId(swap.id);
    try {
      const said = await call();
      // The response of a running poll would restore the previous state.
      await utils.pilot.swaps.list.cancel();
      utils.pilot.swaps.list.setData(undefined, (swaps) => swaps?.filter(({ id }) => id !== swap.id));
      showToast(said);
    } catch (cause) {
      showFailure(cause, failure);
    } finally {
      setBusyId(null);
      void utils.pilot.swaps.invalidate();
      void utils.pilot.accepted.invalidate();
      void utils.pilot.inbox.invalidate();
      void utils.pilot.order.invalidate();
    }
  };

  return {
    // requests to this pilot come before the pilot's own
    list: { ...list, data: list.data?.toSorted((a, b) => Number(a.isMine) - Number(b.isMine)) },
    busyId,
    answer: (swap, response) =>
      void send(
        swap,
        async () => {
          await answer.mutateAsync({ id: swap.id, response });
          return response === 'agreed'
            ? `Swapped: you now hold ${placeName(swap.to)}`
            : `Declined: you keep ${placeName(swap.from)}`;
        },
        seatCopy.swapFailed,
      ),
    withdraw: (swap) =>
      void send(
        swap,
        async () => {
          await withdraw.mutateAsync({ id: swap.id });
          return `Withdrawn: ${swap.pilotName} is no longer asked`;
        },
        seatCopy.withdrawFailed,
      ),
  };
}
