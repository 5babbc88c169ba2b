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

/** rows per Page Up or Page Down: four hours */
const PAGE_ROWS = 8;

const STEPS: Record<string, Place> = {
  ArrowUp: { day: 0, row: -1 },
  ArrowDown: { day: 0, row: 1 },
  ArrowLeft: { day: -1, row: 0 },
  ArrowRight: { day: 1, row: 0 },
};

export interface Cursor extends Place {
  /** key of the slot, where several share a cell */
  key: string | null;
}

interface GridCursorOptions {
  start: Place;
  /** blocks of each day, Sunday first */
  blocks: readonly (readonly Laned<Block>[])[];
  /** true when one day is shown at a time, which rules out strokes across days */
  isNarrow: boolean;
  /** contains all focus stops */
  frame: RefObject<HTMLElement | null>;
  gesture: Gesture | null;
  onGesture: (gesture: Extract<Gesture, { kind: 'paint' }> | null) => void;
  onAdd: (gesture: Gesture) => void;
  onRemove: (slot: SlotRow) => void;
}

/**
 * Keyboard control of the week grid with a single tab stop: arrows move over free cells and blocks, Shift+arrow extends a
 * stroke from a free cell, Enter adds it (or clicks a button), Delete removes a block, Esc cancels a stroke.
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

  /** Moves the cursor and the focus. */
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
        // On blocks and day buttons the browser triggers the click.
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

  /** Keeps the cursor at the focus, by whatever means that moved. */
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
    /** true when the stop is the grid's tab stop */
    isCurrent,
    onFocus,
  };
}

export type GridCursor = ReturnType<typeof useGridCursor>;
