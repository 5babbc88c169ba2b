import { IconEyeOff, IconPlugConnectedX } from '@tabler/icons-react';
import { BotNotice, BotNotices, BotOffline } from '#client/domain-ui/bot-notice.tsx';
import type { BotStatusDto } from '#shared/schemas/discord.ts';
import { guildCopy } from './guild-text.ts';

interface GuildNoticesProps {
  bot: BotStatusDto | undefined;
  /** whose members are meant, e.g. `in this server` */
  where: string;
}

/** Why what stands on the page may not be so any more, or never was all of it. */
export function GuildNotices({ bot, where }: GuildNoticesProps) {
  return (
    <BotNotices>
      {bot?.state === 'off' && (
        <BotNotice
          icon={<IconPlugConnectedX size={20} stroke={1.75} aria-hidden="true" />}
          what="Discord is not configured."
        >
          {guildCopy.howToConfigure}
        </BotNotice>
      )}
      {bot?.state === 'offline' && <BotOffline bot={bot}>{guildCopy.asLastSeen}</BotOffline>}
      {bot?.hasMembersIntent === false && (
        <BotNotice icon={<IconEyeOff size={20} stroke={1.75} aria-hidden="true" />} what={guildCopy.intentOff}>
          Discord doesn't say who is {where}. {guildCopy.howToSeeMembers}
        </BotNotice>
      )}
    </BotNotices>
  );
}
