import { useCallback } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';
import { timesInput, type TimesAsk } from './times-ask.ts';

/** Prefetches a day's missions and recommended times on hover or focus of its tile. */
export function usePrefetchDay(timeZone: string, ask: TimesAsk): (date: string) => void {
  const { admin } = trpc.useUtils();
  return useCallback(
    (date) => {
      const fresh = { staleTime: BOARD_REFRESH_MS };
      void admin.missionsByDate.prefetch({ date, tz: timeZone }, fresh);
      void admin.dashboard.recommendedTimes.prefetch(timesInput(date, timeZone, ask), fresh);
    },
    [admin, timeZone, ask],
  );
}
