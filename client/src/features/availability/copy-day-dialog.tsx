import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { WEEKDAYS } from '#shared/vocabulary.ts';
import type { SlotRow } from './week.ts';
import classes from './copy-day-dialog.module.css';

interface CopyDayDialogProps {
  rows: readonly SlotRow[];
  onCopy: (from: number, targets: number[]) => void;
  onClose: () => void;
}

/** Dialog that copies one day's slots to other days. Starts with the first day that has a slot. */
export function CopyDayDialog({ rows, onCopy, onClose }: CopyDayDialogProps) {
  const [from, setFrom] = useState(() => Math.min(...rows.map(({ weekday }) => weekday)));
  const [targets, setTargets] = useState<readonly number[]>([]);
  const chosen = targets.filter((day) => day !== from);
  const count = rows.filter(({ weekday }) => weekday === from).length;
  return createPortal(
    <Dialog opened title="Copy a day" onClose={onClose}>
      <NativeSelect
        label="From"
        data={WEEKDAYS.map((label, day) => ({
          value: String(day),
          label,
          disabled: !rows.some(({ weekday }) => weekday === day),
        }))}
        value={String(from)}
        onChange={({ currentTarget }) => setFrom(Number(currentTarget.value))}
      />
      <fieldset className={classes.targets}>
        <legend>To</legend>
        {WEEKDAYS.map((name, day) => (
          <label key={name} className={classes.target}>
            <input
              type="checkbox"
              disabled={day === from}
              checked={chosen.includes(day)}
              onChange={({ currentTarget }) =>
                setTargets(currentTarget.checked ? [...targets, day] : targets.filter((target) => target !== day))
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
      <p className={classes.note}>
        Replaces the times on the chosen days with {WEEKDAYS[from]}’s{' '}
        {count === 1 ? 'time slot' : `${count} time slots`}.
      </p>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => onCopy(from, chosen)}>
          Copy
        </Button>
      </DialogButtons>
    </Dialog>,
    document.body,
  );
}
