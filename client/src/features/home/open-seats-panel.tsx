import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { seatLabel } from '#shared/labels.ts';
import { OPENINGS_POLL_MS, OPENINGS_SHOWN } from '#shared/limits.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import { OpenMission, seatWords, type OpenMissionDto, type OpenSeat } from './open-mission.tsx';
import { polled } from '#client/lib/polling.ts';
import { seatCopy } from '#client/features/order/seat-text.ts';
import { withdrawalWords } from '#client/features/order/fly-anyway-text.ts';
import { useKeptFocus } from '#client/features/order/use-kept-focus.ts';
import { useTakeSeat } from '#client/features/order/use-take-seat.ts';
import { ClosedMissions } from './closed-missions.tsx';
import { FullMissions } from './full-missions.tsx';
import { NearMisses } from './near-misses.tsx';
import classes from './open-seats-panel.module.css';

/** Panel of open seats that the pilot can take, and of missions without a seat for the pilot, with the reason. */
export function OpenSeatsPanel() {
  const openings = trpc.pilot.seats.openings.useQuery(undefined, polled(OPENINGS_POLL_MS));
  return (
    <Panel title="Open seats" flush>
      <div className={openings.data === undefined ? classes.waiting : undefined}>
        <Loaded
          query={openings}
          loading={seatCopy.loadingOpenings}
          failure={seatCopy.openingsFailed}
          alwaysFailure
          rows={3}
        >
          {({ open, closed }) => <Openings open={open} closed={closed} />}
        </Loaded>
      </div>
    </Panel>
  );
}

function Openings({ open, closed }: OpeningsDto) {
  const { ref, onFocus } = useKeptFocus();
  const [showsAll, setShowsAll] = useState(false);
  const near = closed.filter(({ nearMiss }) => nearMiss !== null);
  const full = closed.filter(({ standby }) => standby === 'open');
  const others = closed.filter(({ nearMiss, standby }) => nearMiss === null && standby !== 'open');
  const shown = showsAll ? open : open.slice(0, OPENINGS_SHOWN);
  return (
    <div ref={ref} tabIndex={-1} className={classes.list} onFocus={onFocus}>
      {open.length === 0 && <p className={classes.nothing}>{seatCopy.noOpenings}</p>}
      <TakeableMissions missions={shown} />
      {shown.length < open.length && (
        <div className={classes.more}>
          <Button variant="subtle" className={classes.moreButton} onClick={() => setShowsAll(true)}>
            Show {open.length - shown.length} more
          </Button>
        </div>
      )}
      {near.length > 0 && <NearMisses missions={near} />}
      {full.length > 0 && <FullMissions missions={full} />}
      {others.length > 0 && <ClosedMissions missions={others} />}
    </div>
  );
}

interface TakeableMissionsProps {
  missions: readonly OpenMissionDto[];
  /** the page names the mission */
  isNamed?: boolean;
}

/** Missions with the seats that the pilot can take, and the confirmation for the chosen seat. */
export function TakeableMissions({ missions, isNamed = false }: TakeableMissionsProps) {
  const [chosen, setChosen] = useState<{ mission: OpenMissionDto; seat: OpenSeat } | null>(null);
  const { isTaking, take } = useTakeSeat();
  return (
    <>
      {missions.map((mission) => (
        <OpenMission
          key={mission.missionId}
          mission={mission}
          isNamed={isNamed}
          onChoose={(seat) => setChosen({ mission, seat })}
        />
      ))}
      {chosen !== null && (
        <TakeSeat
          {...chosen}
          busy={isTaking}
          onClose={() => setChosen(null)}
          onTake={() =>
            void take({
              missionId: chosen.mission.missionId,
              flightId: chosen.seat.flightId,
              seatIndex: chosen.seat.seatIndex,
              withdraws: chosen.mission.withdraws,
            }).then(() => setChosen(null))
          }
        />
      )}
    </>
  );
}

interface TakeSeatProps {
  mission: OpenMissionDto;
  seat: OpenSeat;
  busy: boolean;
  onClose: () => void;
  onTake: () => void;
}

/** Confirmation before a seat is taken, with its facts. */
function TakeSeat({ mission, seat, busy, onClose, onTake }: TakeSeatProps) {
  const { flightCallsign, seatIndex, isLead, aircraftName, role, side, launchUtc, isListed } = seat;
  return (
    <ConfirmModal
      opened
      title={`Take ${seatLabel(seatIndex).toLowerCase()} of ${flightCallsign}?`}
      confirmLabel="Take seat"
      busy={busy}
      onClose={onClose}
      onConfirm={onTake}
    >
      <div className={classes.terms}>
        <Facts>
          <Fact label="Mission">{mission.missionName}</Fact>
          <Fact label="Theater">{mission.theater}</Fact>
          <Fact label="Flight" mono>
            {flightCallsign}
          </Fact>
          <Fact label="Seat">{seatWords({ seatIndex, isLead })}</Fact>
          <Fact label="Aircraft">{aircraftName}</Fact>
          <Fact label="Role">{role}</Fact>
          <Fact label="Side">
            <SideFlag side={side} />
          </Fact>
          <Fact label={launchUtc === null ? 'Start' : 'Launch'}>
            <ZTime iso={launchUtc ?? mission.startUtc} withDate copyable={false} />
          </Fact>
        </Facts>
        {!isListed && <p className={classes.rule}>{seatCopy.notListedWarning}</p>}
        {mission.withdraws.length > 0 && <p className={classes.rule}>{withdrawalWords(mission.withdraws)}</p>}
        <p className={classes.rule}>{seatCopy.takenAtOnce}</p>
      </div>
    </ConfirmModal>
  );
}
