import { AreaChart } from '@mantine/charts';
import { memo, useMemo } from 'react';
import { formatSpan, localDate } from '#shared/clock.ts';
import { formatShortDate } from '#client/lib/time.ts';
import type { ExpectedOnlineDto } from '#shared/schemas/dashboard.ts';
import { describeWeek, findMidnights, mergeRuns, type OnlineRun } from './online-figures.ts';
import { nameDay } from './week-days.ts';
import classes from './online-chart.module.css';

interface OnlineChartProps {
  series: ExpectedOnlineDto;
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

/** Step chart of the coming week: expected pilots and taken seats. */
export const OnlineChart = memo(function OnlineChart({
  series: { points, bucketMinutes },
  timeZone,
}: OnlineChartProps) {
  const steps = useMemo(() => toSteps(mergeRuns(points, bucketMinutes, timeZone)), [points, bucketMinutes, timeZone]);
  const first = steps[0]?.at ?? 0;
  const last = steps.at(-1)?.at ?? 0;
  const midnights = useMemo(() => findMidnights(points, timeZone), [points, timeZone]);
  return (
    <div className={classes.box} role="img" aria-label={describeWeek(points, timeZone)}>
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
        gridAxis="xy"
        tickLine="none"
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: [first, last],
          ticks: midnights,
          tickFormatter: (at: number) => nameDay(new Date(at), timeZone),
          tickMargin: 2,
          minTickGap: 12,
        }}
        yAxisProps={{ width: 40, allowDecimals: false, domain: [0, 'auto'] }}
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
