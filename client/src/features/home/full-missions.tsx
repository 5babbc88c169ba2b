import { Button } from '@mantine/core';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useJoinStandby } from '#client/features/order/use-join-standby.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import classes from './near-misses.module.css';

/** Missions whose seats that fit the pilot are all taken: one tap joins the standby queue. */
export function FullMissions({ missions }: { missions: OpeningsDto['closed'] }) {
  const { isJoining, join } = useJoinStandby();
  return (
    <ul className={classes.list} aria-label="Full missions">
      {missions.map(({ missionId, missionName, startUtc, sentence }) => (
        <li key={missionId} className={classes.mission}>
          <p className={classes.what}>
            <strong className={classes.name}>{missionName}</strong> <ZTime iso={startUtc} withDate copyable={false} />
            <span className={classes.seat}>{sentence}</span>
          </p>
          <Button
            variant="light"
            className={classes.button}
            aria-disabled={isJoining || undefined}
            aria-label={`Stand by for ${missionName}`}
            onClick={() => {
              if (!isJoining) {
                void join(missionId);
              }
            }}
          >
            Stand by for a seat
          </Button>
        </li>
      ))}
    </ul>
  );
}
