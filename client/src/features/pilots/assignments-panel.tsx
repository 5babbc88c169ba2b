import { Link } from '@tanstack/react-router';
import { localTimesNote } from '#shared/clock.ts';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { formatShortDate } from '#client/lib/time.ts';
import { localDate } from '#shared/clock.ts';
import { seatLabel } from '#shared/labels.ts';
import type { AssignedMissionDto } from '#shared/schemas/admin-pilot.ts';
import classes from './assignments-panel.module.css';

interface AssignmentsPanelProps {
  title: 'Upcoming assignments' | 'Previous assignments';
  missions: readonly AssignedMissionDto[];
  /** the reader's time zone */
  timeZone: string;
  empty: string;
}

/** Table of a pilot's seats in missions. */
export function AssignmentsPanel({ title, missions, timeZone, empty }: AssignmentsPanelProps) {
  const columns: Column<AssignedMissionDto>[] = [
    {
      id: 'mission',
      header: 'Mission',
      rowHeader: true,
      cell: ({ missionName, startUtc }) => (
        <Link to="/admin/missions/$date" params={{ date: localDate(startUtc, timeZone) }} className={classes.mission}>
          {missionName}
        </Link>
      ),
      sortValue: ({ missionName }) => missionName,
    },
    { id: 'theater', header: 'Theater', cell: ({ theater }) => theater },
    { id: 'package', header: 'Package', cell: ({ packageCallsign }) => <Callsign>{packageCallsign}</Callsign> },
    { id: 'flight', header: 'Flight', cell: ({ flightCallsign }) => <Callsign>{flightCallsign}</Callsign> },
    { id: 'aircraft', header: 'Aircraft', cell: ({ aircraftName }) => aircraftName },
    { id: 'seat', header: 'Seat', cell: ({ seatIndex }) => seatLabel(seatIndex) },
    {
      id: 'time',
      header: 'Time',
      cell: ({ startUtc, endUtc }) => (
        <>
          <span className={classes.date}>{formatShortDate(startUtc, timeZone)}</span>{' '}
          <ZSpan start={startUtc} end={endUtc} timeZone={timeZone} />
        </>
      ),
      sortValue: ({ startUtc }) => startUtc,
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status, rsvp }) => (
        <span className={classes.badges}>
          <StatusBadge kind="mission" value={status} />
          {title === 'Upcoming assignments' && <StatusBadge kind="rsvp" value={rsvp} />}
        </span>
      ),
      sortValue: ({ status }) => status,
    },
  ];
  return (
    <Panel title={title} actions={<span className={classes.zone}>{localTimesNote(timeZone)}</span>} flush>
      <DataTable
        caption={title}
        columns={columns}
        rows={missions}
        rowKey={({ missionId, flightCallsign, seatIndex }) => `${missionId} ${flightCallsign} ${seatIndex}`}
        empty={<EmptyState title={empty} />}
      />
    </Panel>
  );
}

function Callsign({ children }: { children: string }) {
  return <span className={classes.callsign}>{children}</span>;
}
