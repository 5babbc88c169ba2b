import { memo } from 'react';
import { Fact, Facts } from '#client/components/fact.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { FlightDto } from '#shared/schemas/missions.ts';
import { SeatMeter } from './seat-meter.tsx';
import { Seats, type SeatWork } from './seats.tsx';
import classes from './flight-row.module.css';

interface FlightRowProps {
  flight: FlightDto;
  timeZone: string;
  work: SeatWork;
}

/** A flight with its facts and seats. Memoized, so that a search does not re-render every flight. */
export const FlightRow = memo(function FlightRow({ flight, timeZone, work }: FlightRowProps) {
  return (
    <li className={classes.flight}>
      <div className={classes.head}>
        <h4 className={classes.callsign}>{flight.callsign}</h4>
        <SeatMeter flight={flight} />
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
        </Facts>
      </div>
      {flight.assignments.length === 0 && (
        <p className={classes.nobody}>
          No pilots assigned{flight.pendingCount > 0 && ` yet, ${flight.pendingCount} asked`}
        </p>
      )}
      <Seats flight={flight} work={work} />
      {flight.notes !== null && (
        <div className={classes.notes}>
          <Notes texts={[flight.notes]} />
        </div>
      )}
    </li>
  );
});

/** Badges such as `3 accepted` `1 pending` `2 open`, without zeros. */
export function FlightCounts({ accepted, pending, open }: { accepted: number; pending: number; open: number }) {
  return (
    <span className={classes.counts}>
      {accepted > 0 && <Badge signal="green">{accepted} accepted</Badge>}
      {pending > 0 && <Badge signal="yellow">{pending} pending</Badge>}
      {open > 0 && <Badge signal="gray">{open} open</Badge>}
    </span>
  );
}
