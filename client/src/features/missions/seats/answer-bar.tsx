import { Term } from '#client/domain-ui/term.tsx';
import type { MissionDto } from '#shared/schemas/missions.ts';
import classes from './answer-bar.module.css';

interface AnswerBarProps {
  mission: MissionDto;
  /** pilots in the queue; undefined while the orders load */
  standby: number | undefined;
}

/** `7 accepted  3 asked  1 on standby  2 open`, and the seats as a bar in the same colours. */
export function AnswerBar({ mission, standby }: AnswerBarProps) {
  const flights = mission.packages.flatMap((pack) => pack.flights);
  const sum = (read: (flight: (typeof flights)[number]) => number): number =>
    flights.reduce((total, flight) => total + read(flight), 0);
  const parts = [
    { state: 'accepted', number: sum(({ acceptedCount }) => acceptedCount), words: 'accepted' },
    { state: 'asked', number: sum(({ pendingCount }) => pendingCount), words: 'asked' },
    { state: 'open', number: sum(({ openSlots }) => openSlots), words: 'open' },
  ];
  return (
    <div className={classes.answers} role="group" aria-label={`Answers in ${mission.name}`}>
      <ul className={classes.counts}>
        {parts.map(({ state, number, words }) => (
          <li key={state} data-state={state}>
            <strong>{number}</strong> {words}
          </li>
        ))}
        <li data-state="standby">
          <strong>{standby ?? '–'}</strong> on <Term word="standby">standby</Term>
        </li>
      </ul>
      <div className={classes.bar} aria-hidden="true">
        {parts.map(
          ({ state, number }) => number > 0 && <span key={state} data-state={state} style={{ flexGrow: number }} />,
        )}
      </div>
    </div>
  );
}
