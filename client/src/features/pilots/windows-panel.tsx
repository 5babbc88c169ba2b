import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { formatZulu } from '#shared/clock.ts';
import { formatCalendarDate, formatWallTime } from '#client/lib/time.ts';
import { instantOfWallTime } from '#client/lib/wall-time.ts';
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
      cell: (window) => (
        <span className={classes.times}>
          <span className={classes.zulu}>{zuluRange(window, timeZone)}</span>{' '}
          <span className={classes.local}>
            {formatWallTime(window.startLocal).slice(0, -1)}–{formatWallTime(window.endLocal)}
          </span>
        </span>
      ),
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
          next {days} days, L is {timeZone}
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

function zuluRange({ dateLocal, startLocal, endLocal }: Window, timeZone: string): string {
  const start = instantOfWallTime(dateLocal, startLocal, timeZone);
  const end = instantOfWallTime(dateLocal, endLocal, timeZone);
  return start === undefined || end === undefined ? '' : `${formatZulu(start).slice(0, -1)}–${formatZulu(end)}`;
}
