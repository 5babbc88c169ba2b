import { IconArrowRight } from '@tabler/icons-react';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { placeName } from '#shared/labels.ts';
import type { SeatSwapDto } from '#shared/schemas/seats.ts';
import { OrderButton } from './answer-buttons.tsx';
import { useHomeLinks } from './home-links.tsx';
import { swapWarnings } from './seat-text.ts';
import type { Swaps } from './use-swaps.ts';
import classes from './swap-row.module.css';

interface SwapRowProps extends Pick<Swaps, 'busyId' | 'answer' | 'withdraw'> {
  swap: SeatSwapDto;
  /** name the mission, on a page with several missions */
  withMission?: boolean;
}

/** A pending swap: another pilot's request with its two answers, or the pilot's own, which can be withdrawn. */
export function SwapRow({ swap, withMission = false, busyId, answer, withdraw }: SwapRowProps) {
  const { OrderLink } = useHomeLinks();
  const { id, isMine, pilotName, missionName, orderId, from, to, expiresAt } = swap;
  const busy = busyId === id;
  const warnings = swapWarnings(from, to, swap.isListed);
  return (
    <article
      tabIndex={-1}
      aria-label={`Seat swap with ${pilotName}${withMission ? ` in ${missionName}` : ''}`}
      aria-busy={busy}
      data-order={id}
      data-asked={isMine || undefined}
      className={classes.row}
    >
      <div className={classes.words}>
        <p className={classes.sentence}>
          {isMine ? (
            <>
              Asked <strong>{pilotName}</strong>: open until
            </>
          ) : (
            <>
              <strong>{pilotName}</strong> asks to swap seats with you: answer by
            </>
          )}{' '}
          <ZTime iso={expiresAt} withDate copyable={false} />
        </p>
        {withMission && (
          <p className={classes.mission}>
            <OrderLink id={orderId}>{missionName}</OrderLink> · <ZTime iso={swap.startUtc} withDate copyable={false} />
          </p>
        )}
        <p className={classes.seats}>
          <span>
            {placeName(from)} ({from.aircraftName}, {from.role})
          </span>{' '}
          <IconArrowRight className={classes.arrow} size={16} aria-hidden="true" />
          <VisuallyHidden>becomes</VisuallyHidden>{' '}
          <strong>
            {placeName(to)} ({to.aircraftName}, {to.role})
          </strong>
        </p>
        {warnings.length > 0 && <p className={classes.warning}>{warnings.join(' ')}</p>}
      </div>
      <div className={classes.buttons} role="group" aria-label={`Answer ${pilotName}`}>
        {isMine ? (
          <OrderButton busy={busy} onClick={() => withdraw(swap)}>
            Withdraw
          </OrderButton>
        ) : (
          <>
            <OrderButton signal="green" busy={busy} onClick={() => answer(swap, 'agreed')}>
              Agree
            </OrderButton>
            <OrderButton busy={busy} onClick={() => answer(swap, 'declined')}>
              Decline
            </OrderButton>
          </>
        )}
      </div>
    </article>
  );
}
