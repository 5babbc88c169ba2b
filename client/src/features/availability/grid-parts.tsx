import { SLOT_DEFAULT } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { GridBlock } from './grid-block.tsx';
import { HEADER_ROW, hourFrom, ROW_MINUTES, ROWS, startRow, strokeLabel, strokeOf, type Block } from './grid-model.ts';
import type { GridCursor } from './use-grid-cursor.ts';
import { wallTimeOf, type Laned } from './week-spans.ts';
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
  blocks: readonly (readonly Laned<Block>[])[];
  aircraft: readonly AircraftDto[];
  timeZone: string;
  now: Date;
  /** current weekday and minutes since midnight */
  clock: { day: number; minutes: number };
  offset: number;
  cursor: GridCursor;
}

/** Row of the week grid: half an hour of each shown day. Local time on the left, Zulu on the right. */
export function GridRow({ row, days, blocks, aircraft, timeZone, now, clock, offset, cursor }: GridRowProps) {
  const minutes = row * ROW_MINUTES;
  const isHour = minutes % 60 === 0;
  const clockHere = Math.floor(clock.minutes / ROW_MINUTES) === row;
  return (
    <div role="row" className={classes.row} data-hour={isHour || undefined}>
      <div role="rowheader" className={classes.axis} aria-label={wallTimeOf(minutes)}>
        {isHour && `${wallTimeOf(minutes).replace(':', '')}L`}
      </div>
      {days.map((day) => {
        const isFree = cursor.columns[day]?.some((stop) => stop.row === row && stop.block === null) ?? false;
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
            tabIndex={cursor.isCurrent(day, { row, block: null }) ? 0 : -1}
            aria-label={isFree ? `${strokeLabel(stroke)}, add availability` : undefined}
          >
            {clockHere && day === clock.day && (
              <span
                className={classes.now}
                style={{ top: `${((clock.minutes % ROW_MINUTES) / ROW_MINUTES) * 100}%` }}
                aria-hidden="true"
              />
            )}
            {(blocks[day] ?? [])
              .filter((block) => startRow(block) === row)
              .map((block) => (
                <GridBlock
                  key={block.slot.key}
                  block={block}
                  aircraft={aircraft}
                  timeZone={timeZone}
                  now={now}
                  isCurrent={cursor.isCurrent(day, { row, block })}
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
}

export const GRID_ROWS = Array.from({ length: ROWS }, (_row, index) => index);
