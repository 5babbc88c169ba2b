import { clockSpan, formatDate, type ClockPart } from '#shared/clock.ts';
import { DateMark } from '#client/components/date-mark.tsx';
import classes from './z-span.module.css';

interface ZSpanProps {
  /** ISO instant or Date, like `end` */
  start: string | Date;
  end: string | Date;
  /** time zone of the `L` times */
  timeZone: string;
  /** the date that is shown with the span, `YYYY-MM-DD`; by default the Zulu date of the start */
  date?: string;
}

/** Time span in Zulu and local time: `1900–2200Z 2000–2300L`. `+1` and `−1` mark times on another date. */
export function ZSpan({ start, end, timeZone, date }: ZSpanProps) {
  const { zulu, local } = clockSpan(start, end, timeZone, date);
  return (
    <span className={classes.span} title={`${formatDate(start, timeZone)}, ${timeZone}`}>
      <Half className={classes.zulu} parts={zulu} />
      {local !== null && (
        <>
          {' '}
          <Half className={classes.local} parts={local} />
        </>
      )}
    </span>
  );
}

function Half({ parts: [start, end], className }: { parts: readonly [ClockPart, ClockPart]; className?: string }) {
  return (
    <span className={className}>
      {start.text}
      <DateMark shift={start.shift} />–{end.text}
      <DateMark shift={end.shift} />
    </span>
  );
}
