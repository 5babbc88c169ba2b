/**
 * Signing out, which only the server can do: the session's cookie is out of reach for scripts. A sign-out that did not
 * get through is remembered on this device, so that no page counts as signed in until it has.
 */
import { useSyncExternalStore } from 'react';
import { trpcClient } from './trpc.ts';

const KEY = 'marshal-sign-out-pending';
/** A person who leaves does not wait for longer. */
const ANSWER_MS = 5_000;
const listeners = new Set<() => void>();
/** Fallback for browsers without local storage: this page alone remembers. */
let isPendingHere = false;

/** Pending sign-out: Logout was pressed here and the server has not confirmed it yet. */
export function isSignOutPending(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return isPendingHere;
  }
}

/** Remember or forget that a sign-out is to be done. A new sign-in ends the old session by itself. */
export function setSignOutPending(isPending: boolean): void {
  isPendingHere = isPending;
  try {
    if (isPending) {
      localStorage.setItem(KEY, '1');
    } else {
      localStorage.removeItem(KEY);
    }
  } catch {
    // remembered above
  }
  for (const listener of listeners) {
    listener();
  }
}

/** End the session on the server. @returns false when the server could not be told, which is logged */
export async function finishSignOut(): Promise<boolean> {
  try {
    await trpcClient.auth.logout.mutate(undefined, { signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (error) {
    console.error('Logout failed', error);
    return false;
  }
  setSignOutPending(false);
  return true;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // another tab's
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

export function useSignOutPending(): boolean {
  return useSyncExternalStore(subscribe, isSignOutPending);
}
