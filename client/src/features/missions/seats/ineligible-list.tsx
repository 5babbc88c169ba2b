import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';
import { count } from '#shared/plural.ts';
import { groupReasons, LAST_ORDER_NAMES } from './ineligibility-text.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './ineligible-list.module.css';

/** Rows of a group at first; a community can have thousands of pilots. */
const ROWS_STEP = 8;

/** Pilots without a seat in a mission, grouped by reason, near misses first. */
export function IneligibleList({ missionId, missionName }: { missionId: string; missionName: string }) {
  // There are no live updates for other pilots' statuses and availability.
  const ineligible = trpc.admin.mission.unseated.useQuery({ id: missionId }, { staleTime: 0 });
  return (
    <div className={classes.body}>
      <Loaded
        query={ineligible}
        loading={workCopy.loadingIneligible}
        failure={copy.unknownError}
        prefix={workCopy.ineligibleFailed}
      >
        {(pilots) =>
          pilots.length === 0 ? (
            <p className={classes.none}>Every active pilot has a seat in this mission.</p>
          ) : (
            <Pilots missionName={missionName} pilots={pilots} />
          )
        }
      </Loaded>
    </div>
  );
}

function Pilots({ missionName, pilots }: { missionName: string; pilots: readonly IneligiblePilotDto[] }) {
  return groupReasons(pilots).map(({ title, pilots: group }) => (
    <Group key={title} title={title} pilots={group} caption={`${title}: pilots without a seat in ${missionName}`} />
  ));
}

interface GroupProps {
  title: string;
  pilots: readonly IneligiblePilotDto[];
  caption: string;
}

function Group({ title, pilots, caption }: GroupProps) {
  const [shown, setShown] = useState(ROWS_STEP);
  const isPart = pilots.length >= LISTED_MAX.ineligible;
  return (
    <section>
      <h4 className={classes.title}>
        {title} <span className={classes.number}>{isPart ? `first ${pilots.length}` : pilots.length}</span>
      </h4>
      <DataTable
        columns={COLUMNS}
        rows={pilots.slice(0, shown)}
        step={Infinity}
        rowKey={({ userId }) => userId}
        caption={caption}
        empty={null}
      />
      {pilots.length > shown && (
        <div className={classes.more}>
          <Button variant="default" size="xs" onClick={() => setShown(shown + 2 * ROWS_STEP)}>
            Show more, {count(pilots.length - shown, 'pilot')} left
          </Button>
        </div>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<IneligiblePilotDto>[] = [
  {
    id: 'pilot',
    header: 'Pilot',
    rowHeader: true,
    cell: ({ userId, userDisplayName }) => (
      <Link to="/admin/users/$userId/availability" params={{ userId }} className={classes.pilot}>
        {userDisplayName}
      </Link>
    ),
  },
  { id: 'why', header: 'Why', cell: ({ sentence }) => sentence },
  {
    id: 'order',
    header: 'Last order',
    cell: ({ lastOrder }) => (lastOrder === null ? 'none' : LAST_ORDER_NAMES[lastOrder]),
  },
];
