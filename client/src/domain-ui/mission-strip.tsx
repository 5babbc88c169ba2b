import { Mark, type Shape } from '#client/components/marks.tsx';
import { Placard } from '#client/components/placard.tsx';
import { formatShortDate } from '#client/lib/time.ts';
import type { Signal } from '#client/theme/tokens.ts';
import { LEDGER_DAYS } from '#shared/limits.ts';
import type { MissionOutcomeDto, MissionOutcomesDto } from '#shared/schemas/track-record.ts';
import { MISSION_OUTCOMES, type MissionOutcome } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';
import { sightingWords } from './seen-words.ts';
import { OUTCOME_NAMES, trackRecordCopy } from './track-record-text.ts';
import classes from './mission-strip.module.css';

/** Shapes differ without colour, too. */
const MARKS: Record<MissionOutcome, { signal: Signal; shape: Shape; filled?: true }> = {
  flown: { signal: 'green', shape: 'square', filled: true },
  standby: { signal: 'yellow', shape: 'circle' },
  declined_early: { signal: 'gray', shape: 'bar' },
  declined_late: { signal: 'red', shape: 'triangle' },
  no_show: { signal: 'red', shape: 'cross' },
  excused: { signal: 'gray', shape: 'diamond' },
  unanswered: { signal: 'yellow', shape: 'rectangle' },
  unmarked: { signal: 'gray', shape: 'square' },
};

const WEEK_MS = 7 * 86_400_000;
const WEEKS = Math.ceil(LEDGER_DAYS / 7);

interface MissionStripProps {
  history: MissionOutcomesDto;
  timeZone: string;
}

/** A pilot's missions of the last 90 days: a mark for the outcome of each, in a column for its week, with a legend and a list. */
export function MissionStrip({ history: { sinceUtc, outcomes }, timeZone }: MissionStripProps) {
  if (outcomes.length === 0) return <p className={classes.none}>{trackRecordCopy.noOutcomes}</p>;
  const since = Date.parse(sinceUtc);
  const byWeek = Map.groupBy(outcomes, ({ startUtc }) =>
    // a seat that was given back late can be of tomorrow's mission
    Math.min(WEEKS - 1, Math.floor((Date.parse(startUtc) - since) / WEEK_MS)),
  );
  const sentence = ({ startUtc, missionName, outcome, evidence }: MissionOutcomeDto): string => {
    const seen = evidence === null ? '' : ` (seen in the game: ${sightingWords(evidence)})`;
    return `${formatShortDate(startUtc, timeZone)}: ${missionName}, ${OUTCOME_NAMES[outcome].toLowerCase()}${seen}`;
  };
  return (
    <div className={classes.strip}>
      <Placard>{trackRecordCopy.outcomesTitle}</Placard>
      <div className={classes.weeks} role="img" aria-label={describe(outcomes)}>
        {Array.from({ length: WEEKS }, (_week, week) => (
          <span key={week} className={classes.week}>
            {byWeek.get(week)?.map((mission) => (
              <span key={mission.orderId} title={sentence(mission)} data-signal={MARKS[mission.outcome].signal}>
                <OutcomeMark outcome={mission.outcome} />
              </span>
            ))}
          </span>
        ))}
      </div>
      <p className={classes.ends} aria-hidden="true">
        <span>{formatShortDate(sinceUtc, timeZone)}</span>
        <span>today</span>
      </p>
      <dl className={classes.legend}>
        {countOutcomes(outcomes).map(([outcome, number]) => (
          <div key={outcome}>
            <dt data-signal={MARKS[outcome].signal}>
              <OutcomeMark outcome={outcome} />
              <span>{OUTCOME_NAMES[outcome]}</span>
            </dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
      <details className={classes.list}>
        <summary>All as a list</summary>
        <ol>
          {outcomes.toReversed().map((mission) => (
            <li key={mission.orderId}>{sentence(mission)}</li>
          ))}
        </ol>
      </details>
    </div>
  );
}

function OutcomeMark({ outcome }: { outcome: MissionOutcome }) {
  const { shape, filled = false } = MARKS[outcome];
  return <Mark shape={shape} filled={filled} size={16} />;
}

/** The outcomes that occur, with their numbers. */
function countOutcomes(outcomes: readonly MissionOutcomeDto[]): [MissionOutcome, number][] {
  return MISSION_OUTCOMES.map((name): [MissionOutcome, number] => [
    name,
    outcomes.filter(({ outcome }) => outcome === name).length,
  ]).filter(([, number]) => number > 0);
}

/** `12 missions in the last 90 days: 9 flown, 1 on standby, 2 no-show` */
function describe(outcomes: readonly MissionOutcomeDto[]): string {
  const counts = countOutcomes(outcomes).map(
    ([outcome, number]) => `${number} ${OUTCOME_NAMES[outcome].toLowerCase()}`,
  );
  const missions = count(outcomes.length, 'mission');
  return `${missions} in the last ${LEDGER_DAYS} days: ${counts.join(', ')}`;
}
