import { Link } from '@tanstack/react-router';
import { BotDisconnected, BotNotices } from '#client/domain-ui/bot-notice.tsx';
import { useBot } from '#client/lib/use-bot.ts';

/** Notice while the configured Discord bot is not connected, or not to all servers. */
export function OfflineBot() {
  const bot = useBot();
  return (
    <BotNotices>
      <BotDisconnected bot={bot}>
        <Link to="/admin/discord/guilds">Discord Guilds</Link>
      </BotDisconnected>
    </BotNotices>
  );
}
