import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';
import {
  clamp,
  HEADER_ROW,
  hourFrom,
  ROWS,
  stopAt,
  stopsOf,
  type Block,
  type Gesture,
  type Place,
  type Stop,
} from './grid-model.ts';
import type { SlotRow } from './week.ts';
import type { Laned } from './week-spans.ts';

/** four hours by Page Up and Page Down */
const PAGE_ROWS = 8;

const STEPS: Record<string, Place> = {
  ArrowUp: { day: 0, row: -1 },
  ArrowDown: { day: 0, row: 1 },
  ArrowLeft: { day: -1, row: 0 },
  ArrowRight: { day: 1, row: 0 },
};

export interface Cursor extends Place {
  /** the slot meant, where several share a cell */
  key: string | null;
}

interface GridCursorOptions {
  start: Place;
  /** of each day, Sunday first */
  blocks: readonly (readonly Laned<Block>[])[];
  /** one day is shown at a time: no stroke across days */
  isNarrow: boolean;
  /** holds everything that can have the focus */
  frame: RefObject<HTMLElement | null>;
  gesture: Gesture | null;
  onGesture: (gesture: Extract<Gesture, { kind: 'paint' }> | null) => void;
  onAdd: (gesture: Gesture) => void;
  onRemove: (slot: SlotRow) => void;
}

/**
 * The grid's one tab stop and its keys: arrows roam over free cells and blocks, each block once; Shift+arrow extends
 * from a free cell; Enter adds (buttons do their own); Delete removes; Esc drops what is under way.
 */
export function useGridCursor({
  start,
  blocks,
  isNarrow,
  frame,
  gesture,
  onGesture,
  onAdd,
  onRemove,
}: GridCursorOptions) {
  const [cursor, setCursor] = useState<Cursor>(() => ({ ...start, key: null }));
  const wantsFocus = useRef(false);
  const columns = blocks.map(stopsOf);
  const current = stopAt(columns[cursor.day] ?? [], cursor.row, cursor.key);

  useEffect(() => {
    if (wantsFocus.current) {
      wantsFocus.current = false;
      frame.current?.querySelector<HTMLElement>('[data-stop][tabindex="0"]')?.focus();
    }
  });

  /** Set the cursor and the focus with it. */
  const goTo = (next: Cursor): void => {
    wantsFocus.current = true;
    setCursor(next);
  };

  const roam = (step: Place): void => {
    const day = cursor.day + step.day;
    const column = columns[day];
    if (!column) {
      return;
    }
    if (step.row === 0) {
      goTo({ day, row: cursor.row, key: null });
      return;
    }
    const next = column[column.indexOf(current) + step.row];
    if (next) {
      goTo({ day, row: next.row, key: next.block?.slot.key ?? null });
    }
  };

  const isFreeCell = current.block === null && current.row !== HEADER_ROW;
  const anchor = { day: cursor.day, row: current.row };

  const extend = (step: Place): void => {
    if (!isFreeCell) {
      return;
    }
    const at = gesture?.kind === 'paint' ? gesture.at : anchor;
    onGesture({
      kind: 'paint',
      anchor,
      at: {
        day: isNarrow ? at.day : clamp(at.day + step.day, 6),
        row: clamp(at.row + step.row, ROWS - 1),
      },
    });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      if (event.shiftKey) {
        extend(step);
      } else {
        onGesture(null);
        roam(step);
      }
      return;
    }
    switch (event.key) {
      case 'Enter':
      case ' ':
        // Blocks and the days' own buttons are buttons: the browser clicks them.
        if (isFreeCell) {
          event.preventDefault();
          onAdd(gesture?.kind === 'paint' ? gesture : hourFrom(anchor));
        }
        break;
      case 'Delete':
      case 'Backspace':
        if (current.block !== null) {
          event.preventDefault();
          onRemove(current.block.slot);
        }
        break;
      case 'Home':
      case 'End':
        event.preventDefault();
        goTo({ day: event.key === 'Home' ? 0 : 6, row: cursor.row, key: null });
        break;
      case 'PageUp':
      case 'PageDown': {
        event.preventDefault();
        const row = current.row + (event.key === 'PageUp' ? -PAGE_ROWS : PAGE_ROWS);
        goTo({ day: cursor.day, row: clamp(row, ROWS - 1), key: null });
        break;
      }
      case 'Escape':
        if (gesture) {
          event.preventDefault();
          onGesture(null);
        }
        break;
      default:
    }
  };

  const isCurrent = (day: number, stop: Stop): boolean =>
    day === cursor.day && stop.row === current.row && stop.block?.slot.key === current.block?.slot.key;

  /** Whatever moved the focus, the cursor is where it is. */
  const onFocus = ({ target }: FocusEvent): void => {
    const day = Number(target.closest('[data-day]')?.getAttribute('data-day'));
    const row = Number(target.closest('[data-row]')?.getAttribute('data-row'));
    const key = target.getAttribute('data-block');
    const block = blocks[day]?.find(({ slot }) => slot.key === key) ?? null;
    if (columns[day] && !isCurrent(day, { row, block })) {
      setCursor({ day, row, key });
    }
  };

  return {
    cursor,
    /** the stop at the cursor */
    current,
    setCursor,
    goTo,
    onKeyDown,
    columns,
    /** is it the stop that Tab reaches */
    isCurrent,
    onFocus,
  };
}

export type GridCursor = ReturnType<typeof useGridCursor>;
