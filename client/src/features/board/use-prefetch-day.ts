import { useCallback } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import { RECOMMENDATIONS, RECOMMENDED_MINUTES } from '#shared/limits.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';

/** Prefetches a day's missions and recommended times on hover or focus of its tile. */
export function usePrefetchDay(timeZone: string): (date: string) => void {
  const { admin } = trpc.useUtils();
  return useCallback(
    (date) => {
      const fresh = { staleTime: BOARD_REFRESH_MS };
      void admin.missionsByDate.prefetch({ date, tz: timeZone }, fresh);
      void admin.dashboard.recommendedTimes.prefetch(
        { date, tz: timeZone, minDuration: RECOMMENDED_MINUTES.initial, limit: RECOMMENDATIONS.initial },
        fresh,
      );
    },
    [admin, timeZone],
  );
}
