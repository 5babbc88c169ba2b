import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useNow } from '#client/lib/use-now.ts';
import { FACT_LABELS } from '#shared/order-facts.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import classes from './order-timeline.module.css';

const POINTS = ['startUtc', 'launchUtc', 'totUtc', 'endUtc'] as const;

/** The times of an order as waypoints on the magenta line: brief, launch, TOT, end; the part already flown is solid. */
export function OrderTimeline({ order }: { order: AcceptedMissionDto }) {
  const now = useNow();
  return (
    <ol className={classes.line} aria-label="Timeline">
      {POINTS.map((fact) => {
        const instant = order[fact];
        return (
          instant !== null && (
            <li key={fact} data-flown={Date.parse(instant) <= now.getTime() || undefined}>
              <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
                <path d="m10 2 8 8-8 8-8-8z" />
              </svg>
              <span className={classes.label}>{FACT_LABELS[fact]}</span>
              <ZTime iso={instant} copyable={fact === 'launchUtc'} />
            </li>
          )
        );
      })}
    </ol>
  );
}
