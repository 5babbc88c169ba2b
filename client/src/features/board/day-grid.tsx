import { memo } from 'react';
import { formatCalendarDate } from '#client/lib/time.ts';
import type { WeeklySummaryDto } from '#shared/schemas/dashboard.ts';
import { nounOf } from '#shared/plural.ts';
import classes from './day-grid.module.css';

type DaySummary = WeeklySummaryDto['dailySummaries'][number];

interface DayGridProps {
  days: readonly DaySummary[];
  /** `YYYY-MM-DD` in the reader's zone */
  today: string;
  picked: string;
  onPick: (day: string) => void;
  /** called on hover or focus, to prefetch */
  onAim: (day: string) => void;
}

/** Seven day tiles with counts; one is selected. */
export const DayGrid = memo(function DayGrid({ days, today, picked, onPick, onAim }: DayGridProps) {
  return (
    <div className={classes.grid} role="group" aria-label="Day">
      {days.map((day) => (
        <DayTile
          key={day.dateLocal}
          day={day}
          isToday={day.dateLocal === today}
          isPicked={day.dateLocal === picked}
          onPick={onPick}
          onAim={onAim}
        />
      ))}
    </div>
  );
});

interface DayTileProps extends Pick<DayGridProps, 'onPick' | 'onAim'> {
  day: DaySummary;
  isToday: boolean;
  isPicked: boolean;
}

const DayTile = memo(function DayTile({ day, isToday, isPicked, onPick, onAim }: DayTileProps) {
  const aim = (): void => onAim(day.dateLocal);
  return (
    <button
      type="button"
      className={classes.tile}
      aria-pressed={isPicked}
      onClick={() => onPick(day.dateLocal)}
      onPointerEnter={aim}
      onFocus={aim}
    >
      <span className={classes.date}>
        {formatCalendarDate(day.dateLocal)} {isToday && <span className={classes.today}>today</span>}
      </span>
      <span className={classes.counts}>
        <Count count={day.missions} noun="mission" />
        <Count count={day.flights} noun="flight" />
        <Count count={day.pilotsAssigned} word="assigned" />
        <Count count={day.awaitingSlots} word="awaiting" isWaiting={day.awaitingSlots > 0} />
      </span>
    </button>
  );
});

interface CountProps {
  count: number;
  noun?: string;
  word?: string;
  isWaiting?: boolean;
}

/** A count with its label. The number comes first for screen readers and is drawn below its label. */
function Count({ count: number, noun, word, isWaiting = false }: CountProps) {
  const said = noun === undefined ? word : nounOf(number, noun);
  return (
    <span className={classes.count} data-waiting={isWaiting || undefined}>
      <span className={classes.number}>{number}</span> <span className={classes.word}>{said}</span>{' '}
    </span>
  );
}
