/** Short messages that come and go; `Toaster` draws them. */

/** How long a toast stays, ms; one that offers an action stays longer. */
const STAYS_MS = 5000;
const STAYS_WITH_ACTION_MS = 8000;
const SHOWN_AT_ONCE = 4;

export interface Toast {
  id: number;
  message: string;
  signal: 'green' | 'red' | 'yellow' | 'cyan';
  action?: { label: string; onClick: () => void };
  durationMs: number;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) {
    listener();
  }
}

/**
 * Show a toast, the oldest of more than four gives way.
 * @param message one sentence
 * @param options.signal green for done (default), red for failed
 * @param options.action e.g. Undo; the toast then stays eight seconds
 * @returns id for `dismissToast`
 */
export function showToast(
  message: string,
  { signal = 'green', action }: Partial<Pick<Toast, 'signal' | 'action'>> = {},
): number {
  lastId += 1;
  const durationMs = action === undefined ? STAYS_MS : STAYS_WITH_ACTION_MS;
  const toast: Toast = { id: lastId, message, signal, durationMs, ...(action && { action }) };
  publish([...toasts, toast].slice(-SHOWN_AT_ONCE));
  return lastId;
}

export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function readToasts(): readonly Toast[] {
  return toasts;
}
