import { memo, useMemo } from 'react';
import { Plot } from '#client/components/plot.tsx';
import { formatSpan } from '#shared/clock.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { describeDay, mergeRuns, stepPath, type OnlineDay, type OnlineRun } from './online-figures.ts';
import classes from './online-chart.module.css';

interface OnlineChartProps {
  day: OnlineDay;
  bucketMinutes: number;
  /** the same for all days */
  scale: readonly number[];
  timeZone: string;
}

/** Step chart of one day: expected pilots and taken seats. Hours and missions are drawn below it (`OnlineHours`). */
export const OnlineChart = memo(function OnlineChart({ day, bucketMinutes, scale, timeZone }: OnlineChartProps) {
  const parts = useMemo(() => {
    const percent = (iso: string): number => ((Date.parse(iso) - day.startMs) / (day.endMs - day.startMs)) * 100;
    return mergeRuns(day.points, bucketMinutes, timeZone).map((run) => ({
      from: percent(run.startUtc),
      to: percent(run.endUtc),
      card: <RunCard run={run} timeZone={timeZone} />,
    }));
  }, [day, bucketMinutes, timeZone]);
  const top = scale.at(-1) ?? 1;
  return (
    <Plot className={classes.chart} label={describeDay(day, timeZone)} levels={scale} parts={parts}>
      <path className={classes.area} d={stepPath(day, top, 'expected', true)} />
      <path className={classes.expected} d={stepPath(day, top, 'expected', false)} />
      <path className={classes.committed} d={stepPath(day, top, 'committed', false)} />
    </Plot>
  );
});

function RunCard({ run, timeZone }: { run: OnlineRun; timeZone: string }) {
  const { date, startUtc, endUtc, expected, partial, committed } = run;
  return (
    <>
      <strong>{formatCalendarDate(date)}</strong>
      <span className={classes.span}>{formatSpan(startUtc, endUtc, timeZone, date)}</span>
      <span data-series="expected">Expected {expected}</span>
      {partial > 0 && <span>For part of it {partial}</span>}
      <span data-series="committed">Seats taken {committed}</span>
    </>
  );
}
