import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { localTimesNote } from '#shared/clock.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { spanOfWallTimes } from '#client/lib/wall-time.ts';
import type { AvailabilitySummaryDto } from '#shared/schemas/admin-pilot.ts';
import type { WindowSource } from '#shared/vocabulary.ts';
import { pilotCopy, SOURCE_NAMES } from './pilot-text.ts';
import classes from './windows-panel.module.css';

type Window = AvailabilitySummaryDto['availabilityWindows'][number];

const SIGNALS = { template: 'gray', override: 'cyan', status: 'green' } as const satisfies Record<WindowSource, string>;

interface WindowsPanelProps {
  windows: readonly Window[];
  /** time zone of the dates and local times */
  timeZone: string;
  days: number;
  /** name of an aircraft id: `F-16C Viper`, `Any Aircraft` */
  aircraftName: (aircraftId: number) => string;
}

/** Panel of the pilot's availability windows in the next days, in the reader's time zone. */
export function WindowsPanel({ windows, timeZone, days, aircraftName }: WindowsPanelProps) {
  const columns: Column<Window>[] = [
    {
      id: 'date',
      header: 'Date',
      rowHeader: true,
      cell: ({ dateLocal }) => formatCalendarDate(dateLocal),
      sortValue: ({ dateLocal, startLocal }) => `${dateLocal} ${startLocal}`,
    },
    {
      id: 'time',
      header: 'Time',
      cell: (window) => <WindowTimes window={window} timeZone={timeZone} />,
    },
    {
      id: 'source',
      header: 'Source',
      cell: ({ source }) => <Badge signal={SIGNALS[source]}>{SOURCE_NAMES[source]}</Badge>,
      sortValue: ({ source }) => SOURCE_NAMES[source],
    },
    { id: 'aircraft', header: 'Aircraft', cell: ({ aircraftCodeId }) => aircraftName(aircraftCodeId) },
    { id: 'notes', header: 'Notes', cell: ({ notes }) => notes ?? <span className={classes.none}>–</span> },
  ];
  return (
    <Panel
      title="Availability windows"
      actions={
        <span className={classes.zone}>
          next {days} days, {localTimesNote(timeZone)}
        </span>
      }
      flush
    >
      <DataTable
        caption={`Availability windows of the next ${days} days in ${timeZone}`}
        columns={columns}
        rows={windows}
        rowKey={({ dateLocal, startLocal, endLocal, source, aircraftCodeId }) =>
          [dateLocal, startLocal, endLocal, source, aircraftCodeId].join(' ')
        }
        empty={<EmptyState title={pilotCopy.noWindows} />}
      />
    </Panel>
  );
}

function WindowTimes({ window, timeZone }: { window: Window; timeZone: string }) {
  const span = spanOfWallTimes(window.dateLocal, window, timeZone);
  return span && <ZSpan {...span} timeZone={timeZone} date={window.dateLocal} />;
}
