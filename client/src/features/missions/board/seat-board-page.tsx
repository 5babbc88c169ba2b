import { Link, useParams } from '@tanstack/react-router';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { polled } from '#client/lib/polling.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { boardCopy, FIXED } from './board-text.ts';
import { SeatBoard } from './seat-board.tsx';
import classes from './seat-board-page.module.css';

/** /admin/missions/board/{id}: the seats of one mission and the pilots for them, for admins. */
export function SeatBoardPage() {
  const { missionId } = useParams({ from: '/_signed-in/admin/missions/board/$missionId' });
  const { timeZone } = useSignedInViewer();
  const mission = trpc.admin.mission.get.useQuery({ id: missionId, tz: timeZone }, polled(POLL_MS.inbox));
  const board = trpc.admin.mission.seatBoard.useQuery({ id: missionId }, polled(POLL_MS.inbox));
  const isUnknown = [400, 404].includes(errorStatus(mission.error) ?? 0);
  return (
    <>
      {/* with the board, or else it would push down what says that it is loading */}
      <BoardHeader mission={board.data && mission.data} timeZone={timeZone} />
      {mission.data !== undefined && board.data !== undefined ? (
        <>
          <p className={classes.hint}>{FIXED[mission.data.status] ?? boardCopy.howTo}</p>
          <SeatBoard
            key={missionId}
            mission={mission.data}
            board={board.data}
            canChange={mission.data.status === 'scheduled'}
            guard={(isDirty) => <LeaveGuard isDirty={isDirty}>{boardCopy.unsaved}</LeaveGuard>}
          />
        </>
      ) : (
        <Panel>
          {isUnknown ? (
            <EmptyState
              title={errorMessage(mission.error, boardCopy.failed)}
              action={<LinkButton to="/admin">Board</LinkButton>}
            >
              {boardCopy.noSuchMission}
            </EmptyState>
          ) : (
            <Loaded
              query={mission.data === undefined ? mission : board}
              loading={boardCopy.loading}
              failure={copy.unknownError}
              prefix={boardCopy.failed}
              rows={8}
            >
              {() => null}
            </Loaded>
          )}
        </Panel>
      )}
    </>
  );
}

function BoardHeader({ mission, timeZone }: { mission: MissionDto | undefined; timeZone: string }) {
  if (mission === undefined) return <PageHeader title="Seat board" lead={<>&nbsp;</>} />;
  const date = localDate(mission.startUtc, timeZone);
  return (
    <>
      <Link to="/admin/missions/$date" params={{ date }} search={{ mission: mission.id }} className={classes.back}>
        ← Mission details
      </Link>
      <PageHeader
        title={mission.name}
        documentTitle={`Seats of ${mission.name}`}
        lead={
          <span className={classes.lead}>
            <span>
              {mission.theater} · {formatShortDate(mission.startUtc, timeZone)}
            </span>
            <ZSpan start={mission.startUtc} end={mission.endUtc} timeZone={timeZone} date={date} />
          </span>
        }
        actions={<StatusBadge kind="mission" value={mission.status} />}
      />
    </>
  );
}
