/**
 * Confirmation of identity: the server makes some calls only soon after a sign-in. Such a call waits here while a dialog asks
 * the person to sign in again, and is then sent once more.
 */
import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { AppRouter } from '#server/http/routers/app.ts';
import { errorCode } from './errors.ts';

/** A confirmation that calls wait for. */
export interface Confirmation {
  /** the server's sentence */
  sentence: string;
  /** @param isConfirmed false when the person cancels: the calls then fail with the server's refusal */
  settle: (isConfirmed: boolean) => void;
}

let open: (Confirmation & { outcome: Promise<boolean> }) | null = null;
const listeners = new Set<() => void>();
const announce = (): void => {
  for (const listener of listeners) listener();
};

/** For `useSyncExternalStore`. */
export const confirmations = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): Confirmation | null => open,
};

/** Ask once, however many calls wait. */
function confirm(sentence: string): Promise<boolean> {
  if (open) return open.outcome;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (isConfirmed: boolean): void => {
    open = null;
    announce();
    resolve(isConfirmed);
  };
  open = { sentence, settle, outcome: promise };
  announce();
  return promise;
}

/** Sends a call that needs a fresh session once more, after the confirmation. Queries never need one. */
export const confirmLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let sent: Unsubscribable;
      const again = (): void => {
        sent = next(op).subscribe(observer);
      };
      sent = next(op).subscribe({
        ...observer,
        error(cause) {
          if (op.type !== 'mutation' || errorCode(cause) !== 'FRESH_SIGN_IN_REQUIRED') observer.error(cause);
          else void confirm(cause.message).then((isConfirmed) => (isConfirmed ? again() : observer.error(cause)));
        },
      });
      return () => sent.unsubscribe();
    });
