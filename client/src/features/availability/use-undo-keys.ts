import { useEffect, useEffectEvent } from 'react';

/** Fields in which Ctrl+Z belongs to the text that is being typed. */
const TEXT_FIELDS = 'textarea, input:not([type="time"], [type="radio"], [type="checkbox"]), [contenteditable]';

/** Ctrl or Cmd with Z, Shift+Z and Y, on the whole page; not while typing, nor while a dialog is open. */
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
