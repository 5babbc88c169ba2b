import { useNow } from '#client/lib/use-now.ts';
import classes from './zulu-clock.module.css';

/** Current Zulu time, `1205Z`. Not announced, because it changes every minute. */
export function ZuluClock() {
  const iso = useNow().toISOString();
  return (
    <time className={classes.clock} dateTime={iso} role="timer" aria-label="Zulu time" aria-live="off">
      {/* not `formatZulu`: every visitor would load the whole clock for these four digits */}
      {`${iso.slice(11, 13)}${iso.slice(14, 16)}Z`}
    </time>
  );
}
