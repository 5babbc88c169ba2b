import { useId, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type MouseEvent } from 'react';
import { Segmented } from '#client/components/segmented.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { useIsPhone } from '#client/lib/use-phone.ts';
import { localDate } from '#shared/clock.ts';
import { SLOT_DEFAULT } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import {
  applyGesture,
  blocksByDay,
  HEADER_ROW,
  hourFrom,
  isStroke,
  slotLabel,
  startRow,
  strokeLabel,
  strokeOf,
  type Gesture,
} from './grid-model.ts';
import { BusyMarks, GridHead, GridRows } from './grid-parts.tsx';
import { SlotDialog } from './slot-dialog.tsx';
import { busyPieces, useBusyTimes } from './use-busy-times.ts';
import { useGridCursor } from './use-grid-cursor.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { fillFree, joinRow, sameWeek } from './week-edits.ts';
import { nextKey, type SlotRow } from './week.ts';
import { spanOf } from './week-spans.ts';
import { clockOf, eveningOffsets } from './week-times.ts';
import classes from './week-grid.module.css';

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
/** First visible row, 16:00, so that the evening is in view. */
const FIRST_ROW_SEEN = 32;
/** 18:00 */
const EVENING_ROW = 36;

interface WeekGridProps {
  rows: readonly SlotRow[];
  aircraft: readonly AircraftDto[];
  /** aircraft of painted slots */
  paintWith: string;
  timeZone: string;
  now: Date;
  onChange: (rows: readonly SlotRow[]) => void;
}

/**
 * Week grid for painting availability: seven columns (one on a phone) of half hours. Mouse and pen paint, move and resize;
 * touch taps, or holds and paints; on the keyboard arrows move, Shift extends, Enter adds or opens, Delete removes.
 */
export function WeekGrid({ rows, aircraft, paintWith, timeZone, now, onChange }: WeekGridProps) {
  const hintId = useId();
  const isNarrow = useIsPhone();
  const clock = clockOf(timeZone, now);
  const offsets = eveningOffsets(timeZone, now);
  const offset = offsets[clock.day] ?? 0;
  const [gesture, setGesture] = useState<Gesture | null>(null);
  const [said, setSaid] = useState('');
  const [openKey, setOpenKey] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    // Before the first frame, but after React's work: it needs the layout of all cells.
    const frame = requestAnimationFrame(() => {
      const cell = body.current?.querySelector('[data-cell]');
      scroller.current?.scrollTo({ top: FIRST_ROW_SEEN * (cell?.getBoundingClientRect().height ?? 0) });
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  const commit = (done: Gesture): void => {
    setGesture(null);
    const drawn = applyGesture(rows, done, paintWith);
    if (done.kind === 'paint') {
      setSaid(`Added ${strokeLabel(strokeOf(done.anchor, done.at, paintWith))}`);
      onChange(drawn.map((row) => (isStroke(row) ? { ...row, key: nextKey() } : row)));
      cursor.goTo({ day: done.anchor.day, row: Math.min(done.anchor.row, done.at.row), key: null });
      return;
    }
    const slot = drawn.find(({ key }) => key === done.key);
    if (!slot || sameWeek(drawn, rows)) {
      return;
    }
    setSaid(slotLabel(slot));
    onChange(joinRow(drawn, done.key));
    cursor.goTo({ day: slot.weekday, row: done.at.row, key: done.key });
  };

  const remove = (slot: SlotRow): void => {
    setSaid(`Removed ${slotLabel(slot)}`);
    onChange(rows.filter(({ key }) => key !== slot.key));
    cursor.goTo({ day: cursor.cursor.day, row: cursor.current.row, key: null });
  };

  const cursor = useGridCursor({
    start: { day: clock.day, row: EVENING_ROW },
    blocks: blocksByDay(rows),
    isNarrow,
    frame: scroller,
    gesture,
    onGesture: (next) => {
      setGesture(next);
      setSaid(next ? `${strokeLabel(strokeOf(next.anchor, next.at, paintWith))}, Enter adds it` : '');
    },
    onAdd: commit,
    onRemove: remove,
  });

  const { day } = cursor.cursor;
  const days = useMemo(() => (isNarrow ? [day] : DAYS), [isNarrow, day]);
  const blocks = blocksByDay(gesture ? applyGesture(rows, gesture, paintWith) : rows);
  const pointer = useGridPointer({ body, scroller, days, onGesture: setGesture, onDone: commit });
  const busy = busyPieces(useBusyTimes(), localDate(now, timeZone));
  const opened = rows.find(({ key }) => key === openKey);

  const fillDay = (weekday: number): void => {
    const next = fillFree(rows, [weekday], paintWith);
    const evening = `${WEEKDAYS[weekday] ?? ''} ${SLOT_DEFAULT.startLocal} to ${SLOT_DEFAULT.endLocal}`;
    cursor.setCursor({ day: weekday, row: HEADER_ROW, key: null });
    if (sameWeek(next, rows)) {
      setSaid(`${evening} is already taken`);
    } else {
      setSaid(`Added ${evening}`);
      onChange(next);
    }
  };

  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element)) {
      return;
    }
    const place = target.closest('[data-cell]');
    if (!place) {
      return;
    }
    const at = { day: Number(place.getAttribute('data-day')), row: Number(place.getAttribute('data-row')) };
    const key = target.closest('[data-block]')?.getAttribute('data-block');
    if (typeof key === 'string') {
      cursor.setCursor({ ...at, key });
      setOpenKey(key);
    } else {
      commit(hourFrom(at));
    }
  };

  return (
    <div className={classes.frame}>
      {isNarrow && (
        <div className={classes.days}>
          <Segmented
            label="Day"
            hideLabel
            segments={WEEKDAYS.map((name, value) => ({ value, label: name.slice(0, 3) }))}
            value={day}
            onChange={(next) => cursor.setCursor({ ...cursor.cursor, day: next, key: null })}
          />
        </div>
      )}
      <div ref={scroller} className={classes.scroller}>
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the cells are focusable, one at a time */}
        <div
          role="grid"
          aria-label={`Week grid, times are ${timeZone}`}
          aria-describedby={hintId}
          className={classes.grid}
          style={{ '--columns': days.length } as CSSProperties}
          onKeyDown={cursor.onKeyDown}
          onFocus={cursor.onFocus}
          onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setGesture(null)}
        >
          <GridHead
            days={days}
            timeZone={timeZone}
            offset={offset}
            offsets={offsets}
            isCurrent={cursor.isCurrent}
            onFill={fillDay}
          />
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the surrounding grid handles keys */}
          <div ref={body} role="rowgroup" className={classes.body} onClick={onClick} {...pointer}>
            <BusyMarks pieces={busy} days={days} />
            <GridRows
              days={days}
              blocks={blocks}
              aircraft={aircraft}
              timeZone={timeZone}
              now={now}
              clock={clock}
              offset={offset}
              cursor={cursor}
            />
          </div>
        </div>
      </div>
      <p id={hintId} className={classes.hint}>
        <span className={classes.byMouse}>
          Drag to paint, even across days. Click a free cell to add an hour, or a block to edit it. Drag a block or its
          ends to change it.
        </span>
        <span className={classes.byTouch}>Tap to add an hour, or hold and drag to paint. Tap a block to edit it.</span>
        <span className={classes.byMouse}> Keys: arrows, Enter, Shift+arrows for more than an hour, Delete.</span>
      </p>
      <VisuallyHidden>
        <output>{said}</output>
      </VisuallyHidden>
      {opened && (
        <SlotDialog
          slot={opened}
          aircraft={aircraft}
          timeZone={timeZone}
          now={now}
          onClose={() => setOpenKey(null)}
          onRemove={() => {
            setOpenKey(null);
            remove(opened);
          }}
          onDone={(changed) => {
            const next = rows.map((row) => (row.key === changed.key ? changed : row));
            setOpenKey(null);
            setSaid(slotLabel(changed));
            cursor.goTo({ day: changed.weekday, row: startRow(spanOf(changed) ?? { start: 0 }), key: changed.key });
            if (!sameWeek(next, rows)) {
              onChange(joinRow(next, changed.key));
            }
          }}
        />
      )}
    </div>
  );
}
