import { useQueryClient } from '@tanstack/react-query';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { lastLoadedAt, useTrouble, type Trouble } from '#client/lib/connection.ts';
import { useServiceWorker } from '#client/lib/service-worker.ts';
import { useKept, useKeptByAnyone } from '#client/lib/kept.ts';
import { useViewer } from '#client/lib/session.ts';
import { count, nounOf } from '#shared/plural.ts';
import { formatZulu } from '#shared/clock.ts';
import { KeptNotice } from './kept-notice.tsx';
import { NewSignInNotice } from './new-sign-in-notice.tsx';
import { LeavingNotice } from './leaving-notice.tsx';
import { SignOutNotice } from './sign-out-notice.tsx';
import classes from './offline-banner.module.css';

/**
 * Sentences for connection trouble.
 * @param loadedAt when data was last loaded; null for never
 * @param waiting the number of answers, with the week, that wait on this device
 */
function describeTrouble(trouble: Exclude<Trouble, null>, loadedAt: Date | null, waiting: number): string {
  const isOffline = trouble === 'offline';
  const nothing = isOffline ? 'Nothing has been loaded yet.' : '';
  return [
    isOffline ? 'You are offline.' : "Marshal isn't responding. Trying again.",
    loadedAt === null ? nothing : `What you see was loaded at ${formatZulu(loadedAt)}.`,
    waiting === 0
      ? 'Answers are kept on this device and sent'
      : `${count(waiting, 'change')} of yours ${nounOf(waiting, 'is', 'are')} kept on this device and sent`,
    isOffline ? "when you're back online." : 'once it responds.',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** How much waits on this device: for the viewer, or, as long as nobody is known, for anyone. */
function useWaiting(): number {
  const viewer = useViewer();
  const own = useKept(viewer?.id ?? '').filter(({ refused }) => refused === undefined).length;
  const all = useKeptByAnyone();
  return viewer === null ? all : own;
}

/** Banner below the header while there is no connection, with the age of the data. A permanent live region announces it. */
export function OfflineBanner() {
  const client = useQueryClient();
  const trouble = useTrouble();
  const waiting = useWaiting();
  // Registered here, because this component is on every page and loads after it.
  useServiceWorker();
  return (
    <div className={classes.region}>
      <SignOutNotice />
      <KeptNotice trouble={trouble} />
      <LeavingNotice />
      <NewSignInNotice />
      <div role="status">
        {trouble !== null && (
          <p className={classes.banner}>
            <IconPlugConnectedX size={20} aria-hidden="true" />
            <span>{describeTrouble(trouble, lastLoadedAt(client), waiting)}</span>
          </p>
        )}
      </div>
    </div>
  );
}
