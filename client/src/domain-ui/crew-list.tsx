import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { Avatar } from './avatar.tsx';
import classes from './crew-list.module.css';

interface CrewListProps {
  /** callsign of the flight */
  callsign: string;
  /** call signs by seat index; null if nobody has accepted */
  pilots: readonly (string | null)[];
  /** index of the reader's own seat; null if it is in another flight */
  ownSeat?: number | null;
}

/** `1 Maverick  2 –  3 Jester`: the pilots who have accepted the seats of a flight. */
export function CrewList({ callsign, pilots, ownSeat = null }: CrewListProps) {
  const seats = pilots.map((pilot, index) => ({ number: index + 1, pilot, isOwn: index === ownSeat }));
  return (
    <ol className={classes.crew} aria-label={`Crew of ${callsign}`}>
      {seats.map(({ number, pilot, isOwn }) => (
        <li key={number} data-own={isOwn || undefined}>
          <span className={classes.number}>{number}</span> {pilot !== null && <Avatar name={pilot} />}
          <span>
            {isOwn && <strong className={classes.you}>You</strong>}{' '}
            {pilot ??
              (isOwn ? null : (
                <>
                  <span aria-hidden="true">–</span>
                  <VisuallyHidden>nobody yet</VisuallyHidden>
                </>
              ))}
          </span>
        </li>
      ))}
    </ol>
  );
}
