import { notificationsStore } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { idle } from '#client/lib/idle.ts';
import classes from './toaster.module.css';

/** If it cannot be loaded, the page works without toasts. */
const ToastStack = lazy<ComponentType>(() =>
  import('./toasts/toast-stack.tsx').then(
    (module) => ({ default: module.ToastStack }),
    () => ({ default: () => null }),
  ),
);

/**
 * Live region of the toasts; it exists from the start, so that screen readers announce every toast. What draws them loads
 * once the page has been drawn, and at the latest with the first press or toast: a toast may say that the network is gone.
 */
export function Toaster() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    const need = (): void => setNeeded(true);
    const stop = new AbortController();
    void idle().then(() => !stop.signal.aborted && need());
    addEventListener('pointerdown', need, { signal: stop.signal });
    addEventListener('keydown', need, { signal: stop.signal });
    const unsubscribe = notificationsStore.subscribe(need);
    if (notificationsStore.getState().notifications.length > 0) need();
    return () => {
      stop.abort();
      unsubscribe();
    };
  }, []);
  return (
    <section className={classes.region} aria-label="Notifications" aria-live="polite">
      <Suspense>{isNeeded && <ToastStack />}</Suspense>
    </section>
  );
}
