/**
 * Sign-out. Only the server can end a session, because scripts cannot read its cookie. A sign-out that did not reach the
 * server is remembered on this device, and no page counts as signed in until it has succeeded.
 */
import { useSyncExternalStore } from 'react';
import { trpcClient } from './trpc.ts';

const KEY = 'marshal-sign-out-pending';
/** Time limit of the logout call. */
const ANSWER_MS = 5_000;
const listeners = new Set<() => void>();
/** Fallback for browsers without local storage: only this page remembers. */
let isPendingHere = false;

/** Pending sign-out: Logout was pressed here and the server has not confirmed it yet. */
export function isSignOutPending(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return isPendingHere;
  }
}

/** Stores or clears the pending sign-out. A new sign-in replaces the old session, so it clears it too. */
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

/** Ends the session on the server. @returns false when the call failed, which is logged */
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
  // changes in other tabs
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

export function useSignOutPending(): boolean {
  return useSyncExternalStore(subscribe, isSignOutPending);
}
