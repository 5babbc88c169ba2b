import { Suspense, useState, type RefObject } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { Swaps } from '#client/features/order/use-swaps.ts';

const SwapsPanel = lazyPart(
  () => import('./swaps-panel.tsx'),
  (part) => part.SwapsPanel,
);

interface SwapsSlotProps {
  swaps: Swaps;
  /** gets the focus when the panel is gone */
  after: RefObject<HTMLElement | null>;
}

/** Loads the panel of seat swaps with the first swap, and keeps it mounted, so that it can pass on the focus. */
export function SwapsSlot({ swaps, after }: SwapsSlotProps) {
  const [isNeeded, setNeeded] = useState(false);
  const [wasEmpty, setWasEmpty] = useState(false);
  const { data, error } = swaps.list;
  if (!wasEmpty && data?.length === 0) {
    setWasEmpty(true);
  }
  if (!isNeeded && (data === undefined ? error !== null : data.length > 0)) {
    setNeeded(true);
  }
  /** shown until the first list is known and its panel is here; what follows on the page waits with it */
  const pending = wasEmpty ? null : <div hidden data-unsettled />;
  if (!isNeeded) {
    return pending;
  }
  return (
    <Suspense fallback={pending}>
      <SwapsPanel swaps={swaps} after={after} />
    </Suspense>
  );
}
