/** Toasts: short messages in Mantine's notification store, rendered by `Toaster`. */
import { notifications, notificationsStore } from '@mantine/notifications';
import { createElement, type ReactElement } from 'react';
import type { WayOn } from '#shared/ways-on.ts';

/** How long a toast stays, ms; longer with an action. Hovering over a toast pauses the timers. */
const STAYS_MS = 5000;
const STAYS_WITH_ACTION_MS = 8000;
const SHOWN_AT_ONCE = 4;

export type ToastSignal = 'green' | 'red' | 'yellow' | 'cyan';

interface ToastOptions {
  signal?: ToastSignal;
  action?: { label: string; onClick: () => void } | WayOn;
}

let lastId = 0;

/**
 * Shows a toast; with more than four, the oldest is dismissed.
 * @param message one sentence
 * @param options.signal green for done (default), red for failed
 * @param options.action e.g. Undo, or a link; the toast then stays eight seconds
 */
export function showToast(message: string, { signal = 'green', action }: ToastOptions = {}): void {
  lastId += 1;
  const id = `toast-${lastId}`;
  const shown = notificationsStore.getState().notifications;
  // Mantine would queue the new one instead.
  for (const old of shown.slice(0, Math.max(0, shown.length + 1 - SHOWN_AT_ONCE))) {
    dismissToast(old.id);
  }
  notifications.show({
    id,
    title: message,
    message: action && actionElement(action, () => dismissToast(id)),
    autoClose: action ? STAYS_WITH_ACTION_MS : STAYS_MS,
    // The region around all toasts announces them; an alert would interrupt what is being read.
    role: 'presentation',
    'data-signal': signal,
  });
}

function actionElement(action: NonNullable<ToastOptions['action']>, dismiss: () => void): ReactElement {
  if ('path' in action) return createElement('a', { href: action.path, onClick: dismiss }, action.label);
  const act = (): void => {
    dismiss();
    action.onClick();
  };
  return createElement('button', { type: 'button', onClick: act }, action.label);
}

export function dismissToast(id: string | undefined): void {
  if (id !== undefined) notifications.hide(id);
}
