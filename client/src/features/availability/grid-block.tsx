import type { CSSProperties } from 'react';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { ROW_MINUTES, slotLabel, startRow, type Block } from './grid-model.ts';
import { aircraftName } from './slot-fields.ts';
import { isOvernight } from './week.ts';
import { DAY_MINUTES, type Laned } from './week-spans.ts';
import { zuluRange } from './week-times.ts';
import classes from './grid-block.module.css';

interface GridBlockProps {
  block: Laned<Block>;
  aircraft: readonly AircraftDto[];
  timeZone: string;
  now: Date;
  /** true when Tab stops at this block */
  isCurrent: boolean;
}

/** Block of the week grid: a slot, or its part on one day. It is a child of its first cell, and its ends can be dragged. */
export function GridBlock({ block, aircraft, timeZone, now, isCurrent }: GridBlockProps) {
  const { slot, start, end, lane, lanes, isContinued, isCut } = block;
  const name = aircraftName(slot.aircraft, aircraft);
  const zulu = zuluRange(slot, timeZone, now);
  const place = {
    '--from': start / ROW_MINUTES - startRow(block),
    '--rows': (end - start) / ROW_MINUTES,
    '--lane': lane,
    '--lanes': lanes,
  } as CSSProperties;
  return (
    <button
      type="button"
      className={classes.block}
      style={place}
      data-block={slot.key}
      data-offset={isContinued ? DAY_MINUTES : 0}
      data-continued={isContinued || undefined}
      data-cut={isCut || undefined}
      data-narrow={lanes > 2 || undefined}
      data-unset={slot.aircraft === '' || undefined}
      data-stop
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${slotLabel(slot)}, ${name}${slot.notes === null ? '' : ', with notes'}`}
      title={`${zulu}${slot.notes === null ? '' : `\n${slot.notes}`}`}
    >
      {!isContinued && <span className={classes.edge} data-edge="start" />}
      <span className={classes.time}>
        {`${slot.startLocal.replace(':', '')}–`}
        <wbr />
        {`${slot.endLocal.replace(':', '')}L${isOvernight(slot) ? ' +1' : ''}`}
      </span>
      <span className={classes.aircraft}>{name}</span>
      {slot.notes !== null && <span className={classes.notes}>{slot.notes}</span>}
      {!isCut && <span className={classes.edge} data-edge="end" />}
    </button>
  );
}
