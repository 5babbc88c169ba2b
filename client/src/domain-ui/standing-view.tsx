import type { StandingDto } from '#shared/schemas/standing.ts';
import { Fact, Facts } from '#client/components/fact.tsx';
import { Placard } from '#client/components/placard.tsx';
import { debtSentence, percent, reliabilitySentence, standingCopy, type Reader } from './standing-text.ts';
import classes from './standing-view.module.css';

/** A pilot's track record: reliability, attendance counts, and fairness in words. */
export function StandingView({ standing, reader }: { standing: StandingDto; reader: Reader }) {
  return (
    <div className={classes.view}>
      <p className={classes.figure}>
        <strong className={classes.percent}>{percent(standing.reliability)}</strong> {standingCopy.figure}
      </p>
      <Facts>
        <Fact label="Flown" mono>
          {standing.attended}
        </Fact>
        <Fact label="No-shows" mono>
          {standing.noShows}
        </Fact>
        <Fact label="Given back late" mono>
          {standing.lateCancels}
        </Fact>
        <Fact label="Excused" mono>
          {standing.excused}
        </Fact>
      </Facts>
      <p className={classes.text}>{reliabilitySentence(standing, reader)}</p>
      <div className={classes.ledger}>
        <Placard>Fairness</Placard>
        <p className={classes.text}>
          <strong>{debtSentence(standing, reader)}</strong> {standingCopy.ledgerSpan}
        </p>
      </div>
      {reader === 'pilot' && <p className={classes.secret}>{standingCopy.secret}</p>}
    </div>
  );
}
