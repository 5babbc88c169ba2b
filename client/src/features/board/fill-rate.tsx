import { Loaded } from '#client/components/loaded.tsx';
import { Placard } from '#client/components/placard.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { boardCopy } from './board-text.ts';
import { FillChart } from './fill-chart.tsx';
import { describeFill, fillWords, sumWeeks, weekName, type FillWeek } from './fill-text.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';
import classes from './fill-rate.module.css';

/** The share of seats that were filled when missions started, by week, as a line and as a list. Keeps its height. */
export function FillRate({ timeZone }: { timeZone: string }) {
  const fill = trpc.admin.dashboard.fillRate.useQuery(
    { tz: timeZone },
    { refetchInterval: BOARD_REFRESH_MS, staleTime: BOARD_REFRESH_MS },
  );
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
          {({ weeks }) =>
            sumWeeks(weeks).missions === 0 ? (
              <p className={classes.none}>{boardCopy.noFill}</p>
            ) : (
              <>
                <p className={classes.sentence}>{describeFill(weeks)}</p>
                <WeekList weeks={weeks} />
              </>
            )
          }
        </Loaded>
      </div>
      {fill.data !== undefined && sumWeeks(fill.data.weeks).missions > 0 && <FillChart weeks={fill.data.weeks} />}
    </section>
  );
}

function WeekList({ weeks }: { weeks: readonly FillWeek[] }) {
  return (
    <details className={classes.list}>
      <summary>All weeks as a list</summary>
      <ol reversed>
        {weeks.toReversed().map((week) => (
          <li key={week.startDate}>
            {weekName(week)}: {fillWords(week)}
          </li>
        ))}
      </ol>
    </details>
  );
}
