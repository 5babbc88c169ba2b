import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { copy } from '#shared/copy.ts';
import { failureOf } from '#client/lib/failure.ts';
import { ErrorState } from './query-states.tsx';
import { PageHeader } from './page-header.tsx';
import { Panel } from './panel.tsx';

/** Error page for a page that crashed or that is not available offline, with Retry. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const [isOffline] = useState(() => !navigator.onLine);
  const failure = failureOf(error, copy.unknownError);
  useEffect(() => {
    if (!isOffline) {
      return;
    }
    const retry = (): void => {
      reset();
      void router.invalidate();
    };
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
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
