import { useBlocker } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { ConfirmModal } from './confirm-modal.tsx';

interface LeaveGuardProps {
  isDirty: boolean;
  bySearch?: boolean;
  children: ReactNode;
}

/**
 * Asks for confirmation before unsaved changes are lost by navigation or by closing the tab. A navigation with
 * `ignoreBlocker` passes without a question.
 * @param isDirty true if there are unsaved changes
 * @param bySearch true if a change of search parameters counts as leaving
 * @param children sentence that names the unsaved changes
 */
export function LeaveGuard({ isDirty, bySearch = false, children }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      (current.pathname !== next.pathname ||
        (bySearch && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  // A save that was still under way has ended meanwhile. The page stays, because it may show the result of that save.
  const isMoot = blocker.status === 'blocked' && !isDirty;
  useEffect(() => {
    if (isMoot) blocker.reset?.();
  }, [isMoot, blocker]);
  return (
    <ConfirmModal
      opened={blocker.status === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      signal="red"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {children}
    </ConfirmModal>
  );
}
