import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { useNow } from '#client/lib/use-now.ts';
import { useIsPhone } from '#client/lib/use-phone.ts';
import type { AircraftDto, SlotInput } from '#shared/schemas/availability.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';
import { DayRow } from './day-row.tsx';
import { useUndoKeys } from './use-undo-keys.ts';
import { useWeek, type SlotErrors } from './use-week.ts';
import { useWeekView } from './use-week-view.ts';
import type { WeekNews } from './use-kept-week.ts';
import { ANY_AIRCRAFT, isSameWeek, newRow, withKeysOf, type SlotRow } from './week.ts';
import { WeekGrid } from './week-grid.tsx';
import { WeekConflict } from './week-conflict.tsx';
import { PaintWith, WeekTools } from './week-tools.tsx';
import { ZoneOfWeek } from './zone-of-week.tsx';
import classes from './week-form.module.css';

/** Conflict on save: the week changed on the server since it was loaded. */
export interface Conflict {
  rows: SlotRow[];
}

interface WeekFormProps {
  /** initial value; the form keeps its own rows afterwards */
  initialRows: SlotRow[];
  /** the week kept on this device, which the form starts with; null if there is none */
  keptRows: SlotRow[] | null;
  /** the kept week waits to be sent */
  isWaiting: boolean;
  /** what has become of it */
  news: WeekNews | null;
  /** the pilot has chosen the stored week */
  onTakeTheirs: () => void;
  aircraft: readonly AircraftDto[];
  failure: string;
  isSaving: boolean;
  /** saves; returns a conflict instead if the week changed on the server, and 'kept' if the week waits on this device */
  save: (slots: SlotInput[]) => Promise<Conflict | 'kept' | null>;
  onSaved: () => unknown;
  submitLabel: string;
  back: ReactNode;
  /** further panels between the week and the bar that saves it */
  children?: ReactNode;
}

const NO_ERRORS: ReadonlyMap<string, SlotErrors> = new Map();

/**
 * Form for the weekly availability, as a grid and as seven day rows. Leaving with unsaved changes asks for confirmation,
 * except for navigations with `ignoreBlocker`.
 */
export function WeekForm({
  initialRows,
  keptRows,
  isWaiting,
  news,
  onTakeTheirs,
  aircraft,
  failure,
  isSaving,
  save,
  onSaved,
  submitLabel,
  back,
  children,
}: WeekFormProps) {
  const { timeZone } = useSignedInViewer();
  const now = useNow();
  const week = useWeek(initialRows, keptRows ? withKeysOf(initialRows, keptRows) : initialRows);
  const [view, setView] = useWeekView();
  const isPhone = useIsPhone();
  const [paintWith, setPaintWith] = useState(ANY_AIRCRAFT);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const errorId = useId();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const { rows, changes, problem, edit } = week;
  const hasSlotErrors = problem !== null && problem.slots.size > 0;
  // Errors stand at the rows. A phone has room for either view.
  const hasRows = view === 'list' || !isPhone || hasSlotErrors;
  useUndoKeys(week.undo, week.redo);
  const isKept = isWaiting && keptRows !== null && isSameWeek(rows, keptRows);
  const isUnsaved = changes > 0 && !isKept;
  const [heard, setHeard] = useState(news);
  if (news !== null && news !== heard) {
    setHeard(news);
    const stored = withKeysOf(rows, news.rows);
    week.rebase(stored);
    if (news.isConflict) setConflict({ rows: stored });
  }

  // Runs after the error box took the focus: focuses the first invalid field, which the box describes.
  useEffect(() => {
    if (problem !== null && problem.slots.size > 0) {
      form.current?.querySelector<HTMLElement>('[data-week-row] [aria-invalid="true"]')?.focus();
    }
  }, [problem]);

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    const slots = week.check(failure);
    if (slots === null) {
      return;
    }
    try {
      const changed = await save(slots);
      if (changed === 'kept') {
        setConflict(null);
      } else if (changed) {
        const theirs = withKeysOf(rows, changed.rows);
        setConflict({ rows: theirs });
        week.rebase(theirs);
      } else {
        setConflict(null);
        await onSaved();
      }
    } catch (cause) {
      week.fail(errorMessage(cause, failure));
    }
  };

  const zone = <ZoneOfWeek timeZone={timeZone} now={now} />;
  const views = (
    <Segmented
      label="View"
      hideLabel
      segments={[
        { value: 'grid', label: 'Grid' },
        { value: 'list', label: 'List' },
      ]}
      value={view}
      onChange={setView}
    />
  );
  const painting = view === 'grid' && <PaintWith aircraft={aircraft} value={paintWith} onChange={setPaintWith} />;

  return (
    <div className={classes.editor}>
      <form ref={form} id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <Panel title="Week" flush className={classes.week} actions={isPhone ? views : zone}>
          {isPhone && <div className={classes.zone}>{zone}</div>}
          <div className={classes.view}>
            {!isPhone && views}
            <WeekTools week={week} paintWith={paintWith}>
              {!isPhone && painting}
            </WeekTools>
          </div>
          {view === 'grid' && (
            <>
              <WeekGrid
                rows={rows}
                aircraft={aircraft}
                paintWith={paintWith}
                timeZone={timeZone}
                now={now}
                onChange={edit}
              />
              {isPhone && painting}
            </>
          )}
          {hasRows &&
            WEEKDAYS.map((name, weekday) => (
              <DayRow
                key={name}
                name={name}
                slots={rows.filter((row) => row.weekday === weekday)}
                aircraft={aircraft}
                timeZone={timeZone}
                now={now}
                errors={problem?.slots ?? NO_ERRORS}
                errorId={errorId}
                onAdd={() => edit([...rows, newRow(weekday, rows)])}
                onRemove={(key) => edit(rows.filter((row) => row.key !== key))}
                onChange={(key, change) =>
                  edit(
                    rows.map((row) => (row.key === key ? { ...row, ...change } : row)),
                    `${key} ${Object.keys(change).join(' ')}`,
                  )
                }
              />
            ))}
        </Panel>
      </form>
      {children}
      <div className={classes.foot}>
        <div id={errorId}>
          <FormError message={problem?.sentence ?? null} />
        </div>
        {conflict && (
          <WeekConflict
            mine={rows}
            theirs={conflict.rows}
            aircraft={aircraft}
            isSaving={isSaving}
            onKeep={() => void submit()}
            onTake={() => {
              edit(conflict.rows);
              setConflict(null);
              onTakeTheirs();
              // the pressed button is gone
              submitButton.current?.focus();
            }}
          />
        )}
        <div className={classes.bar} data-unsaved={isUnsaved || undefined}>
          <output className={classes.unsaved}>
            {isKept ? 'Waiting for network' : isUnsaved && `Unsaved: ${count(changes, 'change')}`}
          </output>
          {back}
          <Button ref={submitButton} type="submit" form={formId} disabled={isSaving}>
            {isSaving ? 'Saving...' : submitLabel}
          </Button>
        </div>
      </div>
      <LeaveGuard isDirty={isUnsaved}>
        {changes === 1 ? 'One change to your week is' : `${changes} changes to your week are`} not saved.
      </LeaveGuard>
    </div>
  );
}
