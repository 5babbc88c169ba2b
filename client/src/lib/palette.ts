/** Open state and shortcuts of the command palette and the help; the dialogs load on first use. */
import { useEffect, useSyncExternalStore } from 'react';

export type PaletteView = 'commands' | 'help';

/** Local storage key of the palette's recent choices. */
export const RECENT_COMMANDS_KEY = 'marshal-recent-commands';

/** At sign-out: the next user of this device must not see whom this one looked up. */
export function forgetRecentCommands(): void {
  try {
    localStorage.removeItem(RECENT_COMMANDS_KEY);
  } catch {
    // nothing was stored
  }
}

let view: PaletteView | null = null;
const listeners = new Set<() => void>();

/** @param next null closes */
export function showPalette(next: PaletteView | null): void {
  view = next;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePaletteView(): PaletteView | null {
  return useSyncExternalStore(subscribe, () => view);
}

/** Keys typed into a field are not shortcuts. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** Shortcuts: Ctrl-K or Cmd-K opens the commands, `?` the help. They are off while a dialog is open. */
export function usePaletteKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.altKey || event.repeat || document.querySelector('dialog[open]') !== null) {
        return;
      }
      const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k';
      const isHelp = event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
      if (isCommand || isHelp) {
        event.preventDefault();
        showPalette(isCommand ? 'commands' : 'help');
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
