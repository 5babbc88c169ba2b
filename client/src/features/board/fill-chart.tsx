import { memo } from 'react';
import { Plot } from '#client/components/plot.tsx';
import { dayWords } from '#shared/clock.ts';
import { describeFill, fillPercent, fillWords, weekName, type FillWeek } from './fill-text.ts';
import classes from './fill-rate.module.css';

const LEVELS = [0, 50, 100] as const;
/** Weeks from one date below the line to the next. */
const DATE_STEP = 3;

/** Line of the share of filled seats, a point per week; weeks without missions have none. */
export const FillChart = memo(function FillChart({ weeks }: { weeks: readonly FillWeek[] }) {
  const width = 100 / weeks.length;
  const x = (index: number): number => (index + 0.5) * width;
  const points = weeks.flatMap((week, index) => {
    const percent = fillPercent(week);
    return percent === null ? [] : [`${x(index)} ${100 - percent}`];
  });
  return (
    <div className={classes.chart}>
      <Plot
        className={classes.plot}
        label={describeFill(weeks)}
        levels={LEVELS}
        levelText={(share) => `${share} %`}
        parts={weeks.map((week, index) => ({
          from: index * width,
          to: (index + 1) * width,
          card: (
            <>
              <strong>{weekName(week)}</strong>
              <span>{fillWords(week)}</span>
            </>
          ),
        }))}
      >
        <path
          className={classes.line}
          d={points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point}`).join('')}
        />
        <path className={classes.dots} d={points.map((point) => `M${point}h0`).join('')} />
      </Plot>
      <div className={classes.dates} aria-hidden="true">
        {weeks.map(
          ({ endDate }, index) =>
            (weeks.length - 1 - index) % DATE_STEP === 0 && (
              <span key={endDate} style={{ insetInlineStart: `${x(index)}%` }}>
                {dayWords(endDate).day}
              </span>
            ),
        )}
      </div>
    </div>
  );
});
