import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS, WINDOW_DAYS } from '#shared/limits.ts';
import type { HomeData } from './home-data.ts';
import { polled } from '#client/lib/polling.ts';
import { useNotices } from './use-notices.ts';
import { useSend } from '#client/features/order/use-send.ts';
import { useSwaps } from '#client/features/order/use-swaps.ts';
import { useStatus } from './use-status.ts';

/** Home screen data from the server, polled at the specification's intervals. */
export function useLiveHome(viewerId: string): HomeData {
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  return {
    inbox: trpc.pilot.inbox.useQuery(undefined, polled(POLL_MS.inbox)),
    history: trpc.pilot.inbox.useQuery({ includeCompleted: true }, polled(POLL_MS.inbox)),
    accepted: trpc.pilot.accepted.useQuery(undefined, polled(POLL_MS.accepted)),
    stats: trpc.pilot.stats.useQuery(undefined, polled(POLL_MS.stats)),
    window: trpc.availability.window.useQuery({ id: viewerId, days: WINDOW_DAYS.initial }),
    aircraft: aircraft.data ?? [],
    ...useStatus(viewerId),
    ...useNotices(),
    send: useSend(),
    swaps: useSwaps(),
  };
}
