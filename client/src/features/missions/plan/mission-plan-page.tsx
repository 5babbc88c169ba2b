import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Fact, Facts } from '#client/components/fact.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { LinkList } from '#client/domain-ui/briefing/link-list.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { ThreadPanel } from '#client/domain-ui/thread/thread-panel.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { errorMessage, errorStatus } from '#client/lib/errors.ts';
import { polled } from '#client/lib/polling.ts';
import { isAdmin, useSignedInViewer } from '#client/lib/session.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { localDate } from '#shared/clock.ts';
import { seatLabel } from '#shared/labels.ts';
import { POLL_MS } from '#shared/limits.ts';
import { MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { PilotMissionDetailDto } from '#shared/schemas/mission-lists.ts';
import { CommLadder } from './comm-ladder.tsx';
import { PlanTimes } from './plan-times.tsx';
import { PlanPackages } from './plan-packages.tsx';
import { planCopy } from './plan-text.ts';
import classes from './mission-plan-page.module.css';

interface MissionPlanPageProps {
  /** the seats that a pilot without one can take */
  openSeats: (missionId: string) => ReactNode;
}

/** /missions/{id}: a mission as its pilots read it, with the plan of their side. */
export function MissionPlanPage({ openSeats }: MissionPlanPageProps) {
  const { missionId } = useParams({ from: '/_signed-in/missions/$missionId' });
  const mission = trpc.pilot.missions.get.useQuery({ id: missionId }, polled(POLL_MS.inbox));
  const status = errorStatus(mission.error);
  return (
    <>
      <PlanHeader mission={mission.data} />
      {mission.data !== undefined ? (
        <Plan mission={mission.data} openSeats={openSeats} />
      ) : (
        <Panel>
          {status === 400 || status === 404 ? (
            <EmptyState
              title={errorMessage(mission.error, planCopy.missionFailed)}
              action={
                <LinkButton to="/missions" variant="light">
                  All missions
                </LinkButton>
              }
            >
              {planCopy.noSuchMission}
            </EmptyState>
          ) : (
            <Loaded query={mission} loading={planCopy.loadingMission} failure={planCopy.missionFailed} rows={8}>
              {() => null}
            </Loaded>
          )}
        </Panel>
      )}
    </>
  );
}

/** The page's heading, shown before the mission is loaded, so that it can keep the focus. */
function PlanHeader({ mission }: { mission: PilotMissionDetailDto | undefined }) {
  const viewer = useSignedInViewer();
  if (mission === undefined) return <PageHeader title="Mission" lead={<>&nbsp;</>} />;
  return (
    <PageHeader
      title={mission.name}
      lead={`${mission.theater} · ${formatShortDate(mission.startUtc, viewer.timeZone)}`}
      actions={
        <>
          {isAdmin(viewer) && (
            <LinkButton
              to="/admin/missions/$date"
              params={{ date: localDate(mission.startUtc, viewer.timeZone) }}
              search={{ mission: mission.id }}
              variant="default"
            >
              Manage mission
            </LinkButton>
          )}
          <LinkButton to="/missions" variant="default">
            All missions
          </LinkButton>
        </>
      }
    />
  );
}

function Plan({ mission, openSeats }: MissionPlanPageProps & { mission: PilotMissionDetailDto }) {
  const { packages, mine, links } = mission;
  const texts = MISSION_TEXT_KEYS.flatMap((key) => mission[key] ?? []);
  const views = new Set(packages.flatMap(({ flights }) => flights.map(({ view }) => view)));
  const hasPlan = views.has('plan');
  const seesWho = hasPlan || views.has('roster');
  return (
    <div className={classes.board}>
      <div className={classes.aside}>
        <Panel title="Your seat" actions={<StatusBadge kind="mission" value={mission.status} />}>
          <div className={classes.seat}>
            <OwnSeat mine={mine} />
            <Facts>
              <Fact label="Start">
                <ZTime iso={mission.startUtc} withDate />
              </Fact>
              <Fact label="End">
                <ZTime iso={mission.endUtc} copyable={false} />
              </Fact>
            </Facts>
            {!hasPlan && <p className={classes.hint}>{seesWho ? planCopy.needsSeat : planCopy.secretSides}</p>}
          </div>
        </Panel>
        {mine === null && mission.status === 'scheduled' && openSeats(mission.id)}
        {hasPlan && (
          <Panel title="Comm ladder" flush>
            <CommLadder mission={mission} />
          </Panel>
        )}
      </div>
      <div className={classes.plan}>
        {(hasPlan || texts.length > 0) && (
          <Panel title="Briefing">
            <div className={classes.briefing}>
              {texts.length === 0 && links.length === 0 && <p className={classes.hint}>{planCopy.noNotes}</p>}
              {texts.length > 0 && <Notes texts={texts} />}
              <LinkList links={links} />
            </div>
          </Panel>
        )}
        <PlanTimes mission={mission} />
        <PlanPackages mission={mission} />
        <ThreadPanel missionId={mission.id} />
      </div>
    </div>
  );
}

/** The reader's order for the mission, with a link to it. */
function OwnSeat({ mine }: Pick<PilotMissionDetailDto, 'mine'>) {
  if (mine === null) return <p className={classes.own}>You have no seat in this mission.</p>;
  const { flightCallsign, seatIndex, aircraftName, role, side, rsvp, standbyPosition } = mine;
  return (
    <div className={classes.own}>
      <p className={classes.place}>
        <strong>
          {standbyPosition === null
            ? `${flightCallsign}, ${seatLabel(seatIndex).toLowerCase()}`
            : `Number ${standbyPosition} on standby`}
        </strong>{' '}
        <StatusBadge kind="rsvp" value={rsvp} />
      </p>
      <p className={classes.place}>
        {role}, {aircraftName} <SideFlag side={side} />
      </p>
      <Link to="/orders/$orderId" params={{ orderId: mine.orderId }} className={classes.link}>
        Open my order
      </Link>
    </div>
  );
}
