import { useEffect, useRef, type KeyboardEvent } from 'react';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { moveInGrid } from '#client/lib/move-in-grid.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { addDays } from '#client/lib/wall-time.ts';
import type { PilotMissionDto } from '#shared/schemas/mission-lists.ts';
import { count } from '#shared/plural.ts';
import { MissionMark } from './mission-rows.tsx';
import { monthLater, weeksOf } from './month-model.ts';
import classes from './month-grid.module.css';

/** Missions that a day names; the others are a number. */
const NAMED = 3;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

const DAYS_BY_KEY: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 };
const MONTHS_BY_KEY: Record<string, 1 | -1> = { PageDown: 1, PageUp: -1 };

interface MonthGridProps {
  /** the chosen day, `YYYY-MM-DD`; its month is shown */
  day: string;
  today: string;
  missions: readonly PilotMissionDto[];
  onChoose: (day: string) => void;
}

/**
 * A month with its missions. Arrow keys move by a day or a week, Home and End to the ends of the week, Page Up and Page Down by
 * a month, Enter chooses a day. A day of another month is chosen at once, so that its month is shown.
 */
export function MonthGrid({ day, today, missions, onChoose }: MonthGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  /** the day of another month that a key leads to, which takes the focus once it is shown */
  const focusOn = useRef<string | null>(null);
  const missionsOf = Map.groupBy(missions, ({ startLocal }) => startLocal.slice(0, 10));
  useEffect(() => {
    const next = grid.current?.querySelector<HTMLElement>(`[data-start="${focusOn.current}"]`);
    if (next) {
      focusOn.current = null;
      next.focus();
    }
  });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const from = event.target instanceof HTMLElement ? event.target.dataset['start'] : undefined;
    const to = from === undefined ? undefined : dayAfterKey(from, event.key);
    if (to !== undefined && to.slice(0, 7) !== day.slice(0, 7)) {
      event.preventDefault();
      focusOn.current = to;
      onChoose(to);
      return;
    }
    const next =
      to === undefined
        ? grid.current && moveInGrid(grid.current, event.target, event.key, event.ctrlKey)
        : grid.current?.querySelector<HTMLElement>(`[data-start="${to}"]`);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  };

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its days take the focus
    <div ref={grid} role="grid" aria-label="Missions of the month" className={classes.grid} onKeyDown={onKeyDown}>
      <div role="row" className={classes.week}>
        {WEEKDAYS.map((name) => (
          <span key={name} role="columnheader" className={classes.weekday}>
            {name}
          </span>
        ))}
      </div>
      {weeksOf(day).map((week) => (
        <div key={week.find((date) => date !== null)} role="row" className={classes.week}>
          {week.map((date, weekday) =>
            date === null ? (
              <span key={WEEKDAYS[weekday]} role="gridcell" className={classes.gap}>
                <VisuallyHidden>another month</VisuallyHidden>
              </span>
            ) : (
              <div key={date} role="gridcell" className={classes.cell}>
                <Day
                  date={date}
                  isChosen={date === day}
                  isToday={date === today}
                  missions={missionsOf.get(date) ?? []}
                  onChoose={() => onChoose(date)}
                />
              </div>
            ),
          )}
        </div>
      ))}
    </div>
  );
}

/** @returns undefined for keys that move in the shown month only, or not at all */
function dayAfterKey(day: string, key: string): string | undefined {
  const days = DAYS_BY_KEY[key];
  if (days !== undefined) {
    return addDays(day, days);
  }
  const months = MONTHS_BY_KEY[key];
  return months === undefined ? undefined : monthLater(day, months);
}

interface DayProps {
  date: string;
  isChosen: boolean;
  isToday: boolean;
  missions: readonly PilotMissionDto[];
  onChoose: () => void;
}

function Day({ date, isChosen, isToday, missions, onChoose }: DayProps) {
  const own = missions.filter(({ mine }) => mine !== null).length;
  const words = [
    formatCalendarDate(date),
    ...(isToday ? ['today'] : []),
    missions.length === 0 ? 'no missions' : count(missions.length, 'mission'),
    ...(own > 0 ? [`${own} of them yours`] : []),
  ];
  return (
    <button
      type="button"
      className={classes.day}
      data-start={date}
      tabIndex={isChosen ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={words.join(', ')}
      data-today={isToday || undefined}
      onClick={onChoose}
    >
      <span className={classes.number}>{Number(date.slice(8))}</span>
      {missions.slice(0, NAMED).map((mission) => (
        <span key={mission.id} className={classes.mission}>
          <MissionMark mission={mission} /> <span className={classes.name}>{mission.name}</span>
        </span>
      ))}
      {missions.length > NAMED && <span className={classes.more}>+{missions.length - NAMED}</span>}
    </button>
  );
}
