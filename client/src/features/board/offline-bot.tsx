import { Link } from '@tanstack/react-router';
import { BotNotices, BotOffline } from '#client/domain-ui/bot-notice.tsx';
import { useBot } from '#client/lib/use-bot.ts';

/** One line while a bot is configured and not connected: what Discord's members do does not arrive. */
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
