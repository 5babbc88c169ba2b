import classes from './date-mark.module.css';
import { dateShiftMark } from '#shared/clock.ts';

interface DateMarkProps {
  /** days from the date that stands beside it */
  shift: -1 | 0 | 1;
  /** the mark in words */
  title: string;
}

/** `+1` or `−1` behind a time of the next day or the day before; nothing at 0. */
export function DateMark({ shift, title }: DateMarkProps) {
  return (
    shift !== 0 && (
      <sup className={classes.mark} title={title}>
        {dateShiftMark(shift)}
      </sup>
    )
  );
}
