import { Loaded, useIsShown } from '#client/components/loaded.tsx';
import { Placard } from '#client/components/placard.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { boardCopy } from './board-text.ts';
import { FillChart } from './fill-chart.tsx';
import { CHART_WEEKS_MIN, describeFill, fillPercent, fillWords, weekName, type FillWeek } from './fill-text.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';
import classes from './fill-rate.module.css';

/**
 * The share of seats that were filled when missions started, by week, as a line and as a list. One or two points are no line, so
 * the first weeks are only figures. Keeps its height.
 */
export function FillRate({ timeZone }: { timeZone: string }) {
  const fill = trpc.admin.dashboard.fillRate.useQuery(
    { tz: timeZone },
    { refetchInterval: BOARD_REFRESH_MS, staleTime: BOARD_REFRESH_MS },
  );
  const isShown = useIsShown(fill);
  return (
    <section className={classes.fill} aria-label={boardCopy.fillTitle}>
      <div className={classes.words}>
        <Placard>{boardCopy.fillTitle}</Placard>
        <Loaded
          query={fill}
          loading={boardCopy.loadingFill}
          failure={copy.unknownError}
          prefix={boardCopy.fillFailed}
          rows={0}
        >
          {({ weeks }) => (hasChart(weeks) ? <Summary weeks={weeks} /> : <FirstWeeks weeks={weeks.filter(hasSeats)} />)}
        </Loaded>
      </div>
      {isShown && fill.data !== undefined && hasChart(fill.data.weeks) && <FillChart weeks={fill.data.weeks} />}
    </section>
  );
}

const hasSeats = (week: FillWeek): boolean => fillPercent(week) !== null;
const hasChart = (weeks: readonly FillWeek[]): boolean => weeks.filter(hasSeats).length >= CHART_WEEKS_MIN;

/** The weeks with missions while they are too few for a chart. */
function FirstWeeks({ weeks }: { weeks: readonly FillWeek[] }) {
  if (weeks.length === 0) return <p className={classes.none}>{boardCopy.noFill}</p>;
  return (
    <>
      <Weeks weeks={weeks} />
      <p className={classes.none}>{boardCopy.fewWeeks}</p>
    </>
  );
}

function Summary({ weeks }: { weeks: readonly FillWeek[] }) {
  return (
    <>
      <p className={classes.sentence}>{describeFill(weeks)}</p>
      <details className={classes.list}>
        <summary>All weeks as a list</summary>
        <Weeks weeks={weeks} />
      </details>
    </>
  );
}

/** The latest week first. */
function Weeks({ weeks }: { weeks: readonly FillWeek[] }) {
  return (
    <ol reversed className={classes.weeks}>
      {weeks.toReversed().map((week) => (
        <li key={week.startDate}>
          {weekName(week)}: {fillWords(week)}
        </li>
      ))}
    </ol>
  );
}
