import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { panelLink } from '#shared/profile-sections.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import type { IneligibilityReason } from '#shared/vocabulary.ts';
import { FlyAnyway } from './fly-anyway.tsx';
import classes from './fly-anyway.module.css';

type ClosedMission = OpeningsDto['closed'][number];

/** Where a pilot removes the reason by hand, if one call cannot; null: the queue is the way on. A new reason needs a line. */
const BY_HAND: Record<IneligibilityReason, (mission: ClosedMission) => ReactNode> = {
  NOT_AVAILABLE: () => <Link to="/availability">Add your times</Link>,
  ON_LEAVE: () => <Link to="/availability">Change your leave</Link>,
  AIRCRAFT: () => <Link {...panelLink('aircraft')}>Change your aircraft</Link>,
  COMMITTED: ({ committedTo }) =>
    committedTo && (
      <Link to="/missions/$missionId" params={{ missionId: committedTo.missionId }}>
        Open {committedTo.missionName}
      </Link>
    ),
  DO_NOT_DISTURB: () => <Link to="/home">Change your status</Link>,
  OUTRANKED: () => null,
};

/** The way on of a pilot without a seat in a mission, beside the reason. */
export function WayOn({ mission }: { mission: ClosedMission }) {
  if (mission.flyAnyway !== null) return <FlyAnyway mission={mission} way={mission.flyAnyway} />;
  const byHand = mission.standby === 'joined' ? null : BY_HAND[mission.reason](mission);
  return byHand !== null && <span className={classes.link}>{byHand}</span>;
}
