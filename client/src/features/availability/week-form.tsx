import { Button } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatLocal, formatZulu } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { templateForm, type AircraftDto, type SlotInput } from '#shared/schemas/availability.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { DayRow } from './day-row.tsx';
import { countChanges, fillPreset, newRow, slotOfRow, type SlotRow } from './week.ts';
import classes from './week-form.module.css';

interface WeekFormProps {
  /** read once; the form owns its rows from then on */
  initialRows: SlotRow[];
  aircraft: readonly AircraftDto[];
  failure: string;
  isSaving: boolean;
  save: (slots: SlotInput[]) => Promise<unknown>;
  onSaved: () => unknown;
  submitLabel: string;
  back: ReactNode;
}

const checkWeek = schemaResolver(templateForm, { sync: true });

/** Seven day rows and one Save. Leaving with unsaved changes asks first, unless the way out says `ignoreBlocker`. */
export function WeekForm({
  initialRows,
  aircraft,
  failure,
  isSaving,
  save,
  onSaved,
  submitLabel,
  back,
}: WeekFormProps) {
  const { timeZone } = useSignedInViewer();
  const now = useNow();
  const [saved] = useState(initialRows);
  const [error, setError] = useState<string | null>(null);
  const form = useForm<{ slots: SlotRow[] }>({
    mode: 'controlled',
    initialValues: { slots: initialRows },
    validate: ({ slots }) => checkWeek({ slots: slots.map(slotOfRow) }),
  });
  const rows = form.values.slots;
  const changes = countChanges(saved, rows);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changes > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: changes > 0,
    withResolver: true,
  });

  const replaceRows = (next: SlotRow[]): void => {
    form.clearErrors();
    form.setFieldValue('slots', next);
  };

  const submit = form.onSubmit(
    async ({ slots }) => {
      setError(null);
      try {
        await save(templateForm.parse({ slots: slots.map(slotOfRow) }).slots);
        await onSaved();
      } catch (cause) {
        setError(errorMessage(cause, failure));
      }
    },
    (errors) => {
      const sentences = Object.values(errors).map(String);
      setError(
        sentences.includes(copy.aircraftPreferenceRequired)
          ? copy.aircraftPreferenceRequired
          : (sentences[0] ?? failure),
      );
    },
  );

  return (
    <form noValidate onSubmit={submit}>
      <Panel
        title="Week"
        flush
        actions={
          <span className={classes.zone}>
            Times are {timeZone} (L), now {formatLocal(now, timeZone)} / {formatZulu(now)}
          </span>
        }
      >
        <div className={classes.presets}>
          <Button size="xs" variant="default" onClick={() => replaceRows(fillPreset('weeknights', rows))}>
            Weeknights 18–22
          </Button>
          <Button size="xs" variant="default" onClick={() => replaceRows(fillPreset('weekend', rows))}>
            Weekends 18–22
          </Button>
          <Button size="xs" variant="default" disabled={rows.length === 0} onClick={() => replaceRows([])}>
            Clear
          </Button>
        </div>
        {WEEKDAYS.map((name, weekday) => (
          <DayRow
            key={name}
            name={name}
            slots={rows.flatMap((row, index) =>
              row.weekday === weekday ? [{ row, index, errors: errorsOf(form.errors, index) }] : [],
            )}
            aircraft={aircraft}
            timeZone={timeZone}
            now={now}
            onAdd={() => replaceRows([...rows, newRow(weekday, rows)])}
            onRemove={(index) => replaceRows(rows.toSpliced(index, 1))}
            onChange={(index, change) => {
              for (const [field, value] of Object.entries(change)) {
                form.setFieldValue(`slots.${index}.${field}`, value);
              }
            }}
          />
        ))}
      </Panel>
      <div className={classes.foot}>
        <FormError message={error} />
        {changes > 0 && (
          <output className={classes.unsaved}>
            Unsaved: {changes} {changes === 1 ? 'change' : 'changes'}
          </output>
        )}
        <div className={classes.buttons}>
          {back}
          <Button type="submit" disabled={isSaving}>
            {isSaving ? 'Saving...' : submitLabel}
          </Button>
        </div>
      </div>
      <ConfirmModal
        opened={blocker.status === 'blocked'}
        title="Leave without saving?"
        confirmLabel="Leave"
        cancelLabel="Stay"
        signal="red"
        onConfirm={() => blocker.proceed?.()}
        onClose={() => blocker.reset?.()}
      >
        {changes === 1 ? 'One change to your week is' : `${changes} changes to your week are`} not saved.
      </ConfirmModal>
    </form>
  );
}

/** The sentences about one slot, by field. */
function errorsOf(errors: Record<string, ReactNode>, index: number): Record<string, ReactNode> {
  const prefix = `slots.${index}.`;
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, sentence]) => [path.slice(prefix.length), sentence]),
  );
}
