import { Suspense } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import classes from './toaster.module.css';

/** Loaded after the first render, since there are no toasts before. If it cannot be loaded, the page works without them. */
const ToastStack = lazyPart(
  () => import('./toasts/toast-stack.tsx').catch(() => ({ ToastStack: () => null })),
  (part) => part.ToastStack,
);

/** Live region of the toasts; it exists from the start, so that screen readers announce every toast. */
export function Toaster() {
  return (
    <section className={classes.region} aria-label="Notifications" aria-live="polite">
      <Suspense>
        <ToastStack />
      </Suspense>
    </section>
  );
}
