import { IconBrandDiscord } from '@tabler/icons-react';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { dateShift, formatLocal, formatZulu, isZuluZone } from '#shared/clock.ts';
import { discordTimestamp, formatShortDate } from '#client/lib/time.ts';
import { CopyButton } from '#client/components/copy-button.tsx';
import { DateMark } from '#client/components/date-mark.tsx';
import classes from './z-time.module.css';

interface ZTimeProps {
  /** ISO instant */
  iso: string;
  /** time zone of the `L` time; by default the reader's */
  timeZone?: string;
  /** also shows the Zulu date */
  withDate?: boolean;
  /** shows a button that copies the Discord timestamp */
  copyable?: boolean;
}

/** Instant in Zulu and local time: `1905Z 2005L`, with `+1` or `−1` when the local date differs; only Zulu in UTC. */
export function ZTime({ iso, timeZone, withDate = false, copyable = true }: ZTimeProps) {
  const readerZone = useReaderZone();
  const zone = timeZone ?? readerZone;
  return (
    <span className={classes.line}>
      <time dateTime={iso} className={classes.time} title={`${formatShortDate(iso, zone)}, ${zone}`}>
        {withDate && <span className={classes.date}>{formatShortDate(iso, 'UTC')} </span>}
        <span className={classes.zulu}>{formatZulu(iso)}</span>
        {!isZuluZone(zone) && (
          <>
            {' '}
            <span className={classes.local}>{formatLocal(iso, zone)}</span>
            <DateMark shift={dateShift(iso, zone)} />
          </>
        )}
      </time>
      {copyable && (
        <CopyButton
          text={discordTimestamp(iso)}
          label={`Copy Discord timestamp of ${formatZulu(iso)}`}
          copiedLabel="Discord timestamp copied"
          icon={IconBrandDiscord}
        />
      )}
    </span>
  );
}
