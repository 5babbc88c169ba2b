import { dateShift, dateShiftMark, formatLocal, formatZulu, localDate } from '#client/lib/time.ts';
import classes from './time-span.module.css';

interface TimeSpanProps {
  /** ISO instant or Date, like `end` */
  start: string | Date;
  end: string | Date;
  /** zone of the `L` times */
  timeZone: string;
}

/** `1900–0200L +1  1800–0100Z`: a span on a wall in a zone, and in Zulu. The marks name the date of each end. */
export function TimeSpan({ start, end, timeZone }: TimeSpanProps) {
  const shift = dateShift(start, timeZone);
  return (
    <span className={classes.span}>
      <span className={classes.local}>
        {formatLocal(start, timeZone).slice(0, -1)}–{formatLocal(end, timeZone)}
        {localDate(end, timeZone) !== localDate(start, timeZone) && (
          <sup className={classes.mark} title="ends on the next day">
            +1
          </sup>
        )}
      </span>{' '}
      <span className={classes.zulu}>
        {formatZulu(start).slice(0, -1)}–{formatZulu(end)}
        {shift !== 0 && (
          <sup
            className={classes.mark}
            title={shift > 0 ? 'starts on the day before in Zulu' : 'starts on the next day in Zulu'}
          >
            {dateShiftMark(shift > 0 ? -1 : 1)}
          </sup>
        )}
      </span>
    </span>
  );
}
