import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import classes from './crew-list.module.css';

interface CrewListProps {
  /** callsign of the flight */
  callsign: string;
  /** call signs by seat index; null if nobody has accepted */
  pilots: readonly (string | null)[];
}

/** `1 Maverick  2 –  3 Jester`: the pilots who have accepted the seats of a flight. */
export function CrewList({ callsign, pilots }: CrewListProps) {
  const seats = pilots.map((pilot, index) => ({ number: index + 1, pilot }));
  return (
    <ol className={classes.crew} aria-label={`Crew of ${callsign}`}>
      {seats.map(({ number, pilot }) => (
        <li key={number}>
          <span className={classes.number}>{number}</span>{' '}
          <span>
            {pilot ?? (
              <>
                <span aria-hidden="true">–</span>
                <VisuallyHidden>nobody yet</VisuallyHidden>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
