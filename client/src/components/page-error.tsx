import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { copy } from '#shared/copy.ts';
import { failureOf } from '#client/lib/failure.ts';
import { ErrorState } from './query-states.tsx';
import { PageHeader } from './page-header.tsx';
import { Panel } from './panel.tsx';

/** Pause between two attempts to open a page that was not available offline. */
const RETRY_MS = 2_000;

/** Error page for a page that crashed or that is not available offline, with Retry. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const [isOffline] = useState(() => !navigator.onLine);
  const failure = failureOf(error, copy.unknownError);
  useEffect(() => {
    if (!isOffline) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    // The device may be on a network that cannot reach the server yet, so this repeats until the page has loaded.
    const retry = async (): Promise<void> => {
      clearTimeout(timer);
      reset();
      await router.invalidate();
      if (!isOver) timer = setTimeout(() => void (navigator.onLine && retry()), RETRY_MS);
    };
    const onOnline = (): void => void retry();
    addEventListener('online', onOnline);
    return () => {
      isOver = true;
      removeEventListener('online', onOnline);
      clearTimeout(timer);
    };
  }, [isOffline, reset, router]);

  return (
    <>
      <PageHeader title={isOffline ? 'Not loaded yet' : 'Something went wrong'} />
      <Panel title={isOffline ? 'Offline' : 'Error'}>
        <ErrorState
          message={
            isOffline
              ? "You are offline, and this page has not been loaded before. It will open when you're back online."
              : failure.sentence
          }
          way={isOffline ? null : failure.way}
          onRetry={() => {
            reset();
            void router.invalidate();
          }}
        />
      </Panel>
    </>
  );
}
