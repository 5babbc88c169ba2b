import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { nextDateOf, spanOfWallTimes } from '#client/lib/wall-time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localTimesNote } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import type { ScheduleDto } from '#shared/schemas/admin-pilot.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { pilotCopy } from './pilot-text.ts';
import classes from './schedule-panel.module.css';
import { barsOf, DAY_MINUTES } from './week-strip.ts';

type Entry = ScheduleDto['schedule'][number];

interface SchedulePanelProps {
  schedule: Loadable<ScheduleDto>;
  /** name of an aircraft id: `F-16C Viper`, `Any Aircraft` */
  aircraftName: (aircraftId: number) => string;
}

/** Panel of the pilot's weekly schedule in the pilot's own time zone. */
export function SchedulePanel({ schedule, aircraftName }: SchedulePanelProps) {
  return (
    <Panel title="Weekly schedule" flush>
      <Loaded
        query={schedule}
        loading={pilotCopy.loading}
        failure={copy.userNotFound}
        prefix={pilotCopy.loadFailed}
        rows={5}
      >
        {(data) => <Week {...data} aircraftName={aircraftName} />}
      </Loaded>
    </Panel>
  );
}

function Week({ schedule, timeZone, aircraftName }: ScheduleDto & Pick<SchedulePanelProps, 'aircraftName'>) {
  const now = useNow();
  const columns: Column<Entry>[] = [
    { id: 'day', header: 'Day', rowHeader: true, cell: ({ dayOfWeek }) => WEEKDAYS[dayOfWeek] },
    {
      id: 'time',
      header: 'Time range',
      cell: (entry) => <EntryTimes entry={entry} timeZone={timeZone} now={now} />,
    },
    { id: 'aircraft', header: 'Aircraft', cell: ({ aircraftCodeId }) => aircraftName(aircraftCodeId) },
    { id: 'notes', header: 'Notes', cell: ({ notes }) => notes ?? <span className={classes.none}>–</span> },
  ];
  if (schedule.length === 0) {
    return <EmptyState title={pilotCopy.noSchedule}>{pilotCopy.noScheduleMeaning}</EmptyState>;
  }
  return (
    <>
      <WeekStrip schedule={schedule} />
      <DataTable
        caption={`Weekly schedule in ${timeZone}`}
        columns={columns}
        rows={schedule}
        rowKey={({ dayOfWeek, startLocal, aircraftCodeId }) => `${dayOfWeek} ${startLocal} ${aircraftCodeId}`}
        empty={null}
      />
      <p className={classes.foot}>
        {localTimesNote(timeZone)}, the pilot’s own time zone. Z times are for the next seven days.
      </p>
    </>
  );
}

function EntryTimes({ entry, timeZone, now }: { entry: Entry; timeZone: string; now: Date }) {
  const date = nextDateOf(entry.dayOfWeek, timeZone, now);
  const span = spanOfWallTimes(date, entry, timeZone);
  return span && <ZSpan {...span} timeZone={timeZone} date={date} />;
}

/** Seven tracks of 24 hours; decorative, since the table below shows the same. */
function WeekStrip({ schedule }: Pick<ScheduleDto, 'schedule'>) {
  const days = barsOf(schedule);
  return (
    <div className={classes.strip} aria-hidden="true">
      {days.map((bars, day) => (
        <div key={WEEKDAYS[day]} className={classes.day}>
          <span className={classes.dayName}>{WEEKDAYS[day]?.slice(0, 3)}</span>
          <span className={classes.track}>
            {bars.map(({ start, end }) => (
              <span
                key={`${start}-${end}`}
                className={classes.bar}
                style={{ left: share(start), width: share(end - start) }}
              />
            ))}
          </span>
        </div>
      ))}
      <div className={classes.day}>
        <span />
        <span className={classes.hours}>
          {['00', '06', '12', '18', '24'].map((hour) => (
            <span key={hour}>{hour}L</span>
          ))}
        </span>
      </div>
    </div>
  );
}

const share = (minutes: number): string => `${(100 * minutes) / DAY_MINUTES}%`;
