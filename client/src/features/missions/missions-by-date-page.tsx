import { Link, useParams } from '@tanstack/react-router';
import { IconChevronLeft, IconChevronRight, IconCalendarOff } from '@tabler/icons-react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatCalendarDate, localDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { addDays } from '#client/lib/wall-time.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_DEFAULT, POLL_MS } from '#shared/limits.ts';
import { isCalendarDate } from '#shared/schemas/common.ts';
import { MissionCard } from './mission-card.tsx';
import classes from './missions-by-date-page.module.css';

/** /admin/missions/{date}: every mission that starts on that date in the viewer's zone. */
export function MissionsByDatePage() {
  const { date } = useParams({ from: '/_signed-in/admin/missions/$date' });
  const { timeZone } = useSignedInViewer();
  return (
    <>
      <Link to="/admin" className={classes.back}>
        ← Dashboard
      </Link>
      {isCalendarDate(date) ? <DayOfMissions date={date} timeZone={timeZone} /> : <NoSuchDate date={date} />}
    </>
  );
}

function NoSuchDate({ date }: { date: string }) {
  const { timeZone } = useSignedInViewer();
  const today = localDate(useNow(), timeZone);
  return (
    <>
      <PageHeader title="Mission Details" />
      <Panel>
        <EmptyState
          title="This is not a date"
          action={
            <LinkButton to="/admin/missions/$date" params={{ date: today }}>
              Missions of today
            </LinkButton>
          }
        >
          The address names “{date}”. A date is written like {today}.
        </EmptyState>
      </Panel>
    </>
  );
}

function DayOfMissions({ date, timeZone }: { date: string; timeZone: string }) {
  const today = localDate(useNow(), timeZone);
  const missions = trpc.admin.missionsByDate.useQuery({ date, tz: timeZone }, { staleTime: POLL_MS.inbox });
  return (
    <>
      <PageHeader
        title={`Mission Details - ${date}`}
        lead={<Lead date={date} timeZone={timeZone} total={missions.data?.totalMissions} />}
        actions={
          <>
            <DayLink date={addDays(date, -1)} label="Previous day" />
            <DayLink date={addDays(date, 1)} label="Next day" />
          </>
        }
      />
      {missions.data === undefined ? (
        <Panel>
          <Loaded
            query={missions}
            loading="Loading mission details..."
            failure={copy.unknownError}
            prefix="Error loading mission details: "
            rows={6}
          >
            {() => null}
          </Loaded>
        </Panel>
      ) : missions.data.missions.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<IconCalendarOff size={40} stroke={1.5} />}
            title={`No missions found for ${date}`}
            action={
              <LinkButton
                to="/admin/missions"
                search={date < today ? {} : { start: `${date}T${MISSION_DEFAULT.startLocal}` }}
              >
                Create mission
              </LinkButton>
            }
          />
        </Panel>
      ) : (
        <div className={classes.missions}>
          {missions.data.missions.map((mission) => (
            <MissionCard key={mission.id} mission={mission} timeZone={missions.data.timeZone} />
          ))}
        </div>
      )}
    </>
  );
}

/** `Fri, Nov 20 · 2 missions · Europe/Berlin` */
function Lead({ date, timeZone, total }: { date: string; timeZone: string; total: number | undefined }) {
  const count = total === undefined ? [] : [`${total} ${total === 1 ? 'mission' : 'missions'}`];
  return <>{[formatCalendarDate(date), ...count, timeZone].join(' · ')}</>;
}

function DayLink({ date, label }: { date: string; label: 'Previous day' | 'Next day' }) {
  const isNext = label === 'Next day';
  const Icon = isNext ? IconChevronRight : IconChevronLeft;
  const icon = <Icon size={18} stroke={1.75} aria-hidden="true" />;
  return (
    <LinkButton
      to="/admin/missions/$date"
      params={{ date }}
      variant="default"
      aria-label={`${label}, ${formatCalendarDate(date)}`}
      leftSection={isNext ? undefined : icon}
      rightSection={isNext ? icon : undefined}
    >
      {formatCalendarDate(date)}
    </LinkButton>
  );
}
