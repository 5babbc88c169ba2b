import { useQueryClient } from '@tanstack/react-query';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { lastLoadedAt, useTrouble, type Trouble } from '#client/lib/connection.ts';
import { useServiceWorker } from '#client/lib/service-worker.ts';
import { formatZulu } from '#shared/clock.ts';
import { SignOutNotice } from './sign-out-notice.tsx';
import classes from './offline-banner.module.css';

/** The sentence of a trouble. @param loadedAt when the newest thing on the page was loaded; null for nothing */
function describeTrouble(trouble: Exclude<Trouble, null>, loadedAt: Date | null): string {
  const loaded = loadedAt === null ? '' : `What you see was loaded at ${formatZulu(loadedAt)}`;
  if (trouble === 'silent') {
    return `Marshal isn't responding. Trying again.${loaded === '' ? '' : ` ${loaded}.`}`;
  }
  return loaded === ''
    ? 'You are offline. Nothing has been loaded yet; answers cannot be sent.'
    : `You are offline. ${loaded}; answers cannot be sent.`;
}

/** Says under the header when the page has lost its server, and how old it is. The region stays, so that it is read out. */
export function OfflineBanner() {
  const client = useQueryClient();
  const trouble = useTrouble();
  // Here, because this comes after every page and stands on all of them.
  useServiceWorker();
  return (
    <div className={classes.region}>
      <SignOutNotice />
      <div role="status">
        {trouble !== null && (
          <p className={classes.banner}>
            <IconPlugConnectedX size={20} stroke={1.75} aria-hidden="true" />
            <span>{describeTrouble(trouble, lastLoadedAt(client))}</span>
          </p>
        )}
      </div>
    </div>
  );
}
