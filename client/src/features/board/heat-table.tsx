import { memo } from 'react';
import type { HeatLayout } from './heat-model.ts';
import { shortDay } from './week-days.ts';
import classes from './number-table.module.css';

/** Table alternative to the heat map, with hours as rows and days as columns. */
export const HeatTable = memo(function HeatTable({ columns, rows }: HeatLayout) {
  return (
    // A scrollable box must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.box} role="region" aria-label="Pilots available, table" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {rows.map(({ date }) => (
              <th key={date} scope="col">
                {shortDay(date)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.map(({ key, label, isRepeat }, index) => (
            <tr key={key}>
              <th scope="row">
                {label.replace('L', '00L')}
                {isRepeat && ' again'}
              </th>
              {rows.map(({ date, cells }) => (
                <td key={date}>{cells[index]?.pilots ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
