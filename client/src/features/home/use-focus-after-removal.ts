import { useEffect, useRef, type FocusEvent, type RefObject } from 'react';

/**
 * Moves the focus when the focused `article[data-order]` of a list is removed: to the item that took its place, or else to
 * the list, or else to `after`.
 * @param ids ids of the shown orders, in order
 * @param after element that remains when the list is gone
 */
export function useFocusAfterRemoval(
  ids: readonly string[],
  after?: RefObject<HTMLElement | null>,
): {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: (event: FocusEvent) => void;
} {
  const list = useRef<HTMLDivElement>(null);
  const focused = useRef<{ id: string; index: number }>(undefined);

  useEffect(() => {
    const last = focused.current;
    if (last === undefined || ids.includes(last.id)) return;
    // only once: a later render may come while the reader's focus is between two elements
    focused.current = undefined;
    if (document.activeElement !== document.body) return;
    const cards = list.current?.querySelectorAll<HTMLElement>('article') ?? [];
    const next = cards[Math.min(last.index, cards.length - 1)] ?? list.current ?? after?.current;
    next?.focus({ preventScroll: true });
  }, [ids, after]);

  return {
    ref: list,
    onFocus: ({ target }) => {
      const id = target.closest<HTMLElement>('article')?.dataset['order'];
      focused.current = id === undefined ? undefined : { id, index: ids.indexOf(id) };
    },
  };
}
