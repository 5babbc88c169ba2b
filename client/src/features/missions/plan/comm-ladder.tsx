import { CopyButton } from '#client/components/copy-button.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import type { PilotMissionDetailDto } from '#shared/schemas/mission-lists.ts';
import { planCopy } from './plan-text.ts';
import classes from './comm-ladder.module.css';

type Flight = PilotMissionDetailDto['packages'][number]['flights'][number];

/** The flights that have a frequency: the reader's own first, then the rest of its package, then the others in board order. */
function ladderOf({ packages, mine }: Pick<PilotMissionDetailDto, 'packages' | 'mine'>): Flight[] {
  const isOwn = ({ id }: Flight): boolean => mine !== null && mine.holdsSeat && id === mine.flightId;
  const rankOf = (flight: Flight): number =>
    isOwn(flight) ? 0 : packages.some(({ flights }) => flights.includes(flight) && flights.some(isOwn)) ? 1 : 2;
  return packages
    .flatMap(({ flights }) => flights)
    .filter(({ radioFreq }) => radioFreq !== null)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Every frequency that the reader may know, in one table that can be read in a cockpit. */
export function CommLadder({ mission }: { mission: PilotMissionDetailDto }) {
  const flights = ladderOf(mission);
  if (flights.length === 0) return <p className={classes.none}>{planCopy.noFrequencies}</p>;
  const hasBothSides = new Set(flights.map(({ side }) => side)).size > 1;
  const own = mission.mine?.holdsSeat === true ? mission.mine.flightId : null;
  return (
    <table className={classes.ladder} aria-label="Comm ladder">
      <thead>
        <tr>
          <th scope="col">Radio</th>
          <th scope="col">Flight</th>
        </tr>
      </thead>
      <tbody>
        {flights.map((flight) => (
          <tr key={flight.id} data-own={flight.id === own || undefined}>
            <td>
              <span className={classes.radio}>
                {flight.radioFreq}
                <CopyButton
                  text={flight.radioFreq ?? ''}
                  label={`Copy frequency ${flight.radioFreq}`}
                  copiedLabel="Frequency copied"
                />
              </span>
            </td>
            <th scope="row">
              <span className={classes.callsign}>{flight.callsign}</span>{' '}
              {flight.id === own && <strong className={classes.you}>You</strong>}
              <span className={classes.what}>
                {flight.role}, {flight.aircraftName}
                {hasBothSides && <SideFlag side={flight.side} />}
              </span>
            </th>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
