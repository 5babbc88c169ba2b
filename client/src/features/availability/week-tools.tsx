import { Button, NativeSelect } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { CopyDayDialog } from './copy-day-dialog.tsx';
import { aircraftOptions } from './slot-fields.ts';
import type { Week } from './use-week.ts';
import { copyDay, fillPreset, invertWeek } from './week-edits.ts';
import classes from './week-tools.module.css';

interface WeekToolsProps {
  week: Week;
  aircraft: readonly AircraftDto[];
  paintWith: string;
  /** null in the list view, which has no painting */
  onPaintWith: ((value: string) => void) | null;
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** Tools of the week: presets, aircraft for painted slots, undo and redo. */
export function WeekTools({ week, aircraft, paintWith, onPaintWith }: WeekToolsProps) {
  const paintId = useId();
  const [isCopying, setCopying] = useState(false);
  const { rows, edit } = week;
  const isEmpty = rows.length === 0;
  return (
    <div className={classes.tools}>
      <div className={classes.presets} role="group" aria-label="Presets">
        <Button size="xs" variant="default" onClick={() => edit(fillPreset('weeknights', rows, paintWith))}>
          Weeknights 18–22
        </Button>
        <Button size="xs" variant="default" onClick={() => edit(fillPreset('weekends', rows, paintWith))}>
          Weekends 18–22
        </Button>
        <Button size="xs" variant="default" disabled={isEmpty} onClick={() => setCopying(true)}>
          Copy day to…
        </Button>
        <Button
          size="xs"
          variant="default"
          title="Swap available and free times in the whole week"
          onClick={() => edit(invertWeek(rows, paintWith))}
        >
          Invert week
        </Button>
        <Button size="xs" variant="default" disabled={isEmpty} onClick={() => edit([])}>
          Clear
        </Button>
      </div>
      {onPaintWith && (
        <div className={classes.paint}>
          <label htmlFor={paintId}>Paint with</label>
          <NativeSelect
            id={paintId}
            size="xs"
            data={aircraftOptions(paintWith, aircraft)}
            value={paintWith}
            onChange={({ currentTarget }) => onPaintWith(currentTarget.value)}
          />
        </div>
      )}
      <div className={classes.steps} role="group" aria-label="History">
        <Button
          size="xs"
          variant="default"
          aria-label="Undo"
          title="Undo (Ctrl+Z)"
          disabled={!week.canUndo}
          onClick={week.undo}
        >
          <IconArrowBackUp {...ICON} />
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label="Redo"
          title="Redo (Shift+Ctrl+Z)"
          disabled={!week.canRedo}
          onClick={week.redo}
        >
          <IconArrowForwardUp {...ICON} />
        </Button>
      </div>
      {isCopying && (
        <CopyDayDialog
          rows={rows}
          onClose={() => setCopying(false)}
          onCopy={(from, targets) => {
            setCopying(false);
            edit(copyDay(rows, from, targets));
          }}
        />
      )}
    </div>
  );
}
