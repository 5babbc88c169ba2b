import type { RouterHistory } from '@tanstack/react-router';
import { Suspense } from 'react';
import { fastLinks } from '#client/lib/use-fast-links.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import classes from './toaster.module.css';

/** Loaded after the first render, since there are no toasts before. If it cannot be loaded, the page works without them. */
const ToastStack = lazyPart(
  () => import('./toasts/toast-stack.tsx').catch(() => ({ ToastStack: () => null })),
  (part) => part.ToastStack,
);

/** Live region of the toasts; it exists from the start, so that screen readers announce every toast. */
export function Toaster({ history }: { history: RouterHistory }) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- for the links of toasts
    <section className={classes.region} aria-label="Notifications" aria-live="polite" onClick={fastLinks(history)}>
      <Suspense>
        <ToastStack />
      </Suspense>
    </section>
  );
}
