import { memo, type CSSProperties } from 'react';
import { SLOT_DEFAULT } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { GridBlock } from './grid-block.tsx';
import { HEADER_ROW, hourFrom, ROW_MINUTES, ROWS, startRow, strokeLabel, strokeOf, type Block } from './grid-model.ts';
import type { GridCursor } from './use-grid-cursor.ts';
import { wallTimeOf, type Laned, type Piece } from './week-spans.ts';
import { offsetName } from './week-times.ts';
import classes from './week-grid.module.css';

const FILL = `add ${SLOT_DEFAULT.startLocal} to ${SLOT_DEFAULT.endLocal}`;

interface GridHeadProps {
  days: readonly number[];
  timeZone: string;
  /** offset of the Zulu axis, minutes ahead of UTC */
  offset: number;
  /** offset of each weekday; a different one is labelled */
  offsets: readonly number[];
  isCurrent: GridCursor['isCurrent'];
  onFill: (day: number) => void;
}

/** Header row of the week grid; each day is a button that adds 18:00 to 22:00. */
export function GridHead({ days, timeZone, offset, offsets, isCurrent, onFill }: GridHeadProps) {
  return (
    <div role="row" className={classes.head}>
      <div role="columnheader" className={classes.corner}>
        <abbr title={`Local time, ${timeZone}`}>L</abbr>
      </div>
      {days.map((day) => {
        const name = WEEKDAYS[day] ?? '';
        return (
          <div
            key={day}
            role="columnheader"
            className={classes.day}
            data-day={day}
            data-row={HEADER_ROW}
            aria-label={name}
          >
            <button
              type="button"
              className={classes.dayButton}
              data-stop
              tabIndex={isCurrent(day, { row: HEADER_ROW, block: null }) ? 0 : -1}
              aria-label={`${name}, ${FILL}`}
              title={`${name}: ${FILL}`}
              onClick={() => onFill(day)}
            >
              {days.length === 1 ? name : name.slice(0, 3)}
              <span className={classes.plus} aria-hidden="true">
                +
              </span>
              {offsets[day] !== offset && <small>{offsetName(offsets[day] ?? 0)}</small>}
            </button>
          </div>
        );
      })}
      <div role="columnheader" className={classes.corner}>
        <abbr title={`Zulu, at ${offsetName(offset)}`}>Z</abbr>
      </div>
    </div>
  );
}

interface GridRowProps {
  row: number;
  days: readonly number[];
  /** days whose cell is free, as bits */
  free: number;
  /** blocks that start in this row, on any day */
  blocks: readonly Laned<Block>[];
  /** day of the cursor if it is in this row, and the key of its block */
  cursorDay: number | null;
  cursorKey: string | null;
  aircraft: readonly AircraftDto[];
  timeZone: string;
  now: Date;
  /** weekday of the current time if it is in this row, and its place in percent */
  clockDay: number | null;
  clockTop: number;
  offset: number;
}

/**
 * Row of the week grid: half an hour of each shown day. Local time on the left, Zulu on the right. A stroke changes few of
 * the 48 rows, and only those are rendered again.
 */
const GridRow = memo(function GridRow({
  row,
  days,
  free,
  blocks,
  cursorDay,
  cursorKey,
  aircraft,
  timeZone,
  now,
  clockDay,
  clockTop,
  offset,
}: GridRowProps) {
  const minutes = row * ROW_MINUTES;
  const isHour = minutes % 60 === 0;
  return (
    <div role="row" className={classes.row} data-hour={isHour || undefined}>
      <div role="rowheader" className={classes.axis} aria-label={wallTimeOf(minutes)}>
        {isHour && `${wallTimeOf(minutes).replace(':', '')}L`}
      </div>
      {days.map((day) => {
        const isFree = (free & (1 << day)) !== 0;
        const stroke = strokeOf({ day, row }, hourFrom({ day, row }).at, '');
        return (
          <div
            key={day}
            role="gridcell"
            className={classes.cell}
            data-cell
            data-day={day}
            data-row={row}
            data-stop={isFree || undefined}
            tabIndex={day === cursorDay && cursorKey === null ? 0 : -1}
            aria-label={isFree ? `${strokeLabel(stroke)}, add availability` : undefined}
          >
            {day === clockDay && <span className={classes.now} style={{ top: `${clockTop}%` }} aria-hidden="true" />}
            {blocks
              .filter((block) => block.weekday === day)
              .map((block) => (
                <GridBlock
                  key={block.slot.key}
                  block={block}
                  aircraft={aircraft}
                  timeZone={timeZone}
                  now={now}
                  isCurrent={day === cursorDay && block.slot.key === cursorKey}
                />
              ))}
          </div>
        );
      })}
      <div className={classes.axis} data-side="zulu" aria-hidden="true">
        {isHour && `${wallTimeOf(minutes - offset).replace(':', '')}Z`}
      </div>
    </div>
  );
});

/** Marks over the times of the next seven days that calendars take away. The list under the week says the same in words. */
export function BusyMarks({ pieces, days }: { pieces: readonly Piece[]; days: readonly number[] }) {
  return (
    <div className={classes.marks} aria-hidden="true">
      {days.map((day) => (
        <div key={day} className={classes.markedDay}>
          {pieces
            .filter(({ weekday }) => weekday === day)
            .map(({ start, end }) => (
              <span
                key={start}
                className={classes.busy}
                style={{ '--from': start / ROW_MINUTES, '--rows': (end - start) / ROW_MINUTES } as CSSProperties}
              >
                <span className={classes.busyWord}>Busy</span>
              </span>
            ))}
        </div>
      ))}
    </div>
  );
}

const GRID_ROWS = Array.from({ length: ROWS }, (_row, index) => index);
const NO_BLOCKS: readonly Laned<Block>[] = [];

interface GridRowsProps extends Pick<GridRowProps, 'days' | 'aircraft' | 'timeZone' | 'now' | 'offset'> {
  /** blocks of each day, Sunday first */
  blocks: readonly (readonly Laned<Block>[])[];
  /** current weekday and minutes since midnight */
  clock: { day: number; minutes: number };
  cursor: GridCursor;
}

/** The rows of the week grid. */
export function GridRows({ blocks, clock, cursor: { cursor, current, columns }, ...shared }: GridRowsProps) {
  const free = GRID_ROWS.map(() => 0);
  for (const [day, stops] of columns.entries()) {
    for (const { row, block } of stops) if (block === null) free[row] = (free[row] ?? 0) | (1 << day);
  }
  const starting = Map.groupBy(blocks.flat(), startRow);
  const clockRow = Math.floor(clock.minutes / ROW_MINUTES);
  return GRID_ROWS.map((row) => (
    <GridRow
      key={row}
      row={row}
      free={free[row] ?? 0}
      blocks={starting.get(row) ?? NO_BLOCKS}
      cursorDay={row === current.row ? cursor.day : null}
      cursorKey={row === current.row ? (current.block?.slot.key ?? null) : null}
      clockDay={row === clockRow ? clock.day : null}
      clockTop={row === clockRow ? ((clock.minutes % ROW_MINUTES) / ROW_MINUTES) * 100 : 0}
      {...shared}
    />
  ));
}
