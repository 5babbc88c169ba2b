import classes from './date-mark.module.css';
import { dateShiftMark } from '#shared/clock.ts';

const TITLES: Record<number, string> = { [-1]: 'on the day before', 1: 'on the next day' };

interface DateMarkProps {
  /** days from the shown date */
  shift: number;
}

/** `+1` or `−1` after a time on the next or previous day; nothing for 0. */
export function DateMark({ shift }: DateMarkProps) {
  return (
    shift !== 0 && (
      <sup className={classes.mark} title={TITLES[shift] ?? `${shift} days later`}>
        {dateShiftMark(shift)}
      </sup>
    )
  );
}
