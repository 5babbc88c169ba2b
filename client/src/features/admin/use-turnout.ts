import { useEffect, useState } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';

/** So long the board keeps still for the alerts above it: they would push it down under the reader's eyes. */
const WAIT_MS = 800;

/** @returns the missions that are short of pilots, and whether the board may be shown */
export function useTurnout() {
  const turnout = trpc.admin.dashboard.turnout.useQuery(undefined, {
    refetchInterval: BOARD_REFRESH_MS,
    staleTime: BOARD_REFRESH_MS,
  });
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return { turnout, isReady: !turnout.isPending || hasWaited };
}
