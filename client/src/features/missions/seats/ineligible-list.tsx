import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { IneligiblePilotDto } from '#shared/schemas/mission-plan.ts';
import type { IneligibilityReason } from '#shared/vocabulary.ts';
import { countReasons, LAST_ORDER_NAMES, REASON_NAMES } from './ineligibility-text.ts';
import { count, workCopy } from '#client/features/missions/mission-text.ts';
import classes from './ineligible-list.module.css';

/** Rows per step of "Show more"; a community can have thousands of pilots. */
const ROWS_STEP = 25;

/** Pilots without a seat in a mission, counted and filtered by reason. */
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
  const [picked, setPicked] = useState<IneligibilityReason | null>(null);
  const [shown, setShown] = useState(ROWS_STEP);
  const reasons = countReasons(pilots);
  // Ignore a selected reason that no longer applies to anybody.
  const reason = reasons.some((one) => one.reason === picked) ? picked : null;
  const rows = pilots.filter((pilot) => reason === null || pilot.reason === reason);
  const pick = (wanted: IneligibilityReason | null): void => {
    setPicked(wanted);
    setShown(ROWS_STEP);
  };
  return (
    <>
      <div className={classes.reasons} role="group" aria-label={`Reasons of pilots without a seat in ${missionName}`}>
        <Reason name="All" number={pilots.length} isPicked={reason === null} onPick={() => pick(null)} />
        {reasons.map((one) => (
          <Reason
            key={one.reason}
            name={REASON_NAMES[one.reason]}
            number={one.pilots}
            isPicked={reason === one.reason}
            onPick={() => pick(one.reason)}
          />
        ))}
      </div>
      <DataTable
        columns={COLUMNS}
        rows={rows.slice(0, shown)}
        rowKey={({ userId }) => userId}
        caption={`Pilots without a seat in ${missionName}`}
        empty={null}
      />
      {rows.length > shown && (
        <div className={classes.more}>
          <Button variant="default" size="xs" onClick={() => setShown(shown + ROWS_STEP)}>
            Show more, {count(rows.length - shown, 'pilot')} left
          </Button>
        </div>
      )}
    </>
  );
}

interface ReasonProps {
  name: string;
  number: number;
  isPicked: boolean;
  onPick: () => void;
}

function Reason({ name, number, isPicked, onPick }: ReasonProps) {
  return (
    <button type="button" className={classes.reason} aria-pressed={isPicked} onClick={onPick}>
      {name} <span className={classes.number}>{number}</span>
    </button>
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
