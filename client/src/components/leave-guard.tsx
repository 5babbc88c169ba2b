import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmModal } from './confirm-modal.tsx';

/**
 * Asks before unsaved work is left, by a link of this app or by closing the tab. A way out that says `ignoreBlocker` is not
 * asked about.
 * @param isDirty something here is not saved
 * @param children what, in a sentence
 */
export function LeaveGuard({ isDirty, children }: { isDirty: boolean; children: ReactNode }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
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
