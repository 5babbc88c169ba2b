import { IconAlertTriangle, IconCircleCheck, IconClock, IconHelp, IconX, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { Signal } from '#client/theme/tokens.ts';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { guildCopy } from './guild-text.ts';
import classes from './announcement-state.module.css';

type Announcement = NonNullable<GuildDetailDto['announcement']>;
interface Look {
  signal: Signal;
  icon: TablerIcon;
  /** text before the channel name */
  words: string;
}

const WAITING: Look = { signal: 'cyan', icon: IconClock, words: 'Sending to' };
const LOOKS: Record<Announcement['state'], Look> = {
  queued: WAITING,
  sending: WAITING,
  sent: { signal: 'green', icon: IconCircleCheck, words: 'Sent to' },
  failed: { signal: 'red', icon: IconAlertTriangle, words: 'Not sent to' },
  uncertain: { signal: 'yellow', icon: IconHelp, words: 'May have been sent to' },
  cancelled: { signal: 'gray', icon: IconX, words: 'Cancelled, not sent to' },
};

interface AnnouncementStateProps {
  announcement: Announcement | null;
  /** button for an uncertain post */
  action: ReactNode;
}

/** Delivery state of the latest announcement: `Sent to #ops · Nov 22 1905Z 2005L`. */
export function AnnouncementState({ announcement, action }: AnnouncementStateProps) {
  if (announcement === null) {
    return <p className={classes.none}>{guildCopy.notAnnounced}</p>;
  }
  const { state, channelId, channelName, errorMessage, updatedAt } = announcement;
  const { signal, icon: Icon, words } = LOOKS[state];
  const color = signal === 'gray' ? undefined : `var(--${signal}-text)`;
  return (
    <div className={classes.state}>
      <p className={classes.line} data-state={state}>
        <Icon size={20} aria-hidden="true" color={color} />
        <span>
          <span style={{ color }}>
            {words} {channelName === null ? (channelId ?? 'a deleted channel') : `#${channelName}`}
          </span>{' '}
          <span className={classes.time}>
            · <ZTime iso={updatedAt} withDate copyable={false} />
          </span>
          {errorMessage !== null && <span className={classes.reason}>{errorMessage}</span>}
        </span>
      </p>
      {state === 'uncertain' && action}
    </div>
  );
}
