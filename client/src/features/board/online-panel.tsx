import { memo, useDeferredValue, useMemo } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { formatCalendarDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { ExpectedOnlineDto } from '#shared/schemas/dashboard.ts';
import { boardCopy } from './board-text.ts';
import { OnlineChart } from './online-chart.tsx';
import { OnlineTable } from './online-table.tsx';
import { describeWeek, onlineInput, scaleOf, splitDays } from './online-figures.ts';
import { OnlineHours } from './online-hours.tsx';
import { OnlineWeek } from './online-week.tsx';
import { BOARD_REFRESH_MS, keepPrevious } from './refresh.ts';
import type { ChangeBoard } from './use-board-search.ts';
import { boardDays } from './week-days.ts';
import classes from './online-panel.module.css';

const VIEWS = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

interface OnlinePanelProps extends Pick<ChartsProps, 'today' | 'picked' | 'timeZone' | 'onPick'> {
  now: Date;
  view: 'table' | undefined;
  onChange: ChangeBoard;
}

/** Panel with the pilots expected over the next seven days, as charts of each day or a table. */
export const OnlinePanel = memo(function OnlinePanel({
  now,
  today,
  picked,
  timeZone,
  view,
  onPick,
  onChange,
}: OnlinePanelProps) {
  // The switch answers at once; React renders the other view in slices.
  const shown = useDeferredValue(view);
  const series = trpc.admin.dashboard.expectedOnline.useQuery(onlineInput(now, today, timeZone), {
    refetchInterval: BOARD_REFRESH_MS,
    staleTime: BOARD_REFRESH_MS,
    placeholderData: keepPrevious,
  });
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
        {(data) => (
          <>
            <p className={classes.summary}>{describeWeek(data.points, timeZone)}</p>
            {shown === 'table' ? (
              <OnlineTable series={data} timeZone={timeZone} />
            ) : (
              <Charts series={data} today={today} picked={picked} timeZone={timeZone} onPick={onPick} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
});

interface ChartsProps {
  series: ExpectedOnlineDto;
  /** `YYYY-MM-DD` in the reader's zone */
  today: string;
  /** the day that is shown large */
  picked: string;
  timeZone: string;
  onPick: (day: string) => void;
}

/** The picked day large with its missions, and below it the week in small charts of the same scale. */
function Charts({ series: { points, bucketMinutes }, today, picked, timeZone, onPick }: ChartsProps) {
  const days = useMemo(() => splitDays(points, boardDays(today), timeZone), [points, today, timeZone]);
  const scale = useMemo(() => scaleOf(points), [points]);
  const day = days.find(({ date }) => date === picked);
  return (
    <>
      {day !== undefined && (
        <>
          <h3 className={classes.day}>{formatCalendarDate(day.date)}</h3>
          <OnlineChart day={day} bucketMinutes={bucketMinutes} scale={scale} timeZone={timeZone} />
          <OnlineHours day={day} timeZone={timeZone} />
        </>
      )}
      <OnlineWeek days={days} top={scale.at(-1) ?? 1} picked={picked} onPick={onPick} />
      <p className={classes.key} aria-hidden="true">
        <span data-series="expected">Expected pilots</span>
        <span data-series="committed">Seats taken</span>
        <span data-series="mission">Mission</span>
      </p>
    </>
  );
}
