import { Choice } from '#client/components/choice.tsx';
import { seatName } from '#client/features/missions/mission-text.ts';
import type { MisfitDto } from '#shared/schemas/mission-edit.ts';
import { count } from '#shared/plural.ts';
import classes from './misfit-list.module.css';

interface MisfitListProps {
  misfits: readonly MisfitDto[];
  kept: ReadonlySet<string>;
  onKeep: (userId: string, isKept: boolean) => void;
}

/** Pilots who no longer fit the edited mission, by name and reason, each with a box to keep them. */
export function MisfitList({ misfits, kept, onKeep }: MisfitListProps) {
  const lost = misfits.filter(({ userId, isKeepable }) => !isKeepable || !kept.has(userId)).length;
  return (
    <div className={classes.misfits} role="group" aria-label="Pilots who no longer fit">
      <p className={classes.lead}>
        {lost === 0
          ? 'You keep all pilots who no longer fit.'
          : `${count(lost, 'pilot')} no longer ${lost === 1 ? 'fits' : 'fit'} and will lose ${lost === 1 ? 'the seat' : 'their seats'}, unless you keep them:`}
      </p>
      <ul className={classes.list}>
        {misfits.map(({ userId, userDisplayName, flightCallsign, seatIndex, rsvp, sentence, isKeepable }) => {
          const place = `${seatName(flightCallsign, seatIndex)}, ${rsvp === 'accepted' ? 'accepted' : 'asked'}`;
          return (
            <li key={userId}>
              {isKeepable ? (
                <Choice
                  label={`Keep ${userDisplayName} on ${place}`}
                  meaning={sentence}
                  checked={kept.has(userId)}
                  onChange={(isKept) => onKeep(userId, isKept)}
                />
              ) : (
                <p className={classes.fixed}>
                  {userDisplayName} loses {place}. <span className={classes.why}>{sentence}</span>
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
