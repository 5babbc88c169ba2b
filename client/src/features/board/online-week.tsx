import { memo } from 'react';
import { countOf } from './board-text.ts';
import { topOfDay, type OnlineDay } from './online-figures.ts';
import { shortDay } from './week-days.ts';
import classes from './online-week.module.css';

/** Units of a small chart; it is stretched to its tile. */
const WIDTH = 96;
const HEIGHT = 32;

interface OnlineWeekProps {
  days: readonly OnlineDay[];
  /** top of the scale, the same for all days */
  top: number;
  picked: string;
  onPick: (day: string) => void;
}

/** The week as small charts with one scale; choosing one shows its date large. */
export const OnlineWeek = memo(function OnlineWeek({ days, top, picked, onPick }: OnlineWeekProps) {
  return (
    <div className={classes.week} role="group" aria-label="Expected online by date">
      {days.map((day) => (
        <button
          key={day.date}
          type="button"
          className={classes.tile}
          aria-pressed={day.date === picked}
          onClick={() => onPick(day.date)}
        >
          <span className={classes.date}>{shortDay(day.date)}</span>
          <svg
            className={classes.chart}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
            focusable="false"
          >
            <path className={classes.area} d={stepPath(day, top, 'expected', true)} />
            <path className={classes.line} d={stepPath(day, top, 'expected', false)} />
            <path className={classes.taken} d={stepPath(day, top, 'committed', false)} />
          </svg>
          <span className={classes.most}>{countOf(topOfDay(day), 'pilot')}</span>
        </button>
      ))}
    </div>
  );
});

/** Steps from left to right; an area is closed at the bottom. Empty without points. */
function stepPath(
  { startMs, endMs, points }: OnlineDay,
  top: number,
  series: 'expected' | 'committed',
  isArea: boolean,
): string {
  const [first] = points;
  if (first === undefined) return '';
  const x = (ms: number): string => (((ms - startMs) / (endMs - startMs)) * WIDTH).toFixed(2);
  const y = (pilots: number): string => (HEIGHT - (pilots / top) * (HEIGHT - 1)).toFixed(2);
  const begin = x(Date.parse(first.startUtc));
  const steps = points.map((point) => `H${x(Date.parse(point.startUtc))}V${y(point[series])}`).join('');
  return isArea ? `M${begin} ${HEIGHT}${steps}H${WIDTH}V${HEIGHT}Z` : `M${begin} ${y(first[series])}${steps}H${WIDTH}`;
}
