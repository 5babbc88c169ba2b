import { useEffect, useEffectEvent } from 'react';

/** Fields in which Ctrl+Z undoes typing; in a time field it undoes the change of the week. */
const TEXT_FIELDS = 'textarea, input:not([inputmode="numeric"], [type="radio"], [type="checkbox"]), [contenteditable]';

/** Undo and redo shortcuts of the page (Ctrl or Cmd with Z, Shift+Z, Y), off while typing or with a dialog open. */
export function useUndoKeys(undo: () => void, redo: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) {
      return;
    }
    const isTyping = event.target instanceof Element && event.target.matches(TEXT_FIELDS);
    if (isTyping || document.querySelector('dialog[open]') !== null) {
      return;
    }
    const key = event.key.toLowerCase();
    if (key === 'z' || key === 'y') {
      event.preventDefault();
      (key === 'y' || event.shiftKey ? redo : undo)();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
