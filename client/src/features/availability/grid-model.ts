/** Model of the week grid: half-hour cells, blocks, focus stops, and gestures (paint, move, resize). */
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { moveSlot, paint, stretchSlot, type Stroke } from './week-edits.ts';
import { isOvernight, type SlotRow } from './week.ts';
import { DAY_MINUTES, layOut, spanOf, splitAtMidnight, wallTimeOf, type Laned, type Piece } from './week-spans.ts';

export const ROW_MINUTES = 30;
export const ROWS = DAY_MINUTES / ROW_MINUTES;
/** row of the day's header button, above 00:00 */
export const HEADER_ROW = -1;

export interface Place {
  /** 0 is Sunday */
  day: number;
  /** half hours since midnight, or HEADER_ROW */
  row: number;
}

/** Unfinished edit: between pointer down and up, or between Shift+arrow and Enter. */
export type Gesture =
  | { kind: 'paint'; anchor: Place; at: Place }
  | { kind: 'move'; key: string; anchor: Place; at: Place }
  | {
      kind: 'start' | 'end';
      key: string;
      /** minutes from the midnight of the slot's weekday to the column's midnight: 1440 in the next day's column */
      offset: number;
      at: Place;
    };

/** Limits a value to 0 to `most`. */
export function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

/** The rectangle from one cell to another, inclusive. */
export function strokeOf(anchor: Place, at: Place, aircraft: string): Stroke {
  const [first, last] = [Math.min(anchor.day, at.day), Math.max(anchor.day, at.day)];
  return {
    days: Array.from({ length: last - first + 1 }, (_day, index) => first + index),
    span: {
      start: Math.min(anchor.row, at.row) * ROW_MINUTES,
      end: (Math.max(anchor.row, at.row) + 1) * ROW_MINUTES,
    },
    aircraft,
  };
}

/** Paint gesture for one hour from a cell; half an hour for the last cell of a day. */
export function hourFrom(anchor: Place): Extract<Gesture, { kind: 'paint' }> {
  return { kind: 'paint', anchor, at: { day: anchor.day, row: Math.min(anchor.row + 1, ROWS - 1) } };
}

const STROKE_KEY = 'stroke-';

/** True for a slot of an unfinished stroke, which has a temporary key. */
export const isStroke = ({ key }: SlotRow): boolean => key.startsWith(STROKE_KEY);

/** The week after the gesture, if it ended now. */
export function applyGesture(rows: readonly SlotRow[], gesture: Gesture, paintWith: string): SlotRow[] {
  switch (gesture.kind) {
    case 'paint':
      return paint(
        rows,
        strokeOf(gesture.anchor, gesture.at, paintWith),
        // Stable keys, so that React keeps the blocks during the stroke.
        (weekday, part) => `${STROKE_KEY}${weekday}-${part}`,
      );
    case 'move': {
      const { key, anchor, at } = gesture;
      return moveSlot(rows, key, at.day - anchor.day, (at.row - anchor.row) * ROW_MINUTES);
    }
    case 'start':
      return stretchSlot(rows, gesture.key, 'start', gesture.at.row * ROW_MINUTES + gesture.offset);
    case 'end':
      return stretchSlot(rows, gesture.key, 'end', (gesture.at.row + 1) * ROW_MINUTES + gesture.offset);
  }
}

/** A slot, or its part on one day, as the grid draws it. */
export interface Block extends Piece {
  slot: SlotRow;
  /** the part after midnight, in the next day's column */
  isContinued: boolean;
  /** the slot continues in the next day's column */
  isCut: boolean;
}

/** Blocks of each day, Sunday first, with their lanes. Slots with incomplete times are left out. */
export function blocksByDay(rows: readonly SlotRow[]): Laned<Block>[][] {
  const blocks: Block[] = rows.flatMap((slot) => {
    const span = spanOf(slot);
    const pieces = span ? splitAtMidnight(slot.weekday, span) : [];
    return pieces.map((piece, part) => ({
      ...piece,
      slot,
      isContinued: part > 0,
      isCut: part < pieces.length - 1,
    }));
  });
  return WEEKDAYS.map((_name, day) => layOut(blocks.filter(({ weekday }) => weekday === day)));
}

export const startRow = ({ start }: { start: number }): number => Math.floor(start / ROW_MINUTES);

const covers = ({ start, end }: { start: number; end: number }, row: number): boolean =>
  start < (row + 1) * ROW_MINUTES && end > row * ROW_MINUTES;

/** Focus stop in a column: the day's button, a free cell, or a block (once). */
export type Stop = { row: number; block: Laned<Block> | null };

/** Focus stops of a column, from top to bottom. */
export function stopsOf(blocks: readonly Laned<Block>[]): Stop[] {
  const stops: Stop[] = [{ row: HEADER_ROW, block: null }];
  for (let row = 0; row < ROWS; row += 1) {
    const starting = blocks.filter((block) => startRow(block) === row);
    if (starting.length > 0) {
      stops.push(...starting.map((block) => ({ row, block })));
    } else if (!blocks.some((block) => covers(block, row))) {
      stops.push({ row, block: null });
    }
  }
  return stops;
}

/** The focus stop at a row: the slot with that key if it exists, else the cell or block that covers the row. */
export function stopAt(stops: readonly Stop[], row: number, key: string | null): Stop {
  const named = key === null ? undefined : stops.find(({ block }) => block?.slot.key === key);
  const found =
    named ??
    stops.find((stop) => (stop.block === null ? stop.row === row : covers(stop.block, row))) ??
    stops.findLast((stop) => stop.row <= row);
  return found ?? { row: HEADER_ROW, block: null };
}

/** `Tuesday`, or `Tuesday to Thursday` */
function dayNames(days: readonly number[]): string {
  const [first, last] = [WEEKDAYS[days[0] ?? 0] ?? '', WEEKDAYS[days.at(-1) ?? 0] ?? ''];
  return first === last ? first : `${first} to ${last}`;
}

/** `Tuesday 18:00 to 20:30` */
export function strokeLabel({ days, span }: Stroke): string {
  return `${dayNames(days)} ${wallTimeOf(span.start)} to ${wallTimeOf(span.end)}`;
}

/** `Tuesday 22:00 to Wednesday 01:00` */
export function slotLabel(slot: SlotRow): string {
  const next = isOvernight(slot) ? `${WEEKDAYS[(slot.weekday + 1) % 7] ?? ''} ` : '';
  return `${WEEKDAYS[slot.weekday] ?? ''} ${slot.startLocal} to ${next}${slot.endLocal}`;
}
