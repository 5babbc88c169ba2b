import { Link } from '@tanstack/react-router';
import { IconChevronDown } from '@tabler/icons-react';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { seatCopy } from '#client/features/order/seat-text.ts';
import { WayOn } from '#client/features/order/way-on.tsx';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import { count } from '#shared/plural.ts';
import classes from './closed-missions.module.css';

/** Collapsed list of missions without a seat for the pilot: each reason once, and the way on beside each mission. */
export function ClosedMissions({ missions }: { missions: OpeningsDto['closed'] }) {
  const reasons = Map.groupBy(missions, (mission) => reasonOf(mission));
  return (
    <details className={classes.closed}>
      <summary className={classes.summary}>
        {count(missions.length, 'mission')} you can&apos;t join yet
        <IconChevronDown size={18} aria-hidden="true" />
      </summary>
      {[...reasons].map(([reason, alike]) => (
        <section key={reason} className={classes.reason}>
          <p className={classes.why}>{reason}</p>
          <ul className={classes.missions}>
            {alike.map((mission) => (
              <li key={mission.missionId}>
                <p className={classes.what}>
                  <Link to="/missions/$missionId" params={{ missionId: mission.missionId }} className={classes.name}>
                    {mission.missionName}
                  </Link>{' '}
                  <ZTime iso={mission.startUtc} withDate copyable={false} />
                </p>
                <WayOn mission={mission} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  );
}

/** The reason as a sentence. Times that lack throughout need no repetition for each mission: the missions say theirs. */
function reasonOf({ reason, sentence, startUtc, endUtc, flyAnyway, standby }: OpeningsDto['closed'][number]): string {
  const [way] = flyAnyway?.seats ?? [];
  const missing = way?.missing ?? flyAnyway?.standby?.missing ?? [];
  const isWhole = missing.length === 1 && missing[0]?.startUtc === startUtc && missing[0].endUtc === endUtc;
  const said = reason === 'NOT_AVAILABLE' && isWhole ? seatCopy.notAvailable : sentence;
  return standby === 'joined' ? `${said} ${seatCopy.onStandby}` : said;
}
