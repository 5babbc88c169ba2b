import { IconBrandDiscord } from '@tabler/icons-react';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { dateShift, formatLocal, formatZulu } from '#shared/clock.ts';
import { discordTimestamp, formatShortDate } from '#client/lib/time.ts';
import { CopyButton } from '#client/components/copy-button.tsx';
import { DateMark } from '#client/components/date-mark.tsx';
import classes from './z-time.module.css';

interface ZTimeProps {
  /** ISO instant */
  iso: string;
  /** zone of the `L` time; the viewer's profile zone by default, UTC when signed out */
  timeZone?: string;
  /** show the Zulu date too; the mark counts from it */
  withDate?: boolean;
  /** offer the Discord timestamp */
  copyable?: boolean;
}

/** `1905Z 2005L`: an instant in Zulu and in the reader's zone, with `+1` when the local date is another one. */
export function ZTime({ iso, timeZone, withDate = false, copyable = true }: ZTimeProps) {
  const readerZone = useReaderZone();
  const zone = timeZone ?? readerZone;
  const shift = dateShift(iso, zone);
  return (
    <span className={classes.line}>
      <time dateTime={iso} className={classes.time} title={`${formatShortDate(iso, zone)}, ${zone}`}>
        {withDate && <span className={classes.date}>{formatShortDate(iso, 'UTC')} </span>}
        <span className={classes.zulu}>{formatZulu(iso)}</span>{' '}
        <span className={classes.local}>{formatLocal(iso, zone)}</span>
        <DateMark shift={shift} title={shift > 0 ? 'local date is the next day' : 'local date is the day before'} />
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
