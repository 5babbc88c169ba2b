import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { localTimesNote } from '#shared/clock.ts';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import type { GuildDetailDto } from '#shared/schemas/discord.ts';
import { guildCopy } from './guild-text.ts';
import { eventWords } from './guild-counts-text.ts';
import classes from './events-table.module.css';

type GuildEvent = GuildDetailDto['recentEvents'][number];

const COLUMNS: readonly Column<GuildEvent>[] = [
  {
    id: 'event',
    phone: { line: 1 },
    header: 'Event',
    rowHeader: true,
    cell: ({ eventType, errorMessage }) => (
      <span className={classes.event} data-failed={errorMessage !== null || undefined}>
        {eventWords(eventType)} <span className={classes.type}>{eventType}</span>
      </span>
    ),
  },
  { id: 'data', header: 'Data', cell: ({ eventData }) => <span className={classes.data}>{eventData ?? '—'}</span> },
  {
    id: 'error',
    phone: { line: 2 },
    header: 'Error',
    cell: ({ errorMessage }) =>
      errorMessage === null ? (
        <span className={classes.none}>—</span>
      ) : (
        <span className={classes.error}>
          <IconAlertTriangle size={18} aria-hidden="true" />
          {errorMessage}
        </span>
      ),
  },
  {
    id: 'time',
    phone: { line: 2 },
    header: 'Time',
    cell: ({ occurredAt }) => <ZTime iso={occurredAt} withDate copyable={false} />,
  },
];

/** Table of a server's recent events, newest first. */
export function EventsTable({ events }: { events: readonly GuildEvent[] }) {
  const zone = useReaderZone();
  return (
    <>
      <DataTable
        columns={COLUMNS}
        rows={events}
        rowKey={({ id }) => id}
        caption="Recent Events"
        empty={<EmptyState icon={<IconHistory size={40} />} title={guildCopy.noEvents} />}
      />
      {events.length > 0 && <p className={classes.zone}>{localTimesNote(zone)}</p>}
    </>
  );
}
