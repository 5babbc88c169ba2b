import { Link } from '@tanstack/react-router';
import { Fact, Facts } from '#client/components/fact.tsx';
import { SideFlag } from '#client/components/side-flag.tsx';
import { Badge } from '#client/components/status-badge.tsx';
import { ZTime } from '#client/components/z-time.tsx';
import { seatLabel } from '#shared/labels.ts';
import type { FlightDto } from '#shared/schemas/missions.ts';
import classes from './flight-row.module.css';

interface FlightRowProps {
  flight: FlightDto;
  timeZone: string;
}

/** One flight: what it flies, when, on which radio, and who sits where. */
export function FlightRow({ flight, timeZone }: FlightRowProps) {
  return (
    <li className={classes.flight}>
      <div className={classes.head}>
        <h4 className={classes.callsign}>{flight.callsign}</h4>
        <div className={classes.counts}>
          {flight.acceptedCount > 0 && <Badge signal="green">{flight.acceptedCount} accepted</Badge>}
          {flight.pendingCount > 0 && <Badge signal="yellow">{flight.pendingCount} pending</Badge>}
          {flight.openSlots > 0 && <Badge signal="gray">{flight.openSlots} open</Badge>}
        </div>
      </div>
      <div className={classes.facts}>
        <Facts>
          <Fact label="Aircraft">
            {flight.aircraftName}, {flight.role}
          </Fact>
          <Fact label="Side">
            <SideFlag side={flight.side} />
          </Fact>
          {flight.launchUtc !== null && (
            <Fact label="Launch">
              <ZTime iso={flight.launchUtc} timeZone={timeZone} copyable={false} />
            </Fact>
          )}
          {flight.totUtc !== null && (
            <Fact label="TOT">
              <ZTime iso={flight.totUtc} timeZone={timeZone} copyable={false} />
            </Fact>
          )}
          <Fact label="Radio">
            <span className={classes.radio}>{flight.radioFreq ?? 'none'}</span>
          </Fact>
          <Fact label="Pilots" mono>
            {flight.assignments.length}/{flight.sizeCap}
          </Fact>
        </Facts>
      </div>
      {flight.assignments.length === 0 ? (
        <p className={classes.nobody}>No pilots assigned</p>
      ) : (
        <Seats flight={flight} />
      )}
      {flight.notes !== null && <p className={classes.notes}>{flight.notes}</p>}
    </li>
  );
}

function Seats({ flight }: { flight: FlightDto }) {
  const holders = new Map(flight.assignments.map((assignment) => [assignment.seatIndex, assignment]));
  const waiting = flight.pendingCount === 0 ? 'open' : flight.openSlots === 0 ? 'pending' : 'open or pending';
  return (
    <ol className={classes.seats}>
      {Array.from({ length: flight.sizeCap }, (_seat, seatIndex) => {
        const holder = holders.get(seatIndex);
        return (
          <li key={seatIndex} className={classes.seat} data-taken={holder !== undefined || undefined}>
            <span aria-hidden="true" className={classes.mark}>
              {holder === undefined ? '▯' : '▮'}
            </span>
            <span className={classes.number}>{seatLabel(seatIndex)}</span>
            {holder === undefined ? (
              <span>{waiting}</span>
            ) : (
              <Link to="/admin/users/$userId/availability" params={{ userId: holder.userId }} className={classes.pilot}>
                {holder.userDisplayName}
              </Link>
            )}
          </li>
        );
      })}
    </ol>
  );
}
