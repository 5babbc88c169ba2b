import type { ReactNode } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { CrewList } from '#client/domain-ui/crew-list.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { FACT_LABELS, NOT_ASSIGNED } from '#shared/order-facts.ts';
import type { PilotMissionDetailDto } from '#shared/schemas/mission-lists.ts';
import { count } from '#shared/plural.ts';
import classes from './plan-packages.module.css';

type Package = PilotMissionDetailDto['packages'][number];
type Flight = Package['flights'][number];

/** A panel for each package: objective, times, and its flights with their crews or open seats. */
export function PlanPackages({ mission: { packages, mine } }: { mission: PilotMissionDetailDto }) {
  return packages.map((one) => (
    <Panel key={one.id} title={`Package ${one.callsign}`} actions={<PackageSide flights={one.flights} />} flush>
      {(one.objective !== null || one.notes !== null) && (
        <div className={classes.head}>
          {one.objective !== null && <p className={classes.objective}>{one.objective}</p>}
          {one.notes !== null && <Notes texts={[one.notes]} />}
        </div>
      )}
      <ul className={classes.flights}>
        {one.flights.map((flight) => (
          <PlanFlight
            key={flight.id}
            flight={flight}
            ownSeat={mine !== null && mine.holdsSeat && mine.flightId === flight.id ? mine.seatIndex : null}
          />
        ))}
      </ul>
    </Panel>
  ));
}

function PackageSide({ flights }: { flights: readonly Flight[] }) {
  const [first] = flights;
  return first && <SideFlag side={first.side} />;
}

interface PlanFlightProps {
  flight: Flight;
  /** index of the reader's seat; null if it is in another flight */
  ownSeat: number | null;
}

function PlanFlight({ flight, ownSeat }: PlanFlightProps) {
  const { callsign, aircraftName, role, sizeCap, openSlots, launchUtc, totUtc, radioFreq, notes, view, pilots } =
    flight;
  return (
    <li className={classes.flight} data-own={ownSeat !== null || undefined}>
      <div className={classes.line}>
        <h3 className={classes.callsign}>{callsign}</h3>
        <span className={classes.what}>
          {role}, {sizeCap} × {aircraftName}
        </span>
        {openSlots > 0 && <Badge signal="cyan">{count(openSlots, 'seat')} open</Badge>}
        {view === 'plan' && <span className={classes.radio}>{radioFreq ?? `Radio ${NOT_ASSIGNED}`}</span>}
      </div>
      <div className={classes.times}>
        <Time label={FACT_LABELS.launchUtc} instant={launchUtc} />
        <Time label={<Term word="tot" />} instant={totUtc} />
      </div>
      {pilots !== null && <CrewList callsign={callsign} pilots={pilots} ownSeat={ownSeat} />}
      {notes !== null && <Notes texts={[notes]} />}
    </li>
  );
}

function Time({ label, instant }: { label: ReactNode; instant: string | null }) {
  return (
    instant !== null && (
      <span>
        {label} <ZTime iso={instant} copyable={false} />
      </span>
    )
  );
}
