/** Parts of a frag order that its card and its page share. */
import { CopyButton } from '#client/components/copy-button.tsx';
import { Fact } from '#client/components/fact.tsx';
import { Placard } from '#client/components/placard.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { CrewList } from './crew-list.tsx';
import classes from './order-parts.module.css';

/** Level, times and radio: what follows flight, aircraft and side. */
export function CockpitFacts({ mission }: { mission: AcceptedMissionDto }) {
  const { level, startUtc, launchUtc, totUtc, radioFreq } = mission;
  return (
    <>
      <Fact label="Level">
        <StatusBadge kind="level" value={level} />
      </Fact>
      <Fact label="Brief">
        <ZTime iso={startUtc} copyable={false} />
      </Fact>
      {launchUtc !== null && (
        <Fact label="Launch">
          <ZTime iso={launchUtc} />
        </Fact>
      )}
      {totUtc !== null && (
        <Fact label="TOT">
          <ZTime iso={totUtc} copyable={false} />
        </Fact>
      )}
      <Fact label="Radio">
        <Radio frequency={radioFreq} />
      </Fact>
    </>
  );
}

function Radio({ frequency }: { frequency: string | null }) {
  return frequency === null ? (
    <>not assigned</>
  ) : (
    <span className={classes.radio}>
      {frequency}
      <CopyButton text={frequency} label={`Copy frequency ${frequency}`} copiedLabel="Frequency copied" />
    </span>
  );
}

interface PackageCompositionProps {
  mission: AcceptedMissionDto;
  /** also the radio and the pilots of every flight */
  withCrews?: boolean;
}

/** `PACKAGE ALPHA: Strike, Syria` and its flights, the own one in bold. */
export function PackageComposition({ mission, withCrews = false }: PackageCompositionProps) {
  const { callsign, objective, composition } = mission.package;
  return (
    <div role="group" aria-label={`Package ${callsign}`}>
      <h3 className={classes.packageTitle}>
        <Placard>Package</Placard> {callsign}: {objective}
      </h3>
      <ul className={classes.composition} data-crews={withCrews || undefined}>
        {composition.map((flight) => (
          <li key={flight.callsign} data-own={flight.callsign === mission.flightCallsign || undefined}>
            <span className={classes.callsign}>{flight.callsign}</span>
            <span className={classes.aircraft}>
              {flight.seats} × {flight.aircraftName}
            </span>
            {withCrews && (
              <>
                <span className={classes.frequency}>{flight.radioFreq ?? 'not assigned'}</span>
                <CrewList callsign={flight.callsign} pilots={flight.pilots} />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `WHY YOU You are free from 1800Z to 2200Z.`; nothing without reasons. */
export function Reasons({ reasons }: { reasons: readonly string[] }) {
  return (
    reasons.length > 0 && (
      <p className={classes.why}>
        <Placard>Why you</Placard> {reasons.join(' ')}
      </p>
    )
  );
}

/** What the admin wrote for this flight; nothing without notes. */
export function Notes({ notes }: { notes: string | null }) {
  return notes !== null && <p className={classes.notes}>{notes}</p>;
}
