import { IconEyeOff, IconPlugConnectedX } from '@tabler/icons-react';
import { BotDisconnected, BotNotice, BotNotices } from '#client/domain-ui/bot-notice.tsx';
import type { BotStatusDto } from '#shared/schemas/discord.ts';
import { guildCopy } from './guild-text.ts';

interface GuildNoticesProps {
  bot: BotStatusDto | undefined;
  /** completes the sentence about members, e.g. `in this server` */
  where: string;
  /** the page shows something, which is saved data while the bot is not connected */
  hasData: boolean;
}

/** Notices that explain why the page may show outdated or incomplete data. */
export function GuildNotices({ bot, where, hasData }: GuildNoticesProps) {
  return (
    <BotNotices>
      {bot?.state === 'off' && (
        <BotNotice icon={<IconPlugConnectedX size={20} aria-hidden="true" />} what="Discord is not configured.">
          {hasData && `${guildCopy.asLastSeen} `}
          {guildCopy.howToConfigure}
        </BotNotice>
      )}
      <BotDisconnected bot={bot}>{hasData && guildCopy.asLastSeen}</BotDisconnected>
      {bot?.hasMembersIntent === false && (
        <BotNotice icon={<IconEyeOff size={20} aria-hidden="true" />} what={guildCopy.intentOff}>
          Discord doesn't say who is {where}. {guildCopy.howToSeeMembers}
        </BotNotice>
      )}
    </BotNotices>
  );
}
