import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { TimeField } from '#client/components/time-field.tsx';
import { copy } from '#shared/copy.ts';
import { NOTES_MAX_LENGTH } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import { aircraftOptions } from './slot-fields.ts';
import { isOvernight, type SlotRow } from './week.ts';
import { minutesOf } from './week-spans.ts';
import { zuluRange } from './week-times.ts';
import classes from './slot-dialog.module.css';

interface SlotDialogProps {
  slot: SlotRow;
  aircraft: readonly AircraftDto[];
  timeZone: string;
  now: Date;
  onDone: (slot: SlotRow) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** Dialog that edits one slot to the minute. Changes apply on Done, as one undo step. */
export function SlotDialog({ slot, aircraft, timeZone, now, onDone, onRemove, onClose }: SlotDialogProps) {
  const [draft, setDraft] = useState(slot);
  const [error, setError] = useState<{ field: 'startLocal' | 'endLocal'; sentence: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [error]);
  const refuse = (field: string) =>
    error?.field === field ? { error: error.sentence, errorProps: { role: 'alert' } } : undefined;
  const change = (part: Partial<SlotRow>): void => {
    setError(null);
    setDraft({ ...draft, ...part });
  };
  const finish = (): void => {
    const [start, end] = [minutesOf(draft.startLocal), minutesOf(draft.endLocal)];
    if (start === undefined || end === undefined) {
      setError({ field: start === undefined ? 'startLocal' : 'endLocal', sentence: copy.invalidTime });
    } else if (start === end) {
      setError({ field: 'endLocal', sentence: copy.slotWithoutLength });
    } else {
      onDone(draft);
    }
  };
  // In a portal, because forms cannot be nested.
  return createPortal(
    <Dialog opened title={`${WEEKDAYS[slot.weekday] ?? ''} time slot`} onClose={onClose}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          finish();
        }}
      >
        <div className={classes.fields}>
          <TimeField
            label="Start"
            value={draft.startLocal}
            {...refuse('startLocal')}
            onChange={(startLocal) => change({ startLocal })}
          />
          <TimeField
            label="End"
            value={draft.endLocal}
            {...refuse('endLocal')}
            onChange={(endLocal) => change({ endLocal })}
          />
          <p className={classes.zulu}>
            {zuluRange(draft, timeZone, now)}
            {isOvernight(draft) && ' · ends the next day (+1)'}
          </p>
          <NativeSelect
            className={classes.wide}
            label="Aircraft"
            data={aircraftOptions(draft.aircraft, aircraft)}
            value={draft.aircraft}
            onChange={({ currentTarget }) => change({ aircraft: currentTarget.value })}
          />
          <Textarea
            className={classes.wide}
            label="Notes"
            rows={2}
            maxLength={NOTES_MAX_LENGTH}
            value={draft.notes ?? ''}
            onChange={({ currentTarget }) => change({ notes: currentTarget.value === '' ? null : currentTarget.value })}
          />
        </div>
        <DialogButtons>
          <Button variant="outline" color="red" mr="auto" onClick={onRemove}>
            Remove
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Done</Button>
        </DialogButtons>
      </form>
    </Dialog>,
    document.body,
  );
}
