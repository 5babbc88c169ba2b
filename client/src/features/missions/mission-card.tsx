import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Panel } from '#client/components/panel.tsx';
import { Placard } from '#client/components/placard.tsx';
import { StatusBadge } from '#client/components/status-badge.tsx';
import { ZTime } from '#client/components/z-time.tsx';
import { useClipboard } from '#client/lib/use-clipboard.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { FlightRow } from './flight-row.tsx';
import { rosterMarkdown } from './roster.ts';
import { TimeSpan } from './time-span.tsx';
import classes from './mission-card.module.css';

interface MissionCardProps {
  mission: MissionDto;
  /** zone of the answer's local times */
  timeZone: string;
}

/** One mission with its packages, flights and seats. */
export function MissionCard({ mission, timeZone }: MissionCardProps) {
  const packages = mission.packages.toSorted((a, b) => a.sortOrder - b.sortOrder);
  return (
    <Panel
      title={<span className={classes.name}>{mission.name}</span>}
      flush
      actions={<StatusBadge kind="mission" value={mission.status} />}
    >
      <div className={classes.head}>
        <p className={classes.summary}>
          <strong>{mission.theater}</strong>
          <TimeSpan start={mission.startUtc} end={mission.endUtc} timeZone={timeZone} />
          <span className={classes.by}>by {mission.createdByName}</span>
        </p>
        <CopyRoster mission={mission} />
      </div>
      {mission.notes !== null && <p className={classes.missionNotes}>{mission.notes}</p>}
      {packages.map((pack) => (
        <div key={pack.id} className={classes.package} role="group" aria-label={`Package ${pack.callsign}`}>
          <div className={classes.packageHead}>
            <h3 className={classes.packageTitle}>
              <Placard>Package</Placard> {pack.callsign}
              <span className={classes.objective}>{pack.objective}</span>
            </h3>
            {pack.launchUtc !== null && (
              <span>
                <Placard>Launch</Placard> <ZTime iso={pack.launchUtc} timeZone={timeZone} />
              </span>
            )}
            {pack.totUtc !== null && (
              <span>
                <Placard>TOT</Placard> <ZTime iso={pack.totUtc} timeZone={timeZone} copyable={false} />
              </span>
            )}
          </div>
          {pack.notes !== null && <p className={classes.notes}>{pack.notes}</p>}
          <ul className={classes.flights}>
            {pack.flights
              .toSorted((a, b) => a.sortOrder - b.sortOrder)
              .map((flight) => (
                <FlightRow key={flight.id} flight={flight} timeZone={timeZone} />
              ))}
          </ul>
        </div>
      ))}
    </Panel>
  );
}

function CopyRoster({ mission }: { mission: MissionDto }) {
  const { copied, copy } = useClipboard();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      variant="subtle"
      size="xs"
      className={classes.roster}
      leftSection={<Icon size={18} stroke={1.75} aria-hidden="true" />}
      aria-label={copied ? 'Roster copied' : `Copy roster of ${mission.name}`}
      onClick={() => void copy(rosterMarkdown(mission))}
    >
      {copied ? 'Roster copied' : 'Copy roster'}
    </Button>
  );
}
