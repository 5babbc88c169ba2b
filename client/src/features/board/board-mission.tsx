import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Placard } from '#client/components/placard.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { Badge, StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { FlightDto, MissionDto } from '#shared/schemas/missions.ts';
import classes from './board-mission.module.css';

interface BoardMissionProps {
  mission: MissionDto;
  /** date of the mission details page */
  date: string;
  timeZone: string;
}

/** Mission on the board, with the seats filled per flight. */
export const BoardMission = memo(function BoardMission({ mission, date, timeZone }: BoardMissionProps) {
  const packages = mission.packages.toSorted((a, b) => a.sortOrder - b.sortOrder);
  const columns = flightColumns(timeZone, mission.status === 'scheduled' || mission.status === 'launched');
  return (
    <article className={classes.mission} aria-label={mission.name}>
      <div className={classes.head}>
        <h3 className={classes.name}>
          <Link to="/admin/missions/$date" params={{ date }}>
            {mission.name}
          </Link>
        </h3>
        <StatusBadge kind="mission" value={mission.status} />
        {mission.isPractice && <Badge signal="cyan">Practice</Badge>}
        <span className={classes.theater}>{mission.theater}</span>
        <ZSpan start={mission.startUtc} end={mission.endUtc} timeZone={timeZone} />
      </div>
      {mission.notes !== null && (
        <div className={classes.notes}>
          <Notes texts={[mission.notes]} />
        </div>
      )}
      {packages.map((pack) => (
        <section key={pack.id} className={classes.package} aria-label={`Package ${pack.callsign}`}>
          <div className={classes.packageHead}>
            <h4 className={classes.packageName}>
              <Placard>
                <Term word="package" />
              </Placard>{' '}
              {pack.callsign}
            </h4>
            <span className={classes.objective}>{pack.objective}</span>
            {pack.launchUtc !== null && (
              <span>
                <Placard>Launch</Placard> <ZTime iso={pack.launchUtc} timeZone={timeZone} copyable={false} />
              </span>
            )}
            {pack.totUtc !== null && (
              <span>
                <Placard>
                  <Term word="tot" />
                </Placard>{' '}
                <ZTime iso={pack.totUtc} timeZone={timeZone} copyable={false} />
              </span>
            )}
          </div>
          <DataTable
            columns={columns}
            rows={pack.flights.toSorted((a, b) => a.sortOrder - b.sortOrder)}
            rowKey={({ id }) => id}
            caption={`Flights of package ${pack.callsign}`}
            empty={null}
          />
        </section>
      ))}
    </article>
  );
});

/** @param isAhead true if open seats can still be filled */
function flightColumns(timeZone: string, isAhead: boolean): Column<FlightDto>[] {
  return [
    {
      id: 'callsign',
      header: 'Flight',
      rowHeader: true,
      cell: ({ callsign }) => <span className={classes.callsign}>{callsign}</span>,
    },
    { id: 'aircraft', header: 'Aircraft', cell: ({ aircraftName, role }) => `${aircraftName}, ${role}` },
    { id: 'side', header: 'Side', cell: ({ side }) => <SideFlag side={side} /> },
    { id: 'launch', header: 'Launch', cell: ({ launchUtc }) => <MaybeTime iso={launchUtc} timeZone={timeZone} /> },
    { id: 'tot', header: 'TOT', cell: ({ totUtc }) => <MaybeTime iso={totUtc} timeZone={timeZone} /> },
    {
      id: 'radio',
      header: 'Radio',
      cell: ({ radioFreq }) => <span className={classes.radio}>{radioFreq ?? 'none'}</span>,
    },
    { id: 'pilots', header: 'Pilots', cell: (flight) => <Seats flight={flight} /> },
    { id: 'accepted', header: 'Accepted', align: 'end', cell: ({ acceptedCount }) => acceptedCount },
    {
      id: 'pending',
      header: 'Pending',
      align: 'end',
      cell: ({ pendingCount }) => <span data-waiting={(isAhead && pendingCount > 0) || undefined}>{pendingCount}</span>,
    },
    {
      id: 'open',
      header: 'Open',
      align: 'end',
      cell: ({ openSlots }) => <span data-waiting={(isAhead && openSlots > 0) || undefined}>{openSlots}</span>,
    },
  ];
}

function MaybeTime({ iso, timeZone }: { iso: string | null; timeZone: string }) {
  return iso === null ? 'none' : <ZTime iso={iso} timeZone={timeZone} copyable={false} />;
}

/** Seat meter: `▮▮▮▯ 3/4`, one bar per seat, filled when accepted. */
function Seats({ flight: { assignments, sizeCap } }: { flight: FlightDto }) {
  const taken = Math.min(assignments.length, sizeCap);
  return (
    <span className={classes.seats}>
      <span aria-hidden="true">
        <span className={classes.taken}>{'▮'.repeat(taken)}</span>
        {'▯'.repeat(sizeCap - taken)}
      </span>{' '}
      {assignments.length}/{sizeCap}
      <VisuallyHidden> seats taken</VisuallyHidden>
    </span>
  );
}
