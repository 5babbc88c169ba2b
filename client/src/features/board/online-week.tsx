import { memo } from 'react';
import { count } from '#shared/plural.ts';
import { stepPath, topOfDay, type OnlineDay } from './online-figures.ts';
import { shortDay } from './week-days.ts';
import classes from './online-week.module.css';

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
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            aria-hidden="true"
            focusable="false"
          >
            <path className={classes.area} d={stepPath(day, top, 'expected', true)} />
            <path className={classes.line} d={stepPath(day, top, 'expected', false)} />
            <path className={classes.taken} d={stepPath(day, top, 'committed', false)} />
          </svg>
          <span className={classes.most}>{count(topOfDay(day), 'pilot')}</span>
        </button>
      ))}
    </div>
  );
});
