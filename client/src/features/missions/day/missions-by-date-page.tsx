import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { IconCalendarOff } from '@tabler/icons-react';
import { useState } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_DEFAULT, POLL_MS } from '#shared/limits.ts';
import { isCalendarDate } from '#shared/calendar-date.ts';
import type { EditedMissionDto } from '#shared/schemas/mission-edit.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { count } from '#shared/plural.ts';
import { DayStepper } from './day-stepper.tsx';
import { MissionCard } from './mission-card.tsx';
import { MissionSheets } from './mission-sheet.tsx';
import { useIsPrinting } from './use-is-printing.ts';
import { sayDone } from '#client/features/missions/edit/edit-consequences.ts';
import { usePrintedMission } from './use-printed-mission.ts';
import classes from './missions-by-date-page.module.css';

/** /admin/missions/{date}: mission details of a date in the viewer's zone, for admins. */
export function MissionsByDatePage() {
  const { date } = useParams({ from: '/_signed-in/admin/missions/$date' });
  const { timeZone } = useSignedInViewer();
  return (
    <>
      <Link to="/admin" className={classes.back}>
        ← Board
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
              Today’s missions
            </LinkButton>
          }
        >
          “{date}” in the address is not a date. Write it like {today}.
        </EmptyState>
      </Panel>
    </>
  );
}

function DayOfMissions({ date, timeZone }: { date: string; timeZone: string }) {
  const navigate = useNavigate();
  const { mission: linkedId, tab = 'roster' } = useSearch({ from: '/_signed-in/admin/missions/$date' });
  const now = useNow();
  const today = localDate(now, timeZone);
  const missions = trpc.admin.missionsByDate.useQuery({ date, tz: timeZone }, { staleTime: POLL_MS.inbox });
  const [notice, setNotice] = useState<{ date: string; missionId: string; said: string } | null>(null);
  const [edited, setEdited] = useState<readonly MissionDto[]>([]);
  const [shownDate, setShownDate] = useState(date);
  if (date !== shownDate) {
    // Open editors and notices belong to the previous day, except the notice about a mission that moved to this one.
    setShownDate(date);
    setEdited([]);
    setNotice(notice?.date === date ? notice : null);
  }
  const { printedId, print } = usePrintedMission();
  const isPrinting = useIsPrinting();

  const listed = missions.data?.missions ?? [];
  // A mission being edited stays in the list even if another admin moves it, so that no input is lost.
  const shown = [...listed, ...edited.filter(({ id }) => !listed.some((mission) => mission.id === id))];

  const finishEdit = ({ mission, ...done }: EditedMissionDto): void => {
    const others = edited.filter(({ id }) => id !== mission.id);
    setEdited(others);
    const newDate = localDate(mission.startUtc, timeZone);
    if (newDate !== date && others.length > 0) {
      // Navigating to the new day would lose input in other open forms.
      showToast(`${mission.name} is on ${formatCalendarDate(newDate)} now. ${sayDone(done)}`);
      return;
    }
    setNotice({ date: newDate, missionId: mission.id, said: sayDone(done) });
    if (newDate !== date) {
      void navigate({
        to: '/admin/missions/$date',
        params: { date: newDate },
        search: { mission: mission.id },
        ignoreBlocker: true,
      });
    }
  };

  return (
    <>
      <PageHeader
        title={`Mission Details - ${date}`}
        lead={<Lead date={date} timeZone={timeZone} total={missions.data?.totalMissions} />}
        actions={<DayStepper date={date} today={today} />}
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
      ) : shown.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<IconCalendarOff size={40} />}
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
          {shown.map((mission) => (
            <MissionCard
              key={mission.id}
              mission={mission}
              date={date}
              timeZone={missions.data.timeZone}
              now={now}
              isLinked={mission.id === linkedId}
              tab={mission.id === linkedId ? tab : 'roster'}
              onTab={(next) =>
                void navigate({
                  to: '/admin/missions/$date',
                  params: { date },
                  search: { mission: mission.id, tab: next },
                  replace: true,
                  resetScroll: false,
                  ignoreBlocker: true,
                })
              }
              isEdited={edited.some(({ id }) => id === mission.id)}
              notice={notice?.missionId === mission.id ? notice.said : null}
              onNotice={(said) => setNotice(said === null ? null : { date, missionId: mission.id, said })}
              onEdit={(isOpen) => {
                setEdited((open) => [...open.filter(({ id }) => id !== mission.id), ...(isOpen ? [mission] : [])]);
                // Cleared, so that the same message after the next save is announced again.
                setNotice((last) => (last?.missionId === mission.id ? null : last));
              }}
              onEdited={finishEdit}
              onPrint={() => print(mission.id)}
            />
          ))}
          {isPrinting && (
            <MissionSheets
              missions={printedId === null ? shown : shown.filter(({ id }) => id === printedId)}
              timeZone={missions.data.timeZone}
              now={now}
            />
          )}
        </div>
      )}
    </>
  );
}

/** `Fri, Nov 20 · 2 missions · Europe/Berlin` */
function Lead({ date, timeZone, total }: { date: string; timeZone: string; total: number | undefined }) {
  const missions = total === undefined ? [] : [count(total, 'mission')];
  return <>{[formatCalendarDate(date), ...missions, timeZone].join(' · ')}</>;
}
