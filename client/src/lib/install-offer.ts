/** The browser's offer to install Marshal as an app, which comes once, early, and can be taken up once. */
import { useSyncExternalStore } from 'react';

/** Chromium's event; not yet in TypeScript's library. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

function setOffer(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) {
    listener();
  }
}

const isOffer = (event: Event): event is InstallOffer => 'prompt' in event;

/** Keeps the offer for the account menu, in place of the browser's own banner. */
export function watchInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    if (isOffer(event)) {
      event.preventDefault();
      setOffer(event);
    }
  });
  window.addEventListener('appinstalled', () => setOffer(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks to install; null while the browser offers nothing. */
export function useInstall(): (() => void) | null {
  const current = useSyncExternalStore(subscribe, () => offer);
  return (
    current &&
    (() => {
      setOffer(null);
      void current.prompt();
    })
  );
}
