import { DateMark } from '#client/components/date-mark.tsx';
import { dateShift, formatLocal, formatZulu, localDate } from '#shared/clock.ts';
import classes from './time-span.module.css';

interface TimeSpanProps {
  /** ISO instant or Date, like `end` */
  start: string | Date;
  end: string | Date;
  /** time zone of the `L` times */
  timeZone: string;
}

/** Time span in local time and Zulu: `1900–0200L +1  1800–0100Z`. `+1` and `−1` mark a different date. */
export function TimeSpan({ start, end, timeZone }: TimeSpanProps) {
  const shift = dateShift(start, timeZone);
  return (
    <span className={classes.span}>
      <span className={classes.local}>
        {formatLocal(start, timeZone).slice(0, -1)}–{formatLocal(end, timeZone)}
        <DateMark
          shift={localDate(end, timeZone) === localDate(start, timeZone) ? 0 : 1}
          title="ends on the next day"
        />
      </span>{' '}
      <span className={classes.zulu}>
        {formatZulu(start).slice(0, -1)}–{formatZulu(end)}
        <DateMark
          shift={shift === 0 ? 0 : shift > 0 ? -1 : 1}
          title={shift > 0 ? 'starts on the day before in Zulu' : 'starts on the next day in Zulu'}
        />
      </span>
    </span>
  );
}
