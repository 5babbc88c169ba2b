import { LineChart } from '@mantine/charts';
import { memo } from 'react';
import { formatCalendarDate } from '#client/lib/time.ts';
import { describeFill, fillPercent, fillWords, weekName, type FillWeek } from './fill-text.ts';
import classes from './fill-rate.module.css';

const SERIES = [{ name: 'percent', label: 'Seats filled', color: 'var(--cyan-lamp)' }];

/** Line of the share of filled seats, a point per week; weeks without missions have none. */
export const FillChart = memo(function FillChart({ weeks }: { weeks: readonly FillWeek[] }) {
  const data = weeks.map((week) => ({ ...week, percent: fillPercent(week) }));
  return (
    <div className={classes.chart} role="img" aria-label={describeFill(weeks)}>
      <LineChart
        h="100%"
        data={data}
        dataKey="endDate"
        series={SERIES}
        curveType="linear"
        connectNulls
        strokeWidth={2}
        dotProps={{ r: 3 }}
        accessibilityLayer={false}
        gridAxis="x"
        tickLine="none"
        xAxisProps={{ tickFormatter: shortDate, minTickGap: 24, interval: 'preserveEnd' }}
        yAxisProps={{
          width: 48,
          domain: [0, 100],
          ticks: [0, 50, 100],
          tickFormatter: (share: number) => `${share} %`,
        }}
        tooltipProps={{
          content: ({ active, payload }) => {
            const week = weeks.find(({ endDate }) => endDate === Reflect.get(Object(payload?.[0]?.payload), 'endDate'));
            return active && week !== undefined ? (
              <div className={classes.card}>
                <strong>{weekName(week)}</strong>
                <span>{fillWords(week)}</span>
              </div>
            ) : null;
          },
        }}
      />
    </div>
  );
});

/** `Nov 13` */
function shortDate(date: string): string {
  const [, day = date] = formatCalendarDate(date).split(', ');
  return day;
}
