import { useNow } from '#client/lib/use-now.ts';
import { formatZulu } from '#shared/clock.ts';
import classes from './zulu-clock.module.css';

/** Current Zulu time, `1205Z`. Not announced, because it changes every minute. */
export function ZuluClock() {
  const now = useNow();
  return (
    <time className={classes.clock} dateTime={now.toISOString()} role="timer" aria-label="Zulu time" aria-live="off">
      {formatZulu(now)}
    </time>
  );
}
