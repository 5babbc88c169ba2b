import { errorCode } from '#client/lib/errors.ts';
import { showFailure } from '#client/lib/failure.ts';
import { useMergeViewer, useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { LeaveDto } from '#shared/schemas/leave.ts';
import { leaveCopy } from './leave-text.ts';

/** Shows a pilot's leave as it is now, everywhere: in the lists of admins, and for the viewer's own account. */
export function useStoreLeave(userId: string): (leave: LeaveDto | null) => Promise<void> {
  const utils = trpc.useUtils();
  const mergeViewer = useMergeViewer();
  return async (leave) => {
    utils.availability.leave.setData({ id: userId }, leave);
    mergeViewer({ id: userId, leave });
    void utils.availability.window.invalidate();
    void utils.pilot.status.invalidate();
    void utils.admin.pilot.invalidate();
    void utils.admin.audit.invalidate();
    await utils.admin.users.invalidate();
  };
}

/** A pilot's leave. The viewer's own is known before the call. */
export function useLeave(userId: string): LeaveDto | null {
  const viewer = useSignedInViewer();
  const isOwn = viewer.id === userId;
  const { data } = trpc.availability.leave.useQuery(
    { id: userId },
    { ...(isOwn && { placeholderData: viewer.leave }), staleTime: 60_000 },
  );
  return data ?? null;
}

/** Reads a pilot's leave again, and shows it everywhere. */
export function useRereadLeave(userId: string): () => Promise<LeaveDto | null> {
  const utils = trpc.useUtils();
  const store = useStoreLeave(userId);
  return async () => {
    const leave = await utils.availability.leave.fetch({ id: userId }, { staleTime: 0 });
    await store(leave);
    return leave;
  };
}

/**
 * Ends a pilot's leave.
 * @param onEnded called once it is over, and when it was changed elsewhere and is still on
 */
export function useEndLeave(userId: string, onEnded?: () => void) {
  const store = useStoreLeave(userId);
  const reread = useRereadLeave(userId);
  return trpc.availability.endLeave.useMutation({
    onSuccess: async () => {
      await store(null);
      showToast(leaveCopy.ended);
      onEnded?.();
    },
    onError: async (cause) => {
      const isChanged = errorCode(cause) === 'CHANGED';
      if (isChanged) showToast(leaveCopy.changedMeanwhile, { signal: 'red' });
      else showFailure(cause, leaveCopy.endFailed);
      if (!isChanged) return;
      await reread();
      onEnded?.();
    },
  });
}
