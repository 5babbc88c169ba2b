import { AreaChart } from '@mantine/charts';
import { memo, useMemo } from 'react';
import { formatSpan, localDate } from '#shared/clock.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { describeDay, mergeRuns, type OnlineDay, type OnlineRun } from './online-figures.ts';
import classes from './online-chart.module.css';

interface OnlineChartProps {
  day: OnlineDay;
  bucketMinutes: number;
  /** the same for all days */
  scale: readonly number[];
  timeZone: string;
}

/** A point of the chart; times in epoch milliseconds. */
interface Step {
  at: number;
  from: number;
  until: number;
  expected: number;
  partial: number;
  committed: number;
}

const SERIES = [
  { name: 'expected', label: 'Expected', color: 'var(--cyan-lamp)' },
  { name: 'committed', label: 'Seats taken', color: 'var(--green-lamp)', strokeDasharray: '4 3' },
];

/** The plot fills the box beside the axis, so that the hours and missions below it can use percentages. */
const NO_MARGIN = { top: 8, right: 0, bottom: 0, left: 0 };

/** Step chart of one day: expected pilots and taken seats. Hours and missions are drawn below it (`OnlineHours`). */
export const OnlineChart = memo(function OnlineChart({ day, bucketMinutes, scale, timeZone }: OnlineChartProps) {
  const steps = useMemo(() => toSteps(mergeRuns(day.points, bucketMinutes, timeZone)), [day, bucketMinutes, timeZone]);
  return (
    <div className={classes.box} role="img" aria-label={describeDay(day, timeZone)}>
      <AreaChart
        className={classes.chart}
        classNames={{ container: classes.container, grid: classes.lines, axis: classes.axis }}
        data={steps}
        dataKey="at"
        series={SERIES}
        curveType="stepAfter"
        withDots={false}
        withGradient={false}
        fillOpacity={0.18}
        accessibilityLayer={false}
        gridAxis="x"
        tickLine="none"
        areaChartProps={{ margin: NO_MARGIN }}
        xAxisProps={{ type: 'number', scale: 'time', domain: [day.startMs, day.endMs], hide: true }}
        yAxisProps={{
          width: AXIS_WIDTH,
          allowDecimals: false,
          domain: [0, scale.at(-1) ?? 1],
          ticks: [...scale],
          interval: 0,
        }}
        tooltipProps={{
          content: ({ active, payload }) => {
            const step: unknown = payload?.[0]?.payload;
            return active && isStep(step) ? <StepCard step={step} timeZone={timeZone} /> : null;
          },
        }}
      />
    </div>
  );
});

/** Width of the vertical axis, px: `--axis` in the styles of the panel. */
const AXIS_WIDTH = 40;

/** Two points per run, at its start and end, so that the point nearest to the pointer belongs to the run under it. */
function toSteps(runs: readonly OnlineRun[]): Step[] {
  return runs.flatMap(({ startUtc, endUtc, expected, partial, committed }) => {
    const step = { from: Date.parse(startUtc), until: Date.parse(endUtc), expected, partial, committed };
    return [
      { ...step, at: step.from },
      { ...step, at: step.until - 1 },
    ];
  });
}

function isStep(value: unknown): value is Step {
  return typeof value === 'object' && value !== null && 'at' in value && 'partial' in value;
}

function StepCard({ step, timeZone }: { step: Step; timeZone: string }) {
  const start = new Date(step.from);
  const end = new Date(step.until);
  return (
    <div className={classes.card}>
      <strong>{formatShortDate(start, timeZone)}</strong>
      <span className={classes.span}>{formatSpan(start, end, timeZone, localDate(start, timeZone))}</span>
      <span data-series="expected">Expected {step.expected}</span>
      {step.partial > 0 && <span>For part of it {step.partial}</span>}
      <span data-series="committed">Seats taken {step.committed}</span>
    </div>
  );
}
