import { Suspense, useState, type RefObject } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { Swaps } from '#client/features/order/use-swaps.ts';

const SwapsPanel = lazyPart(
  () => import('./swaps-panel.tsx'),
  (part) => part.SwapsPanel,
);

interface SwapsSlotProps {
  swaps: Swaps;
  /** where the keyboard goes on when the panel has gone */
  after: RefObject<HTMLElement | null>;
}

/** The place of the seat swaps: loaded with the first there is to show, and kept, so that it can hand the keyboard on. */
export function SwapsSlot({ swaps, after }: SwapsSlotProps) {
  const [isNeeded, setNeeded] = useState(false);
  const { data, error } = swaps.list;
  if (!isNeeded && (data === undefined ? error !== null : data.length > 0)) {
    setNeeded(true);
  }
  return (
    isNeeded && (
      <Suspense fallback={null}>
        <SwapsPanel swaps={swaps} after={after} />
      </Suspense>
    )
  );
}
