import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { seatCopy } from '#client/features/order/seat-text.ts';
import { seatLabel } from '#shared/labels.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import { count } from '#shared/plural.ts';
import classes from './open-mission.module.css';

export type OpenMissionDto = OpeningsDto['open'][number];
export type OpenSeat = OpenMissionDto['seats'][number];

/** `Seat 2`, `Seat 1 (lead)` */
export function seatWords({ seatIndex, isLead }: Pick<OpenSeat, 'seatIndex' | 'isLead'>): string {
  return `${seatLabel(seatIndex)}${isLead ? ' (lead)' : ''}`;
}

interface OpenMissionProps {
  mission: OpenMissionDto;
  /** true when the page names the mission */
  isNamed: boolean;
  onChoose: (seat: OpenSeat) => void;
}

/** A mission with its open seats, one row per flight; its name links to its page. */
export function OpenMission({ mission, isNamed, onChoose }: OpenMissionProps) {
  const { missionId, missionName, theater, startUtc, seats } = mission;
  const flights = Map.groupBy(seats, ({ flightId }) => flightId);
  return (
    <article aria-label={`Open seats in ${missionName}`} className={classes.mission}>
      {!isNamed && (
        <>
          <div className={classes.head}>
            <h3 className={classes.title}>
              <Link to="/missions/$missionId" params={{ missionId }}>
                {missionName}
              </Link>
            </h3>
            <Badge signal="cyan">{count(seats.length, 'seat')} open</Badge>
          </div>
          <p className={classes.when}>
            {theater} · <ZTime iso={startUtc} withDate copyable={false} />
          </p>
        </>
      )}
      <ul className={classes.flights}>
        {[...flights].map(([flightId, open]) => (
          <OpenFlight key={flightId} missionName={missionName} seats={open} onChoose={onChoose} />
        ))}
      </ul>
    </article>
  );
}

interface OpenFlightProps {
  missionName: string;
  /** open seats of one flight, at least one */
  seats: readonly OpenSeat[];
  onChoose: (seat: OpenSeat) => void;
}

function OpenFlight({ missionName, seats, onChoose }: OpenFlightProps) {
  const [first] = seats;
  if (first === undefined) {
    return null;
  }
  const { flightCallsign, aircraftName, role, side, launchUtc, isListed } = first;
  return (
    <li className={classes.flight}>
      <div className={classes.what}>
        <span className={classes.callsign}>{flightCallsign}</span>
        <span>
          {aircraftName}, {role}
        </span>
        <SideFlag side={side} />
        {launchUtc !== null && (
          <span className={classes.launch}>
            Launch <ZTime iso={launchUtc} copyable={false} />
          </span>
        )}
        {!isListed && <Badge signal="yellow">{seatCopy.notListed}</Badge>}
      </div>
      <div className={classes.seats} role="group" aria-label={`Open seats of ${flightCallsign}`}>
        {seats.map((seat) => (
          <Button
            key={seat.seatIndex}
            variant="light"
            className={classes.button}
            aria-label={`Take ${seatWords(seat).toLowerCase()} of ${flightCallsign} in ${missionName}`}
            onClick={() => onChoose(seat)}
          >
            Take {seatWords(seat).toLowerCase()}
          </Button>
        ))}
      </div>
    </li>
  );
}
