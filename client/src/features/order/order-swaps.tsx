import { Button } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useState } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { useNow } from '#client/lib/use-now.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { seatCopy } from './seat-text.ts';
import { SwapDialog } from './swap-dialog.tsx';
import { SwapRow } from './swap-row.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSwaps } from './use-swaps.ts';
import classes from './order-swaps.module.css';

/** Swaps of an accepted seat: other pilots' requests, the pilot's own request, or the button to make one. */
export function OrderSwaps({ order }: { order: AcceptedMissionDto }) {
  const now = useNow();
  const { list, ...rest } = useSwaps();
  const { ref, onFocus } = useKeptFocus();
  const [isAsking, setAsking] = useState(false);
  if (Date.parse(order.startUtc) <= now.getTime()) {
    return null;
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- tracks the focus
    <div ref={ref} tabIndex={-1} role="group" aria-label="Seat swaps" className={classes.swaps} onFocus={onFocus}>
      <Loaded query={list} loading={seatCopy.loadingSwaps} failure={seatCopy.swapsFailed} alwaysFailure rows={0}>
        {(all) => {
          const swaps = all.filter(({ orderId }) => orderId === order.id);
          return (
            <>
              {swaps.length > 0 && (
                <div className={classes.rows}>
                  {swaps.map((swap) => (
                    <SwapRow key={swap.id} swap={swap} {...rest} />
                  ))}
                </div>
              )}
              {!swaps.some(({ isMine }) => isMine) && (
                <Button
                  variant="default"
                  className={classes.ask}
                  leftSection={<IconArrowsExchange size={18} aria-hidden="true" />}
                  onClick={() => setAsking(true)}
                >
                  Swap seats
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
      {isAsking && <SwapDialog order={order} onClose={() => setAsking(false)} />}
    </div>
  );
}
