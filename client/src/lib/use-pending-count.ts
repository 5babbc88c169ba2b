import { POLL_MS } from '#shared/limits.ts';
import type { Viewer } from './session.ts';
import { trpc } from './trpc.ts';

/**
 * How many frag orders wait for an answer, asked every 30 s while the tab is seen.
 * @param viewer whose inbox; null, and anybody who is no pilot, has none and asks nothing
 */
export function usePendingCount(viewer: Viewer | null): number {
  const enabled = viewer?.roles.includes('user') ?? false;
  const { data } = trpc.pilot.inboxStatus.useQuery(undefined, {
    enabled,
    refetchInterval: POLL_MS.inbox,
    staleTime: POLL_MS.inbox,
  });
  return enabled ? (data?.pendingCount ?? 0) : 0;
}
