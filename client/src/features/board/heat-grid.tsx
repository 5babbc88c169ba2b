import { memo, useState, type CSSProperties, type FocusEvent, type KeyboardEvent, type PointerEvent } from 'react';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { useFastLinks } from '#client/lib/use-fast-links.ts';
import type { HeatCell, HeatLayout, HeatRow } from './heat-model.ts';
import { moveInGrid } from '#client/lib/move-in-grid.ts';
import { shortDay } from './week-days.ts';
import classes from './heat-grid.module.css';

interface HeatGridProps {
  layout: HeatLayout;
  /** selected day; a phone shows only this one */
  picked: string;
  /** true when the numbers of another aircraft are shown while the requested ones load */
  isBusy: boolean;
}

/** Heat map of available pilots by day and hour. One tab stop, arrow keys between cells; Enter plans a mission. */
export const HeatGrid = memo(function HeatGrid({ layout, picked, isBusy }: HeatGridProps) {
  const { columns, rows } = layout;
  const follow = useFastLinks();
  const [stop, setStop] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const cells = rows.flatMap((row) => row.cells.filter((cell) => cell !== null));
  const active = (cells.find(({ startUtc }) => startUtc === stop) ?? cells.find(({ isPast }) => !isPast))?.startUtc;

  const show = ({ target }: PointerEvent | FocusEvent): void => {
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-start]') : null;
    setShown(cell?.getAttribute('aria-label') ?? null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = moveInGrid(event.currentTarget, event.target, event.key, event.ctrlKey);
    if (next?.dataset['start'] !== undefined) {
      event.preventDefault();
      setStop(next.dataset['start']);
      next.focus();
    }
  };

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its cells are focusable */}
      <div
        className={classes.grid}
        style={asColumns(columns.length)}
        role="grid"
        aria-label="Pilots available, by day and hour"
        aria-busy={isBusy}
        onClick={follow}
        onKeyDown={onKeyDown}
        onPointerOver={show}
        onPointerLeave={() => setShown(null)}
        onFocus={show}
        onBlur={() => setShown(null)}
      >
        <div role="row" className={classes.head}>
          <span role="columnheader">
            <VisuallyHidden>Day</VisuallyHidden>
          </span>
          {columns.map(({ key, label, isRepeat }) => (
            <span key={key} role="columnheader" className={classes.hour} title={isRepeat ? 'second pass' : undefined}>
              {label}
              {isRepeat && <VisuallyHidden> again</VisuallyHidden>}
            </span>
          ))}
        </div>
        {rows.map((row) => (
          <DayRow
            key={row.date}
            row={row}
            columns={columns}
            isPicked={row.date === picked}
            active={row.cells.some((cell) => cell?.startUtc === active) ? active : undefined}
          />
        ))}
      </div>
      <p className={classes.readout} aria-hidden="true">
        {shown ?? 'Choose an hour to plan a mission at that time.'}
      </p>
    </>
  );
});

/** React's types lack CSS custom properties. */
function asColumns(count: number): CSSProperties {
  const properties: Record<string, number> = { '--columns': count };
  return properties;
}

interface DayRowProps {
  row: HeatRow;
  columns: HeatLayout['columns'];
  isPicked: boolean;
  /** start of the tab stop cell, if it is in this row */
  active: string | undefined;
}

const DayRow = memo(function DayRow({ row: { date, cells }, columns, isPicked, active }: DayRowProps) {
  return (
    <div role="row" className={classes.row} data-picked={isPicked || undefined}>
      <span role="rowheader" className={classes.day}>
        {shortDay(date)}
      </span>
      {cells.map((cell, index) => {
        const { key = '', label = '' } = columns[index] ?? {};
        return (
          <span key={key} role="gridcell" className={classes.place}>
            {cell === null ? (
              <VisuallyHidden>no such hour</VisuallyHidden>
            ) : (
              <Hour cell={cell} label={label} isStop={cell.startUtc === active} />
            )}
          </span>
        );
      })}
    </div>
  );
});

/** Link to a new mission at that hour; disabled once the hour has begun. */
function Hour({ cell, label, isStop }: { cell: HeatCell; label: string; isStop: boolean }) {
  const { startUtc, pilots, level, isPast, name } = cell;
  const shared = {
    className: classes.cell,
    tabIndex: isStop ? 0 : -1,
    'data-level': level,
    'data-start': startUtc,
    'aria-label': name,
    title: name,
  };
  const contents = (
    <>
      <span className={classes.label}>{label}</span>
      {pilots}
    </>
  );
  return isPast ? (
    <span role="link" aria-disabled="true" data-past {...shared}>
      {contents}
    </span>
  ) : (
    <a href={`/admin/missions?start=${encodeURIComponent(startUtc)}`} {...shared}>
      {contents}
    </a>
  );
}
