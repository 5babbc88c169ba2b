import { isPilot, type Viewer } from '#client/lib/session.ts';
import { zuluOfWallTime } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { SLOT_DEFAULT } from '#shared/limits.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { profileCopy } from './profile-text.ts';
import classes from './zone-preview.module.css';

/** Example slot for a pilot without weekly availability. */
const EXAMPLE = { weekday: 1, startLocal: SLOT_DEFAULT.startLocal };

interface ZonePreviewProps {
  viewer: Viewer;
  /** the chosen zone, not saved yet */
  timeZone: string;
}

/** Preview of a new time zone with a slot of the pilot's week. */
export function ZonePreview({ viewer, timeZone }: ZonePreviewProps) {
  const now = useNow();
  const templates = trpc.availability.templates.useQuery({ id: viewer.id }, { enabled: isPilot(viewer) });
  const week = templates.data?.find(({ isActive }) => isActive)?.slots ?? [];
  // Prefer a slot after Sunday, which is weekday 0 here but not the first day of the week for most.
  const { weekday, startLocal } = week.find((slot) => slot.weekday > 0) ?? week[0] ?? EXAMPLE;
  const day = `${WEEKDAYS[weekday]?.slice(0, 3)} ${startLocal}`;
  return (
    <div className={classes.preview} aria-live="polite">
      <p>{profileCopy.zoneRule}</p>
      {timeZone !== viewer.timeZone && (
        <p>
          <strong>
            {day} in {timeZone}
          </strong>{' '}
          <span className={classes.times}>
            {zuluOfWallTime(startLocal, timeZone, now)}, before {zuluOfWallTime(startLocal, viewer.timeZone, now)}
          </span>
        </p>
      )}
    </div>
  );
}
