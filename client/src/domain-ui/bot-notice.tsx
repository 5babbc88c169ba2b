import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { BotStatusDto } from '#shared/schemas/discord.ts';
import { ZTime } from './z-time.tsx';
import classes from './bot-notice.module.css';

/** Where the lines stand. It stays when there are none, so that a new one is read out. */
export function BotNotices({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={classes.notices}>
      {children}
    </div>
  );
}

interface BotNoticeProps {
  icon: ReactNode;
  /** in few words */
  what: ReactNode;
  children: ReactNode;
}

/** One thing that keeps what is shown of Discord from being true. */
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

/** `Bot offline since Nov 22 1905Z 2005L.`, why if it says so, and what that means here. */
export function BotOffline({ bot: { since, problem }, children }: { bot: BotStatusDto; children?: ReactNode }) {
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
    <BotNotice icon={<IconPlugConnectedX size={20} stroke={1.75} aria-hidden="true" />} what={what}>
      {reason !== null && `${reason} `}
      {children}
    </BotNotice>
  );
}
