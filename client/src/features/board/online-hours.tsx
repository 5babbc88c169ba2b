import { useMemo } from 'react';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { formatCalendarDate } from '#client/lib/time.ts';
import { instantOfWallTime } from '#client/lib/wall-time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { formatLocal, formatSpan, formatZulu, isZuluZone } from '#shared/clock.ts';
import { count } from '#shared/plural.ts';
import { layOutMissions, type OnlineDay } from './online-figures.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';
import classes from './online-hours.module.css';

/** Local times of the labels. */
const HOURS = ['00:00', '06:00', '12:00', '18:00', '24:00'];

/** Rows of bars, for which there is always room. */
const LANES = 3;

interface OnlineHoursProps {
  day: OnlineDay;
  timeZone: string;
}

/** The hours below the chart of a day, and its missions as bars under them. */
export function OnlineHours({ day, timeZone }: OnlineHoursProps) {
  const { date } = day;
  // the list of the day's missions, further down on the board, has the same query
  const { data } = trpc.admin.missionsByDate.useQuery({ date, tz: timeZone }, { staleTime: BOARD_REFRESH_MS });
  const { bars, hidden } = useMemo(
    () => layOutMissions(data?.missions.filter(({ status }) => status !== 'cancelled') ?? [], day, LANES),
    [data, day],
  );
  const name = formatCalendarDate(date);
  return (
    <div className={classes.hours}>
      <div className={classes.axis} aria-hidden="true">
        {HOURS.map((time) => (
          <Hour key={time} instant={instantOfWallTime(date, time, timeZone)} day={day} timeZone={timeZone} />
        ))}
      </div>
      <div className={classes.missions}>
        {bars.length > 0 && (
          <ul className={classes.lanes} aria-label={`Missions on ${name}`}>
            {bars.map(({ id, lane, from, width, label, name: mission, startUtc, endUtc }) => (
              <li
                key={id}
                className={classes.bar}
                style={{ top: `calc(${lane} * var(--lane))`, insetInlineStart: `${from}%`, width: `${width}%` }}
                data-label={label}
                title={`${mission}, ${formatSpan(startUtc, endUtc, timeZone, date)}`}
              >
                <span className={classes.name}>{mission}</span>
                <VisuallyHidden>, {formatSpan(startUtc, endUtc, timeZone, date)}</VisuallyHidden>
              </li>
            ))}
          </ul>
        )}
        {data !== undefined && bars.length === 0 && <p className={classes.none}>No missions on {name}</p>}
        {hidden > 0 && <p className={classes.more}>and {count(hidden, 'more mission')}</p>}
      </div>
    </div>
  );
}

interface HourProps extends OnlineHoursProps {
  instant: Date | undefined;
}

/** `1700Z` above `1800L`; a reader in UTC sees one line. */
function Hour({ instant, day: { startMs, endMs }, timeZone }: HourProps) {
  if (instant === undefined) return null;
  const percent = ((instant.getTime() - startMs) / (endMs - startMs)) * 100;
  return (
    <span className={classes.hour} style={{ insetInlineStart: `${percent}%` }}>
      <span>{formatZulu(instant)}</span>
      {!isZuluZone(timeZone) && <span className={classes.local}>{formatLocal(instant, timeZone)}</span>}
    </span>
  );
}
