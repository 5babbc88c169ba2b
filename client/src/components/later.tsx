import { Skeleton } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { Suspense, useEffect, useState, type ReactNode } from 'react';

/** Distance from the window at which contents are mounted: its height. */
const NEAR = '100% 0%';
/** A busy browser mounts them after this time. */
const LATEST_MS = 2_000;

/** Ends with the last part that waits for an idle browser: each has its own idle moment. */
let lastIdle: Promise<unknown> = Promise.resolve();

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve);
  });
}

/** Contents that have been mounted once are mounted at once. */
const known = new WeakSet<() => Promise<unknown>>();

interface LaterProps {
  /** loads the contents' module: without that, contents whose module is the same would be rendered together */
  load: () => Promise<unknown>;
  /** of the skeleton, with the height of the contents */
  className: string | undefined;
  children: ReactNode;
}

/** Mounts large contents, such as a chart, once the browser is idle and they are near the window; a skeleton keeps their place. */
export function Later({ load, className, children }: LaterProps) {
  const { ref, entry } = useIntersection({ rootMargin: NEAR });
  const isNear = entry?.isIntersecting === true;
  const [isMounted, setMounted] = useState(() => known.has(load));
  useEffect(() => {
    if (!isNear) return;
    let isAwaited = true;
    // a failure is reported by the contents, which load themselves too
    const loaded = load().catch(() => undefined);
    lastIdle = lastIdle
      .then(() => loaded)
      .then(idle)
      .then(() => {
        if (!isAwaited) return;
        known.add(load);
        setMounted(true);
      });
    return () => {
      isAwaited = false;
    };
  }, [isNear, load]);
  const place = <Skeleton ref={ref} className={className} />;
  return isMounted ? <Suspense fallback={place}>{children}</Suspense> : place;
}
