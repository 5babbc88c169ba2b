import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { finishSignOut, useSignOutPending } from '#client/lib/sign-out.ts';
import { showToast } from '#client/lib/toast.ts';
import classes from './offline-banner.module.css';

/** Back-off between automatic retries, ms, doubling each time; after `times` retries only the button retries. */
const RETRY = { firstMs: 2_000, longestMs: 60_000, times: 10 } as const;

/** Notice on every page that a sign-out has not reached the server yet, with retries. */
export function SignOutNotice() {
  return useSignOutPending() ? <PendingSignOut /> : null;
}

function PendingSignOut() {
  const [tries, setTries] = useState(0);
  const [isTrying, setTrying] = useState(false);
  const retry = useCallback(async (): Promise<void> => {
    setTrying(true);
    const isDone = await finishSignOut();
    if (isDone) {
      showToast('You are signed out.');
      return;
    }
    setTrying(false);
    setTries((before) => before + 1);
  }, []);
  useEffect(() => {
    if (isTrying) {
      return;
    }
    const again = (): void => void retry();
    const wait = Math.min(RETRY.longestMs, RETRY.firstMs * 2 ** tries);
    const timer = tries < RETRY.times ? setTimeout(again, wait) : undefined;
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [tries, isTrying, retry]);
  return (
    <div role="alert" className={classes.banner}>
      <IconPlugConnectedX size={20} aria-hidden="true" />
      <span>
        You are not signed out yet: Marshal could not be reached, and your session on this device is still open.
        {tries < RETRY.times && ' Trying again.'}
      </span>
      <Button variant="default" size="compact-sm" loading={isTrying} onClick={() => void retry()}>
        Try again
      </Button>
    </div>
  );
}
