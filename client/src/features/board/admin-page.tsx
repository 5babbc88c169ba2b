import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { inSlices, Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { formatZulu, localDate } from '#shared/clock.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { boardCopy } from './board-text.ts';
import { DayGrid } from './day-grid.tsx';
import { DayMissions } from './day-missions.tsx';
import { EveningPanel } from './evening-panel.tsx';
import { GuidedStart } from './guided-start-part.ts';
import { HeatPanel } from './heat-panel.tsx';
import { Launches } from './launches.tsx';
import { NeedsPanel } from './needs-panel.tsx';
import { OfflineBot } from './offline-bot.tsx';
import { OnlinePanel } from './online-panel.tsx';
import { RecommendedPanel } from './recommended-panel.tsx';
import { BOARD_REFRESH_MS, keepPrevious } from './refresh.ts';
import { SetupWarnings } from './setup-warnings.tsx';
import { readTimesAsk } from './times-ask.ts';
import { useBoardSearch } from './use-board-search.ts';
import { usePrefetchDay } from './use-prefetch-day.ts';
import { WaitingNotice } from './waiting-notice.tsx';
import { pickDay } from './week-days.ts';
import classes from './admin-page.module.css';

/** Stays the same value, so that panels are not rendered again. */
const NO_AIRCRAFT: readonly AircraftDto[] = [];

/** The board waits no longer than this for the guided start. */
const PATIENCE_MS = 500;

/** True until the query has an answer, but not for long. */
function useWait({ isPending }: { isPending: boolean }): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isPending && !isOver;
}

/** In place of the panels that show the pilots' times. */
function NoTimesPanel({ className }: { className: string | undefined }) {
  return (
    <Panel title="Pilots' times" className={className}>
      <EmptyState
        title={boardCopy.noTimes}
        action={
          <span className={classes.ways}>
            <LinkButton to="/admin/invites" variant="default">
              Create an invite
            </LinkButton>
            <LinkButton to="/availability" variant="default">
              Add your own times
            </LinkButton>
          </span>
        }
      >
        {boardCopy.noTimesYet}
      </EmptyState>
    </Panel>
  );
}

/** /admin and /admin/dashboard: the operations board for the next seven days, with details of the selected day. */
export const AdminPage = inSlices(function AdminPage() {
  const { timeZone } = useSignedInViewer();
  const now = useNow();
  const today = localDate(now, timeZone);
  const [search, change] = useBoardSearch();
  const picked = pickDay(search.day, today);
  // The tiles answer at once; React renders the panels of another day in slices.
  const shown = useDeferredValue(picked);
  const week = trpc.admin.dashboard.weeklySummary.useQuery(
    { startDate: today, tz: timeZone },
    { refetchInterval: BOARD_REFRESH_MS, staleTime: BOARD_REFRESH_MS, placeholderData: keepPrevious },
  );
  const started = trpc.admin.community.start.useQuery(undefined, { staleTime: 0 });
  const start = started.data;
  // A checklist that appeared later would move everything below it.
  const isWaiting = useWait(started);
  // Panels that have nothing to show yet stay away.
  const hasTimes = start?.withTimes !== 0;
  const hasMissions = hasTimes || start.hasMission;
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const { minutes, seats } = search;
  const ask = useMemo(() => readTimesAsk({ minutes, seats }, aircraft.data), [minutes, seats, aircraft.data]);
  const prefetch = usePrefetchDay(timeZone, ask);
  const pick = useCallback((day: string) => change({ day }), [change]);
  return (
    <>
      <PageHeader
        title="Operations board"
        lead={
          <>
            {timeZone}
            {week.dataUpdatedAt > 0 && <> · as of {formatZulu(new Date(week.dataUpdatedAt))}</>}
          </>
        }
        actions={
          <>
            <LinkButton to="/admin/missions">Create Mission</LinkButton>
            <LinkButton to="/admin/users" variant="default">
              Manage Users
            </LinkButton>
            <LinkButton to="/admin/discord/guilds" variant="default">
              Discord Guilds
            </LinkButton>
          </>
        }
      />
      <OfflineBot />
      <SetupWarnings />
      <WaitingNotice />
      {/* also while the checklist is loading, for the same reason */}
      <Suspense fallback={<div hidden data-unsettled />}>
        <div className={classes.board} data-settle="narrow" data-waiting={isWaiting || undefined}>
          {start?.isShown && <GuidedStart start={start} className={classes.wide} />}
          {hasMissions && <NeedsPanel now={now} timeZone={timeZone} className={classes.wide} />}
          <Panel title="Next 7 Days" className={`${classes.wide} ${classes.week}`}>
            <Loaded
              query={week}
              loading={boardCopy.loadingDashboard}
              failure={copy.unknownError}
              prefix={boardCopy.dashboardFailed}
              rows={3}
            >
              {({ dailySummaries }) => (
                <DayGrid days={dailySummaries} today={today} picked={picked} onPick={pick} onAim={prefetch} />
              )}
            </Loaded>
          </Panel>
          {hasTimes ? (
            <>
              <div className={classes.online}>
                <OnlinePanel
                  now={now}
                  today={today}
                  picked={shown}
                  timeZone={timeZone}
                  view={search.online}
                  onPick={pick}
                  onChange={change}
                />
              </div>
              <div className={classes.heat}>
                <HeatPanel
                  now={now}
                  today={today}
                  timeZone={timeZone}
                  picked={shown}
                  view={search.heat}
                  aircraftId={search.aircraft}
                  onChange={change}
                />
              </div>
              <div className={classes.times}>
                <RecommendedPanel
                  date={shown}
                  timeZone={timeZone}
                  ask={ask}
                  aircraft={aircraft.data ?? NO_AIRCRAFT}
                  // Seats from the address count only once their aircraft are known.
                  isReady={seats === undefined || !aircraft.isPending}
                  onChange={change}
                />
              </div>
            </>
          ) : (
            <NoTimesPanel className={classes.wide} />
          )}
          {hasMissions && (
            <div className={hasTimes ? classes.launches : classes.wide}>
              <Panel title="Upcoming launches" flush={week.data !== undefined}>
                <Loaded
                  query={week}
                  loading={boardCopy.loadingDashboard}
                  failure={copy.unknownError}
                  prefix={boardCopy.dashboardFailed}
                  rows={3}
                >
                  {({ upcomingLaunches }) => <Launches launches={upcomingLaunches} now={now} timeZone={timeZone} />}
                </Loaded>
              </Panel>
            </div>
          )}
          {hasMissions && <EveningPanel now={now} today={today} timeZone={timeZone} className={classes.wide} />}
          <div className={classes.wide}>
            <DayMissions date={shown} today={today} timeZone={timeZone} />
          </div>
        </div>
      </Suspense>
    </>
  );
});
