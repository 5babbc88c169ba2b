import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { BotStatusDto } from '#shared/schemas/discord.ts';
import { ZTime } from './z-time.tsx';
import classes from './bot-notice.module.css';

/** Live region for notices about the Discord bot. It exists even when empty, so that a new notice is announced. */
export function BotNotices({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={classes.notices}>
      {children}
    </div>
  );
}

interface BotNoticeProps {
  icon: ReactNode;
  /** short summary */
  what: ReactNode;
  children: ReactNode;
}

/** Notice about a problem that can make the data on the Discord pages outdated. */
export function BotNotice({ icon, what, children }: BotNoticeProps) {
  return (
    <p className={classes.notice}>
      {icon}
      <span>
        <strong>{what}</strong> {children}
      </span>
    </p>
  );
}

/** Notice while the configured bot is offline or not connected to all servers, with the consequence (`children`). */
export function BotDisconnected({ bot, children }: { bot: BotStatusDto | undefined; children?: ReactNode }) {
  if (bot?.state === 'offline') return <BotOffline bot={bot}>{children}</BotOffline>;
  if (bot?.state !== 'online' || bot.problem === null) return null;
  return (
    <BotNotice icon={<IconPlugConnectedX size={20} aria-hidden="true" />} what="Bot not connected to all servers.">
      {bot.problem} {children}
    </BotNotice>
  );
}

/** `Bot offline since Nov 22 1905Z 2005L.`, with the reason and the consequence (`children`). */
function BotOffline({ bot: { since, problem }, children }: { bot: BotStatusDto; children?: ReactNode }) {
  const reason = problem ?? (since === null ? 'It has not connected to Discord yet.' : null);
  const what =
    since === null ? (
      'Bot offline.'
    ) : (
      <>
        Bot offline since <ZTime iso={since} withDate copyable={false} />.
      </>
    );
  return (
    <BotNotice icon={<IconPlugConnectedX size={20} aria-hidden="true" />} what={what}>
      {reason !== null && `${reason} `}
      {children}
    </BotNotice>
  );
}
