import { dateShift, formatLocal, formatZulu, localDate } from '#shared/clock.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { DateMark } from '#client/components/date-mark.tsx';
import classes from './z-span.module.css';

interface ZSpanProps {
  /** ISO instant, like `end` */
  start: string;
  end: string;
  /** time zone of the `L` times */
  timeZone: string;
}

/** Time span in Zulu and local time: `1900–2200Z 2000–2300L`. `+1` and `−1` mark a different date. */
export function ZSpan({ start, end, timeZone }: ZSpanProps) {
  const shift = dateShift(start, timeZone);
  return (
    <span className={classes.span} title={`${formatShortDate(start, timeZone)}, ${timeZone}`}>
      <span className={classes.zulu}>
        {formatZulu(start).slice(0, -1)}–{formatZulu(end)}
      </span>{' '}
      <span className={classes.local}>
        {formatLocal(start, timeZone).slice(0, -1)}
        <DateMark shift={shift} title={shift > 0 ? 'local date is the next day' : 'local date is the day before'} />–
        {formatLocal(end, timeZone)}
        <DateMark
          shift={localDate(end, timeZone) === localDate(start, timeZone) ? 0 : 1}
          title="ends on the next day"
        />
      </span>
    </span>
  );
}
