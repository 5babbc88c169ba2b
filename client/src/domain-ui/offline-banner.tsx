import { useQueryClient } from '@tanstack/react-query';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { lastLoadedAt, useTrouble, type Trouble } from '#client/lib/connection.ts';
import { useServiceWorker } from '#client/lib/service-worker.ts';
import { formatZulu } from '#shared/clock.ts';
import { NewSignInNotice } from './new-sign-in-notice.tsx';
import { LeavingNotice } from './leaving-notice.tsx';
import { SignOutNotice } from './sign-out-notice.tsx';
import classes from './offline-banner.module.css';

/** Sentence for connection trouble. @param loadedAt when data was last loaded; null for never */
function describeTrouble(trouble: Exclude<Trouble, null>, loadedAt: Date | null): string {
  const loaded = loadedAt === null ? '' : `What you see was loaded at ${formatZulu(loadedAt)}`;
  if (trouble === 'silent') {
    return `Marshal isn't responding. Trying again.${loaded === '' ? '' : ` ${loaded}.`}`;
  }
  return loaded === ''
    ? 'You are offline. Nothing has been loaded yet, and answers cannot be sent.'
    : `You are offline. ${loaded}, and answers cannot be sent.`;
}

/** Banner below the header while there is no connection, with the age of the data. A permanent live region announces it. */
export function OfflineBanner() {
  const client = useQueryClient();
  const trouble = useTrouble();
  // Registered here, because this component is on every page and loads after it.
  useServiceWorker();
  return (
    <div className={classes.region}>
      <SignOutNotice />
      <LeavingNotice />
      <NewSignInNotice />
      <div role="status">
        {trouble !== null && (
          <p className={classes.banner}>
            <IconPlugConnectedX size={20} aria-hidden="true" />
            <span>{describeTrouble(trouble, lastLoadedAt(client))}</span>
          </p>
        )}
      </div>
    </div>
  );
}
