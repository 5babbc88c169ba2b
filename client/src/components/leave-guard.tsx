import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmModal } from './confirm-modal.tsx';

interface LeaveGuardProps {
  isDirty: boolean;
  bySearch?: boolean;
  children: ReactNode;
}

/**
 * Asks before unsaved work is left, by a link of this app or by closing the tab. A way out that says `ignoreBlocker` is not
 * asked about.
 * @param isDirty something here is not saved
 * @param bySearch another search in the address leaves it too
 * @param children what, in a sentence
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
