import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { BUCKET_MINUTES } from '#shared/limits.ts';
import { boardCopy } from './board-text.ts';
import { OnlineTable } from './online-table.tsx';
import { describeWeek } from './online-figures.ts';
import { BOARD_REFRESH_MS, keepPrevious } from './refresh.ts';
import type { ChangeBoard } from './use-board-search.ts';
import { BOARD_DAYS } from './week-days.ts';
import classes from './online-panel.module.css';

const OnlineChart = lazyPart(
  () => import('./online-chart.tsx'),
  (part) => part.OnlineChart,
);

const VIEWS = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

const BUCKET_MS = BUCKET_MINUTES.initial * 60_000;

interface OnlinePanelProps {
  now: Date;
  timeZone: string;
  view: 'table' | undefined;
  /** nobody has stated times yet */
  isNew: boolean;
  onChange: ChangeBoard;
}

/** Panel with the pilots expected over the next seven days, as a chart or a table. */
export function OnlinePanel({ now, timeZone, view, isNew, onChange }: OnlinePanelProps) {
  const from = Math.floor(now.getTime() / BUCKET_MS) * BUCKET_MS;
  const series = trpc.admin.dashboard.expectedOnline.useQuery(
    {
      from: new Date(from).toISOString(),
      to: new Date(from + BOARD_DAYS * 86_400_000).toISOString(),
      bucket: BUCKET_MINUTES.initial,
    },
    { refetchInterval: BOARD_REFRESH_MS, staleTime: BOARD_REFRESH_MS, placeholderData: keepPrevious },
  );
  return (
    <Panel
      title="Expected online"
      actions={
        <Segmented
          label="View of expected online"
          hideLabel
          segments={VIEWS}
          value={view ?? 'chart'}
          onChange={(next) => onChange({ online: next === 'table' ? next : undefined })}
        />
      }
    >
      <Loaded
        query={series}
        loading={boardCopy.loadingOnline}
        failure={copy.unknownError}
        prefix={boardCopy.onlineFailed}
        rows={7}
      >
        {(data) =>
          isNew && data.points.every(({ expected }) => expected === 0) ? (
            <EmptyState
              title={boardCopy.noTimes}
              action={
                <LinkButton to="/admin/invites" variant="default">
                  Make an invite
                </LinkButton>
              }
            >
              {boardCopy.noTimesOnline}
            </EmptyState>
          ) : (
            <>
              <p className={classes.summary}>{describeWeek(data.points, timeZone)}</p>
              {view === 'table' ? (
                <OnlineTable series={data} timeZone={timeZone} />
              ) : (
                <>
                  <Suspense fallback={<Skeleton className={classes.place} />}>
                    <OnlineChart series={data} timeZone={timeZone} />
                  </Suspense>
                  <p className={classes.key} aria-hidden="true">
                    <span data-series="expected">Expected pilots</span>
                    <span data-series="committed">Seats taken</span>
                  </p>
                </>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
