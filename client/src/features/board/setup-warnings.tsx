import { IconAlertTriangle } from '@tabler/icons-react';
import { BotNotice, BotNotices } from '#client/domain-ui/bot-notice.tsx';
import { CACHE_STALE_MS } from '#shared/limits.ts';
import { trpc } from '#client/lib/trpc.ts';

/** Warnings about settings and background work for admins, one line each. */
export function SetupWarnings() {
  const { data } = trpc.admin.warnings.useQuery(undefined, { staleTime: CACHE_STALE_MS });
  return (
    <BotNotices>
      {data?.warnings.map((sentence) => (
        <BotNotice
          key={sentence}
          icon={<IconAlertTriangle size={20} aria-hidden="true" />}
          what="Please check the server."
        >
          {sentence}
        </BotNotice>
      ))}
    </BotNotices>
  );
}
