import { IconCalendarOff } from '@tabler/icons-react';
import { memo } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { formatCalendarDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_DEFAULT } from '#shared/limits.ts';
import { boardCopy } from './board-text.ts';
import { BoardMission } from './board-mission.tsx';
import { BOARD_REFRESH_MS } from './refresh.ts';

interface DayMissionsProps {
  date: string;
  today: string;
  timeZone: string;
}

/** Missions of the selected day. */
export const DayMissions = memo(function DayMissions({ date, today, timeZone }: DayMissionsProps) {
  const missions = trpc.admin.missionsByDate.useQuery(
    { date, tz: timeZone },
    { refetchInterval: BOARD_REFRESH_MS, staleTime: BOARD_REFRESH_MS },
  );
  const name = formatCalendarDate(date);
  return (
    <Panel
      title={`Missions ${name}`}
      flush={missions.data !== undefined && missions.data.missions.length > 0}
      actions={
        <LinkButton to="/admin/missions/$date" params={{ date }} variant="subtle" size="xs">
          Mission details
        </LinkButton>
      }
    >
      <Loaded
        query={missions}
        loading={boardCopy.loadingMissions}
        failure={copy.unknownError}
        prefix={boardCopy.missionsFailed}
        rows={6}
      >
        {(data) =>
          data.missions.length === 0 ? (
            <EmptyState
              icon={<IconCalendarOff size={40} />}
              title={`No missions on ${name}`}
              action={
                <LinkButton
                  to="/admin/missions"
                  // The form starts with today.
                  search={date === today ? {} : { start: `${date}T${MISSION_DEFAULT.startLocal}` }}
                  variant="default"
                >
                  Plan a mission on {name}
                </LinkButton>
              }
            />
          ) : (
            data.missions.map((mission) => (
              <BoardMission key={mission.id} mission={mission} date={data.date} timeZone={data.timeZone} />
            ))
          )
        }
      </Loaded>
    </Panel>
  );
});
