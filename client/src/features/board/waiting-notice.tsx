import { IconUserQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { BotNotice, BotNotices } from '#client/domain-ui/bot-notice.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import { countOf } from './board-text.ts';

/** Notice while accounts wait for approval. */
export function WaitingNotice() {
  const { data } = trpc.admin.community.waiting.useQuery(undefined, { staleTime: POLL_MS.inbox });
  const waiting = data?.waiting ?? 0;
  return (
    <BotNotices>
      {waiting > 0 && (
        <BotNotice
          icon={<IconUserQuestion size={20} stroke={1.75} aria-hidden="true" />}
          what={
            <Link to="/admin/invites">
              {countOf(waiting, 'account')} {waiting === 1 ? 'waits' : 'wait'} for approval
            </Link>
          }
        >
          They can fly once you approve.
        </BotNotice>
      )}
    </BotNotices>
  );
}
