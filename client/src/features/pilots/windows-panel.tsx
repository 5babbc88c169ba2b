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
type BusyTime = AvailabilitySummaryDto['busyTimes'][number];
/** A window, or a time that a calendar takes away. */
type Row = Window | (BusyTime & { source: 'busy' });

const isBusy = (row: Row): row is Extract<Row, { source: 'busy' }> => row.source === 'busy';

const SIGNALS = {
  template: 'gray',
  override: 'cyan',
  status: 'green',
  busy: 'yellow',
} as const satisfies Record<WindowSource | 'busy', string>;
const NOTHING = <span className={classes.none}>–</span>;

const timeOf = ({ dateLocal, startLocal }: Row): string => `${dateLocal} ${startLocal}`;
const byTime = (a: Row, b: Row): number => timeOf(a).localeCompare(timeOf(b));

interface WindowsPanelProps {
  windows: readonly Window[];
  /** what the pilot's calendars take away */
  busyTimes: readonly BusyTime[];
  /** time zone of the dates and local times */
  timeZone: string;
  days: number;
  /** name of an aircraft id: `F-16C Viper`, `Any Aircraft` */
  aircraftName: (aircraftId: number) => string;
}

/** Panel of the pilot's availability windows in the next days, in the reader's time zone. */
export function WindowsPanel({ windows, busyTimes, timeZone, days, aircraftName }: WindowsPanelProps) {
  const rows: Row[] = [...windows, ...busyTimes.map((time) => ({ ...time, source: 'busy' as const }))];
  const columns: Column<Row>[] = [
    {
      id: 'date',
      header: 'Date',
      rowHeader: true,
      cell: ({ dateLocal }) => formatCalendarDate(dateLocal),
      sortValue: timeOf,
    },
    {
      id: 'time',
      header: 'Time',
      cell: (window) => <WindowTimes window={window} timeZone={timeZone} />,
    },
    {
      id: 'source',
      header: 'Source',
      cell: (row) => <Badge signal={SIGNALS[row.source]}>{SOURCE_NAMES[row.source]}</Badge>,
      sortValue: ({ source }) => SOURCE_NAMES[source],
    },
    { id: 'aircraft', header: 'Aircraft', cell: (row) => (isBusy(row) ? NOTHING : aircraftName(row.aircraftCodeId)) },
    { id: 'notes', header: 'Notes', cell: (row) => (isBusy(row) ? null : row.notes) ?? NOTHING },
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
        rows={rows.toSorted(byTime)}
        rowKey={(row) =>
          [row.dateLocal, row.startLocal, row.endLocal, row.source, isBusy(row) ? '' : row.aircraftCodeId].join(' ')
        }
        empty={<EmptyState title={pilotCopy.noWindows} />}
      />
    </Panel>
  );
}

function WindowTimes({ window, timeZone }: { window: Row; timeZone: string }) {
  const span = spanOfWallTimes(window.dateLocal, window, timeZone);
  return span && <ZSpan {...span} timeZone={timeZone} date={window.dateLocal} />;
}
