import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useState } from 'react';
import { Placard } from '#client/components/placard.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { count } from '#shared/plural.ts';
import { FlightCounts, FlightRow } from './flight-row.tsx';
import { findFlights } from './find-flights.ts';
import type { SeatWork } from './seats.tsx';
import classes from './packages.module.css';

/** Missions with at least this many seats have a search field. */
const SEARCHED_FROM = 24;
/** Missions with at least this many seats start with collapsed packages. */
const CLOSED_FROM = 65;

/** A search with at most this many matching flights expands its packages. */
const FEW_FLIGHTS = 12;

type PackageDto = MissionDto['packages'][number];

interface PackagesProps {
  mission: MissionDto;
  timeZone: string;
  work: SeatWork;
}

/** Packages of a mission, with a search for large missions. */
export function Packages({ mission, timeZone, work }: PackagesProps) {
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim());
  const seats = mission.packages.flatMap(({ flights }) => flights).reduce((sum, { sizeCap }) => sum + sizeCap, 0);
  const packages = findFlights(mission.packages, wanted, work.holders);
  const flights = packages.reduce((sum, pack) => sum + pack.flights.length, 0);
  const isFew = wanted !== '' && flights <= FEW_FLIGHTS;
  return (
    <>
      {seats >= SEARCHED_FROM && (
        <div className={classes.search}>
          <TextInput
            type="search"
            aria-label={`Find in ${mission.name}`}
            placeholder="Pilot, call sign, aircraft, role or “open”"
            className={classes.field}
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <output className={classes.found}>{wanted === '' ? `${seats} seats` : count(flights, 'flight')}</output>
        </div>
      )}
      {packages.map((pack) => (
        <Package
          // A new key expands the packages when the search finds few flights.
          key={`${pack.id}${isFew ? '?' : ''}`}
          pack={pack}
          timeZone={timeZone}
          work={work}
          isOpenAtFirst={isFew || seats < CLOSED_FROM}
        />
      ))}
    </>
  );
}

interface PackageProps {
  pack: PackageDto;
  timeZone: string;
  work: SeatWork;
  isOpenAtFirst: boolean;
}

function Package({ pack, timeZone, work, isOpenAtFirst }: PackageProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const sum = (read: (flight: PackageDto['flights'][number]) => number): number =>
    pack.flights.reduce((total, flight) => total + read(flight), 0);
  return (
    <details
      className={classes.package}
      aria-label={`Package ${pack.callsign}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={classes.packageHead}>
        <h3 className={classes.packageTitle}>
          <Placard>Package</Placard> {pack.callsign} <span className={classes.objective}>{pack.objective}</span>
        </h3>
        {!isOpen && (
          <FlightCounts
            accepted={sum(({ acceptedCount }) => acceptedCount)}
            pending={sum(({ pendingCount }) => pendingCount)}
            open={work.isOver ? 0 : sum(({ openSlots }) => openSlots)}
          />
        )}
      </summary>
      {(pack.launchUtc !== null || pack.totUtc !== null) && (
        <p className={classes.times}>
          {pack.launchUtc !== null && (
            <span>
              <Placard>
                <Term word="launch" />
              </Placard>{' '}
              <ZTime iso={pack.launchUtc} timeZone={timeZone} />
            </span>
          )}
          {pack.totUtc !== null && (
            <span>
              <Placard>
                <Term word="tot" />
              </Placard>{' '}
              <ZTime iso={pack.totUtc} timeZone={timeZone} copyable={false} />
            </span>
          )}
        </p>
      )}
      {pack.notes !== null && <p className={classes.notes}>{pack.notes}</p>}
      {/* There can be sixty. */}
      {isOpen && (
        <ul className={classes.flights}>
          {pack.flights
            .toSorted((a, b) => a.sortOrder - b.sortOrder)
            .map((flight) => (
              <FlightRow key={flight.id} flight={flight} timeZone={timeZone} work={work} />
            ))}
        </ul>
      )}
    </details>
  );
}
