import { POLL_MS } from '#shared/limits.ts';
import { polled } from './polling.ts';
import type { Viewer } from './session.ts';
import { trpc } from './trpc.ts';

/**
 * Number of frag orders that wait for an answer, polled every 30 s while the tab is visible.
 * @param viewer owner of the inbox; makes no call for null or for anybody who is not a pilot
 */
export function usePendingCount(viewer: Viewer | null): number {
  const enabled = viewer?.roles.includes('user') ?? false;
  const { data } = trpc.pilot.inboxStatus.useQuery(undefined, {
    enabled,
    ...polled(POLL_MS.inbox),
  });
  return enabled ? (data?.pendingCount ?? 0) : 0;
}
