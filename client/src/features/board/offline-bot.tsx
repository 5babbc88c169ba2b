import { Link } from '@tanstack/react-router';
import { BotNotices, BotOffline } from '#client/domain-ui/bot-notice.tsx';
import { useBot } from '#client/lib/use-bot.ts';

/** Notice while the configured Discord bot is not connected. */
export function OfflineBot() {
  const bot = useBot();
  return (
    <BotNotices>
      {bot?.state === 'offline' && (
        <BotOffline bot={bot}>
          <Link to="/admin/discord/guilds">Discord Guilds</Link>
        </BotOffline>
      )}
    </BotNotices>
  );
}
