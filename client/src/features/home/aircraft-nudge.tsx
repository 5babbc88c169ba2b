import { LinkButton } from '#client/components/link-button.tsx';
import { panelLink } from '#shared/profile-sections.ts';
import { homeCopy } from './home-text.ts';
import classes from './aircraft-nudge.module.css';

/** Line that asks a pilot without an aircraft list for one; it stays until there is one. */
export function AircraftNudge() {
  return (
    <section aria-label={homeCopy.noAircraft} className={classes.nudge}>
      <p className={classes.words}>
        <strong>{homeCopy.noAircraft}</strong> {homeCopy.whyListAircraft}
      </p>
      <LinkButton {...panelLink('aircraft')} variant="light">
        List your aircraft
      </LinkButton>
    </section>
  );
}
