import { Button } from '@mantine/core';
import { memo, useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { WeeklySummaryDto } from '#shared/schemas/dashboard.ts';
import { boardCopy } from './board-text.ts';
import classes from './launches.module.css';

/** Rows before "Show all", about as tall as the recommended times beside them. */
const SHOWN = 7;

type Launch = WeeklySummaryDto['upcomingLaunches'][number];

interface LaunchesProps {
  launches: readonly Launch[];
  /** hides launches that have passed */
  now: Date;
  timeZone: string;
}

/** Table of upcoming launches. */
export const Launches = memo(function Launches({ launches, now, timeZone }: LaunchesProps) {
  const [isOpen, setOpen] = useState(false);
  const ahead = launches.filter(({ time }) => Date.parse(time) > now.getTime());
  return (
    <div className={classes.launches}>
      <DataTable
        columns={launchColumns(timeZone)}
        rows={isOpen ? ahead : ahead.slice(0, SHOWN)}
        rowKey={({ time }) => time}
        caption="Upcoming launches"
        empty={
          <EmptyState
            title={boardCopy.noLaunches}
            action={
              <LinkButton to="/admin/missions" variant="default">
                Plan a mission
              </LinkButton>
            }
          />
        }
      />
      {ahead.length > SHOWN && (
        <div className={classes.more}>
          <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : `Show all ${ahead.length}`}
          </Button>
        </div>
      )}
    </div>
  );
});

function launchColumns(timeZone: string): Column<Launch>[] {
  return [
    {
      id: 'time',
      header: 'Launch time',
      rowHeader: true,
      cell: ({ time }) => <ZTime iso={time} timeZone={timeZone} withDate />,
    },
    { id: 'flights', header: 'Flights', align: 'end', cell: ({ flights }) => flights },
    { id: 'seats', header: 'Total seats', align: 'end', cell: ({ seats }) => seats },
  ];
}
