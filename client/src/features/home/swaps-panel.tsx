import type { RefObject } from 'react';
import { QuietPanel } from './quiet-panel.tsx';
import { seatCopy } from '#client/features/order/seat-text.ts';
import { SwapRow } from '#client/features/order/swap-row.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import type { Swaps } from '#client/features/order/use-swaps.ts';

interface SwapsPanelProps {
  swaps: Swaps;
  /** gets the focus when the last swap and the panel are gone */
  after: RefObject<HTMLElement | null>;
}

/** Panel of seat swaps that await an answer; hidden when empty. */
export function SwapsPanel({ swaps: { list, ...rest }, after }: SwapsPanelProps) {
  const { ref, onFocus } = useFocusAfterRemoval(list.data?.map(({ id }) => id) ?? [], after);
  return (
    <QuietPanel title="Seat swaps" query={list} loading={seatCopy.loadingSwaps} failure={seatCopy.swapsFailed}>
      {(swaps) => (
        <div ref={ref} onFocus={onFocus}>
          {swaps.map((swap) => (
            <SwapRow key={swap.id} swap={swap} withMission {...rest} />
          ))}
        </div>
      )}
    </QuietPanel>
  );
}
