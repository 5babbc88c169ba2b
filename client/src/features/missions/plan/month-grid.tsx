import { useEffect, useRef, type KeyboardEvent } from 'react';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { moveInGrid } from '#client/lib/move-in-grid.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import type { PilotMissionDto } from '#shared/schemas/mission-lists.ts';
import { count } from '#client/features/missions/mission-text.ts';
import { MissionMark } from './mission-rows.tsx';
import { monthLater, weeksOf } from './month-model.ts';
import classes from './month-grid.module.css';

/** Missions that a day names; the others are a number. */
const NAMED = 3;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

interface MonthGridProps {
  /** the chosen day, `YYYY-MM-DD`; its month is shown */
  day: string;
  today: string;
  missions: readonly PilotMissionDto[];
  onChoose: (day: string) => void;
}

/**
 * A month with its missions. Arrow keys, Home and End move between days, Enter chooses one, Page Up and Page Down change the
 * month.
 */
export function MonthGrid({ day, today, missions, onChoose }: MonthGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  /** the day that Page Up or Page Down leads to, which takes the focus once it is shown */
  const focusOn = useRef<string | null>(null);
  const missionsOf = Map.groupBy(missions, ({ startLocal }) => startLocal.slice(0, 10));
  useEffect(() => {
    const next = grid.current?.querySelector<HTMLElement>(`[data-start="${focusOn.current}"]`);
    if (next) {
      focusOn.current = null;
      next.focus();
    }
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'PageDown' || event.key === 'PageUp') {
      event.preventDefault();
      focusOn.current = monthLater(day, event.key === 'PageDown' ? 1 : -1);
      onChoose(focusOn.current);
      return;
    }
    const next = grid.current === null ? undefined : moveInGrid(grid.current, event.target, event.key, event.ctrlKey);
    if (next !== undefined) {
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
