import type { ReactNode } from 'react';
import { Mark, type Shape } from '#client/components/marks.tsx';
import { useNow } from '#client/lib/use-now.ts';
import { formatZulu } from '#shared/clock.ts';
import { FACT_LABELS } from '#shared/order-facts.ts';
import { stripAxis, type StripTimes } from './strip-axis.ts';
import { ZTime } from './z-time.tsx';
import classes from './evening-strip.module.css';

export interface StripLane extends StripTimes {
  id: string;
  /** the mission or flight, as text or a link */
  name: ReactNode;
  /** the reader flies in it */
  isOwn: boolean;
}

/** Shapes differ without colour. */
const POINTS = [
  { fact: 'startUtc', shape: 'circle', filled: false },
  { fact: 'launchUtc', shape: 'triangle', filled: true },
  { fact: 'totUtc', shape: 'diamond', filled: true },
  { fact: 'endUtc', shape: 'square', filled: false },
] as const satisfies { fact: keyof StripTimes; shape: Shape; filled: boolean }[];

/** The place of a label of so many characters: in the middle above its line, but inside the strip at both ends. */
const placeOf = (share: number, length: number) => ({
  insetInlineStart: `clamp(0px, ${share}% - ${length / 2}ch, 100% - ${length}ch)`,
});
const TICK_LENGTH = '0000Z'.length;
const NOW_LENGTH = 'now 0000Z'.length;

interface EveningStripProps {
  /** of the list of lanes */
  label: string;
  /** the lanes are of several days: their briefings have dates */
  withDates?: boolean;
  lanes: readonly StripLane[];
}

/**
 * Missions or flights side by side on one Zulu axis, with a line for the present and the reader's own lane in magenta. The
 * times stand as text in each lane, which the marks only repeat: screen readers read the text.
 */
export function EveningStrip({ label, lanes, withDates = false }: EveningStripProps) {
  const now = useNow();
  if (lanes.length === 0) return null;
  const { ticks, nowShare, shareOf } = stripAxis(lanes, now);
  return (
    <div className={classes.strip}>
      <div className={classes.axis} aria-hidden="true">
        {ticks.map(({ iso, share }) => (
          <span key={iso} className={classes.tick} style={placeOf(share, TICK_LENGTH)}>
            {formatZulu(iso)}
          </span>
        ))}
        {nowShare !== null && (
          <span className={classes.nowLabel} style={placeOf(nowShare, NOW_LENGTH)}>
            now {formatZulu(now)}
          </span>
        )}
      </div>
      <ul className={classes.lanes} aria-label={label}>
        {lanes.map((lane) => (
          <li key={lane.id} className={classes.lane} data-own={lane.isOwn || undefined}>
            <div className={classes.words}>
              <span className={classes.name}>
                {lane.name} {lane.isOwn && <strong className={classes.you}>You</strong>}
              </span>
              <span className={classes.times}>
                {POINTS.map(({ fact, shape, filled }) => {
                  const instant = lane[fact];
                  return (
                    instant !== null && (
                      <span key={fact} className={classes.time}>
                        <Mark shape={shape} filled={filled} size={12} /> {FACT_LABELS[fact]}{' '}
                        <ZTime iso={instant} withDate={withDates && fact === 'startUtc'} copyable={false} />
                      </span>
                    )
                  );
                })}
              </span>
            </div>
            <div className={classes.track} aria-hidden="true">
              {ticks.map(({ iso, share }) => (
                <span key={iso} className={classes.hour} style={{ insetInlineStart: `${share}%` }} />
              ))}
              <span
                className={classes.line}
                style={{
                  insetInlineStart: `${shareOf(lane.startUtc)}%`,
                  insetInlineEnd: `${100 - shareOf(lane.endUtc)}%`,
                }}
              />
              {POINTS.map(({ fact, shape, filled }) => {
                const instant = lane[fact];
                return (
                  instant !== null && (
                    <span key={fact} className={classes.mark} style={{ insetInlineStart: `${shareOf(instant)}%` }}>
                      <Mark shape={shape} filled={filled} size={14} />
                    </span>
                  )
                );
              })}
              {nowShare !== null && <span className={classes.now} style={{ insetInlineStart: `${nowShare}%` }} />}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
