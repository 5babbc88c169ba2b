import { useEffect, useRef, type FocusEvent, type RefObject } from 'react';

/**
 * Keeps a keyboard's place in a list of `article[data-order]` when the one it stands in goes away: the focus moves to
 * the order that took its place, else to the list, else to what is left when the list goes too.
 * @param ids of the orders shown, in their order
 * @param after stays when the list is gone
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
    if (last === undefined || ids.includes(last.id) || document.activeElement !== document.body) {
      return;
    }
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
