import { Button } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconCalendarOff, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { polled } from '#client/lib/polling.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { addDays } from '#client/lib/wall-time.ts';
import { localDate } from '#shared/clock.ts';
import { MISSION_RANGE_DAYS, POLL_MS } from '#shared/limits.ts';
import { MissionRows } from './mission-rows.tsx';
import { MonthGrid } from './month-grid.tsx';
import { monthLater, monthName, monthOf } from './month-model.ts';
import type { MissionsSearch } from './missions-search.ts';
import { planCopy } from './plan-text.ts';
import classes from './missions-page.module.css';

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'month', label: 'Month' },
] as const;
const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** /missions: the coming missions of a pilot, as a list or by month. */
export function MissionsPage() {
  const { timeZone } = useSignedInViewer();
  const { by = 'list', day } = useSearch({ from: '/_signed-in/missions/' });
  const navigate = useNavigate();
  const today = localDate(useNow(), timeZone);
  const show = (search: MissionsSearch): void =>
    void navigate({ to: '/missions', search, replace: true, resetScroll: false });
  return (
    <>
      <PageHeader
        title="Missions"
        documentTitle={by === 'month' ? 'Missions by month' : 'Missions'}
        lead={`Your seats and the missions you could join · ${timeZone}`}
        actions={
          <Segmented
            label="View"
            hideLabel
            segments={VIEWS}
            value={by}
            onChange={(next) => show(next === 'month' ? { by: next } : {})}
          />
        }
      />
      {by === 'month' ? (
        <MonthView day={day ?? today} today={today} onChoose={(chosen) => show({ by: 'month', day: chosen })} />
      ) : (
        <ListView today={today} />
      )}
    </>
  );
}

/** The missions from today on, by date. */
function ListView({ today }: { today: string }) {
  const [days, setDays] = useState<number>(MISSION_RANGE_DAYS.initial);
  const missions = trpc.pilot.missions.list.useQuery(
    { from: today, to: addDays(today, days - 1) },
    { ...polled(POLL_MS.inbox), placeholderData: keepPreviousData },
  );
  return (
    <>
      <Loaded query={missions} loading={planCopy.loadingMissions} failure={planCopy.missionsFailed} rows={6}>
        {(all) => {
          const coming = all.filter(({ status }) => status !== 'completed');
          return coming.length === 0 ? (
            <Panel>
              <EmptyState
                icon={<IconCalendarOff size={40} />}
                title={`${planCopy.noneComing} in the next ${days} days`}
                action={
                  <LinkButton to="/availability" variant="light">
                    Edit Availability
                  </LinkButton>
                }
              >
                {planCopy.noneYet}
              </EmptyState>
            </Panel>
          ) : (
            <div className={classes.days}>
              {[...Map.groupBy(coming, ({ startLocal }) => startLocal.slice(0, 10))].map(([date, ofDay]) => (
                <Panel key={date} title={date === today ? 'Today' : formatCalendarDate(date)} flush>
                  <MissionRows missions={ofDay} />
                </Panel>
              ))}
            </div>
          );
        }}
      </Loaded>
      {missions.data !== undefined && days < MISSION_RANGE_DAYS.max && (
        <Button
          variant="default"
          className={classes.more}
          loading={missions.isPlaceholderData}
          onClick={() => setDays(Math.min(days + MISSION_RANGE_DAYS.initial, MISSION_RANGE_DAYS.max))}
        >
          Show more days
        </Button>
      )}
    </>
  );
}

interface MonthViewProps {
  day: string;
  today: string;
  onChoose: (day: string) => void;
}

function MonthView({ day, today, onChoose }: MonthViewProps) {
  const { first, last } = monthOf(day);
  const missions = trpc.pilot.missions.list.useQuery({ from: first, to: last }, polled(POLL_MS.inbox));
  const ofDay = (missions.data ?? []).filter(({ startLocal }) => startLocal.startsWith(day));
  return (
    <div className={classes.days}>
      <Panel
        title={monthName(day)}
        flush
        actions={
          <div className={classes.stepper}>
            {!today.startsWith(day.slice(0, 7)) && (
              <Button variant="subtle" size="xs" onClick={() => onChoose(today)}>
                Today
              </Button>
            )}
            <MonthButton label="Previous month" onClick={() => onChoose(monthLater(day, -1))} />
            <MonthButton label="Next month" onClick={() => onChoose(monthLater(day, 1))} />
          </div>
        }
      >
        <MonthGrid day={day} today={today} missions={missions.data ?? []} onChoose={onChoose} />
      </Panel>
      <Panel title={formatCalendarDate(day)} flush>
        <div aria-live="polite" className={missions.data === undefined ? classes.waiting : undefined}>
          <Loaded query={missions} loading={planCopy.loadingMissions} failure={planCopy.missionsFailed} rows={2}>
            {() =>
              ofDay.length === 0 ? (
                <p className={classes.nothing}>No missions on {formatCalendarDate(day)}.</p>
              ) : (
                <MissionRows missions={ofDay} />
              )
            }
          </Loaded>
        </div>
      </Panel>
    </div>
  );
}

function MonthButton({ label, onClick }: { label: 'Previous month' | 'Next month'; onClick: () => void }) {
  const Icon = label === 'Next month' ? IconChevronRight : IconChevronLeft;
  return (
    <Button variant="default" className={classes.step} aria-label={label} onClick={onClick}>
      <Icon {...ICON} />
    </Button>
  );
}
