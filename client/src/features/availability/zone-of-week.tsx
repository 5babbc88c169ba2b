import { Link } from '@tanstack/react-router';
import { panelLink } from '#shared/profile-sections.ts';
import { detectedTimeZone, isUtcDoubtful, zuluOfWallTime } from '#client/lib/time.ts';
import { formatTime, isZuluZone, zoneOfLocalTimes } from '#shared/clock.ts';
import { SLOT_DEFAULT } from '#shared/limits.ts';
import classes from './zone-of-week.module.css';

interface ZoneOfWeekProps {
  /** of the week's times */
  timeZone: string;
  now: Date;
}

/** Line above the week: its zone, its evening in Zulu, and the browser's zone where the week is in UTC. */
export function ZoneOfWeek({ timeZone, now }: ZoneOfWeekProps) {
  const { startLocal } = SLOT_DEFAULT;
  return (
    <span className={classes.zone}>
      Times are {zoneOfLocalTimes(timeZone)}
      <span className={classes.now}>, now {formatTime(now, timeZone)}</span>.{' '}
      {!isZuluZone(timeZone) && (
        <strong>
          {startLocal} here is {zuluOfWallTime(startLocal, timeZone, now)}
        </strong>
      )}
      {isUtcDoubtful(timeZone) && (
        <>
          Your browser is in {detectedTimeZone()}. <Link {...panelLink('identity')}>Change your time zone</Link>
        </>
      )}
    </span>
  );
}
