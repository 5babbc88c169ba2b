import { formatDay, formatTime } from '#shared/clock.ts';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { formatDuration } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import classes from './day-date.module.css';

/** Date in the reader's zone: `Jul 24, 2026`; the time is in the tooltip. */
export function DayDate({ iso }: { iso: string }) {
  const timeZone = useReaderZone();
  return (
    <time dateTime={iso} className={classes.day} title={formatTime(iso, timeZone)}>
      {formatDay(iso, timeZone)}
    </time>
  );
}

/** Date with its age: `Nov 21, 2026 · 2 min ago`. */
export function SeenDate({ iso }: { iso: string }) {
  const ago = Math.max(0, useNow().getTime() - Date.parse(iso));
  return (
    <span>
      <DayDate iso={iso} /> <span className={classes.ago}>{formatDuration(ago)} ago</span>
    </span>
  );
}
