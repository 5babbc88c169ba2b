import { memo, useMemo } from 'react';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import type { ExpectedOnlineDto } from '#shared/schemas/dashboard.ts';
import { mergeRuns } from './online-figures.ts';
import { shortDay } from './week-days.ts';
import classes from './number-table.module.css';

interface OnlineTableProps {
  series: ExpectedOnlineDto;
  timeZone: string;
}

/** Table alternative to the chart, with a row for each run of equal numbers. */
export const OnlineTable = memo(function OnlineTable({ series, timeZone }: OnlineTableProps) {
  const runs = useMemo(() => mergeRuns(series.points, series.bucketMinutes, timeZone), [series, timeZone]);
  return (
    // A scrollable box must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.box} role="region" aria-label="Expected pilots, table" tabIndex={0}>
      <table className={`${classes.table} ${classes.times}`}>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Time</th>
            <th scope="col">Expected</th>
            <th scope="col">Part of it</th>
            <th scope="col">Seats taken</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => (
            <tr key={run.startUtc} data-first={run.date !== runs[index - 1]?.date || undefined}>
              <th scope="row">{shortDay(run.date)}</th>
              <td>
                <ZSpan start={run.startUtc} end={run.endUtc} timeZone={timeZone} />
              </td>
              <td>{run.expected}</td>
              <td>{run.partial}</td>
              <td>{run.committed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
