import { IconMailQuestion, IconUserQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { BotNotice, BotNotices } from '#client/domain-ui/bot-notice.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import { count } from '#shared/plural.ts';

/** Notices while accounts wait for approval, and while requests of visitors wait for an answer. */
export function WaitingNotice() {
  const { data } = trpc.admin.community.waiting.useQuery(undefined, { staleTime: POLL_MS.inbox });
  const requests = trpc.admin.community.requests.useQuery(undefined, { staleTime: POLL_MS.inbox });
  const waiting = data?.waiting ?? 0;
  const asked = requests.data?.waiting ?? 0;
  return (
    <BotNotices>
      {waiting > 0 && (
        <BotNotice
          icon={<IconUserQuestion size={20} aria-hidden="true" />}
          what={
            <Link to="/admin/invites">
              {count(waiting, 'account')} {waiting === 1 ? 'waits' : 'wait'} for approval
            </Link>
          }
        >
          They can fly once you approve.
        </BotNotice>
      )}
      {asked > 0 && (
        <BotNotice
          icon={<IconMailQuestion size={20} aria-hidden="true" />}
          what={
            <Link to="/admin/invites">
              {count(asked, 'visitor')} {asked === 1 ? 'asks' : 'ask'} for a slot
            </Link>
          }
        >
          Answer with an invite.
        </BotNotice>
      )}
    </BotNotices>
  );
}
