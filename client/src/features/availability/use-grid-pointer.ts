import { useEffect, useRef, type MouseEvent, type PointerEvent, type RefObject } from 'react';
import { clamp, ROWS, type Gesture, type Place } from './grid-model.ts';

/** A touch held this long starts painting; one that moves earlier scrolls. */
const LONG_PRESS_MS = 350;
/** Auto-scroll while dragging: distance from the edge, and step per frame, px. */
const SCROLL_ZONE = 32;
const SCROLL_STEP = 8;

interface GridPointerOptions {
  /** contains only the rows of cells */
  body: RefObject<HTMLElement | null>;
  scroller: RefObject<HTMLElement | null>;
  /** weekdays of the columns, left to right */
  days: readonly number[];
  onGesture: (gesture: Gesture | null) => void;
  onDone: (gesture: Gesture) => void;
}

/**
 * Painting, moving and resizing by mouse, pen and touch. A press within one cell remains a click; touch scrolls unless it
 * was held first. Esc cancels.
 * @returns handlers for the body
 */
export function useGridPointer({ body, scroller, days, onGesture, onDone }: GridPointerOptions) {
  const isActive = useRef(false);
  const swallowsClick = useRef(false);

  // Only a non-passive listener can prevent scrolling while painting by touch.
  useEffect(() => {
    const element = body.current;
    const hold = (event: TouchEvent): void => {
      if (isActive.current && event.cancelable) {
        event.preventDefault();
      }
    };
    element?.addEventListener('touchmove', hold, { passive: false });
    return () => element?.removeEventListener('touchmove', hold);
  }, [body]);

  const placeAt = (x: number, y: number): Place => {
    const first = body.current?.querySelector('[data-cell]')?.getBoundingClientRect();
    if (!first) {
      return { day: 0, row: 0 };
    }
    const column = clamp(Math.floor((x - first.left) / first.width), days.length - 1);
    return { day: days[column] ?? 0, row: clamp(Math.floor((y - first.top) / first.height), ROWS - 1) };
  };

  const onPointerDown = (event: PointerEvent): void => {
    swallowsClick.current = false;
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) {
      return;
    }
    const isTouch = event.pointerType === 'touch';
    const from = placeAt(event.clientX, event.clientY);
    const gestureAt = begin(event.target, from);
    if (!gestureAt || (isTouch && event.target.closest('[data-block]'))) {
      return;
    }

    const over = new AbortController();
    let at = from;
    let pointer = { x: event.clientX, y: event.clientY };
    let frame = 0;

    const show = (): void => {
      const next = placeAt(pointer.x, pointer.y);
      if (next.day !== at.day || next.row !== at.row) {
        isActive.current = true;
        at = next;
        onGesture(gestureAt(at));
      }
    };
    const scroll = (): void => {
      const view = scroller.current?.getBoundingClientRect();
      if (view && isActive.current) {
        const below = pointer.y > view.bottom - SCROLL_ZONE ? SCROLL_STEP : 0;
        const above = pointer.y < view.top + 2 * SCROLL_ZONE ? -SCROLL_STEP : 0;
        if (below + above !== 0) {
          scroller.current?.scrollBy(0, below + above);
          show();
        }
      }
      frame = requestAnimationFrame(scroll);
    };
    const finish = (): void => {
      over.abort();
      clearTimeout(rest);
      cancelAnimationFrame(frame);
      swallowsClick.current = isActive.current;
      isActive.current = false;
      onGesture(null);
    };
    const rest = isTouch
      ? setTimeout(() => {
          isActive.current = true;
          navigator.vibrate?.(10);
          onGesture(gestureAt(at));
          frame = requestAnimationFrame(scroll);
        }, LONG_PRESS_MS)
      : undefined;
    if (!isTouch) {
      frame = requestAnimationFrame(scroll);
    }

    const { signal } = over;
    window.addEventListener(
      'pointermove',
      ({ clientX, clientY }) => {
        pointer = { x: clientX, y: clientY };
        if (!isTouch || isActive.current) {
          show();
        }
      },
      { signal },
    );
    window.addEventListener(
      'pointerup',
      () => {
        const done = isActive.current;
        finish();
        if (done) {
          onDone(gestureAt(at));
        }
      },
      { signal },
    );
    window.addEventListener('pointercancel', finish, { signal });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && finish(), { signal });
  };

  const onClickCapture = (event: MouseEvent): void => {
    if (swallowsClick.current && event.detail > 0) {
      event.stopPropagation();
      event.preventDefault();
    }
    swallowsClick.current = false;
  };

  /** Prevents the browser's context menu on a long press. */
  const onContextMenu = (event: MouseEvent): void => {
    if (isActive.current) {
      event.preventDefault();
    }
  };

  return { onPointerDown, onClickCapture, onContextMenu };
}

/** The gesture that a press on this element starts, as a function of the current place; undefined for none. */
function begin(target: Element, from: Place): ((at: Place) => Gesture) | undefined {
  const block = target.closest('[data-block]');
  const key = block?.getAttribute('data-block');
  if (key === null || key === undefined) {
    return target.closest('[data-cell]') ? (at) => ({ kind: 'paint', anchor: from, at }) : undefined;
  }
  const edge = target.closest('[data-edge]')?.getAttribute('data-edge');
  if (edge === 'start' || edge === 'end') {
    const offset = Number(block?.getAttribute('data-offset') ?? 0);
    return (at) => ({ kind: edge, key, offset, at });
  }
  return (at) => ({ kind: 'move', key, anchor: from, at });
}
