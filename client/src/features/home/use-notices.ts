import { useState } from 'react';
import type { Loadable } from '#client/components/loaded.tsx';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { NoticeDto } from '#shared/schemas/notices.ts';
import { homeCopy } from './home-text.ts';
import { polled } from '#client/lib/polling.ts';

/** The viewer's notices. A dismissed notice disappears at once and returns if the call fails. */
export function useNotices(): { notices: Loadable<NoticeDto[]>; closeNotice: (orderId: string) => void } {
  const utils = trpc.useUtils();
  const query = trpc.pilot.notices.useQuery(undefined, polled(POLL_MS.inbox));
  const close = trpc.pilot.closeNotice.useMutation();
  const [closing, setClosing] = useState<readonly string[]>([]);

  const closeNotice = async (orderId: string): Promise<void> => {
    setClosing((ids) => [...ids, orderId]);
    // A running poll would bring it back.
    await utils.pilot.notices.cancel();
    try {
      await close.mutateAsync({ id: orderId });
      utils.pilot.notices.setData(undefined, (notices) => notices?.filter((notice) => notice.orderId !== orderId));
    } catch (cause) {
      showFailure(cause, homeCopy.noticeFailed);
    } finally {
      setClosing((ids) => ids.filter((id) => id !== orderId));
      void utils.pilot.notices.invalidate();
    }
  };

  return {
    notices: { ...query, data: query.data?.filter(({ orderId }) => !closing.includes(orderId)) },
    closeNotice: (orderId) => void closeNotice(orderId),
  };
}
