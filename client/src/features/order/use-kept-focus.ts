import { useEffect, useRef, type FocusEvent, type RefObject } from 'react';

/**
 * Keeps the focus within a part of the page: when its focused button disappears, the focus moves to the part itself,
 * which needs `tabIndex={-1}`.
 */
export function useKeptFocus(): {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: (event: FocusEvent) => void;
} {
  const part = useRef<HTMLDivElement>(null);
  const focused = useRef<Element>(undefined);

  useEffect(() => {
    if (focused.current?.isConnected === false && document.activeElement === document.body) {
      focused.current = undefined;
      part.current?.focus({ preventScroll: true });
    }
  });

  return {
    ref: part,
    onFocus: ({ target }) => {
      focused.current = target;
    },
  };
}
