import classes from './date-mark.module.css';
import { dateShiftMark } from '#shared/clock.ts';

interface DateMarkProps {
  /** days from the reference date */
  shift: -1 | 0 | 1;
  /** tooltip that explains the mark */
  title: string;
}

/** `+1` or `−1` after a time on the next or previous day; nothing for 0. */
export function DateMark({ shift, title }: DateMarkProps) {
  return (
    shift !== 0 && (
      <sup className={classes.mark} title={title}>
        {dateShiftMark(shift)}
      </sup>
    )
  );
}
