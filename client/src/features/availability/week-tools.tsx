import { Button, NativeSelect } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconChevronDown } from '@tabler/icons-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { useIsPhone } from '#client/lib/use-phone.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { CopyDayDialog } from './copy-day-dialog.tsx';
import { aircraftOptions } from './slot-fields.ts';
import type { Week } from './use-week.ts';
import { copyDay, fillPreset, invertWeek } from './week-edits.ts';
import classes from './week-tools.module.css';

interface WeekToolsProps {
  week: Week;
  /** aircraft of new slots */
  paintWith: string;
  /** further tools, before undo and redo */
  children: ReactNode;
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** Tools of the week: presets (one menu on a phone), undo and redo. */
export function WeekTools({ week, paintWith, children }: WeekToolsProps) {
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const [isCopying, setCopying] = useState(false);
  const { rows, edit } = week;
  const isEmpty = rows.length === 0;
  const presets = [
    { label: 'Weeknights 18–22', run: () => edit(fillPreset('weeknights', rows, paintWith)) },
    { label: 'Weekends 18–22', run: () => edit(fillPreset('weekends', rows, paintWith)) },
    { label: 'Copy day to…', needsSlots: true, run: () => setCopying(true) },
    {
      label: 'Invert week',
      title: 'Swap available and free times in the whole week',
      run: () => edit(invertWeek(rows, paintWith)),
    },
    { label: 'Clear', needsSlots: true, run: () => edit([]) },
  ].map(({ label, title, needsSlots = false, run }) => (
    <Button
      key={label}
      size={isPhone ? 'md' : 'xs'}
      variant="default"
      title={title}
      disabled={needsSlots && isEmpty}
      onClick={run}
    >
      {label}
    </Button>
  ));
  return (
    <div className={classes.tools}>
      {isPhone ? (
        <>
          <Button size="xs" variant="default" popoverTarget={menuId} rightSection={<IconChevronDown {...ICON} />}>
            Presets
          </Button>
          <div
            ref={menu}
            id={menuId}
            popover="auto"
            className={classes.menu}
            role="group"
            aria-label="Presets"
            // before the button's own handler, so that a dialog it opens returns the focus to the week
            onClickCapture={({ target, currentTarget }) => target !== currentTarget && menu.current?.hidePopover()}
          >
            {presets}
          </div>
        </>
      ) : (
        <div className={classes.presets} role="group" aria-label="Presets">
          {presets}
        </div>
      )}
      {children}
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

interface PaintWithProps {
  aircraft: readonly AircraftDto[];
  value: string;
  onChange: (value: string) => void;
}

/** Aircraft of the slots that are painted. */
export function PaintWith({ aircraft, value, onChange }: PaintWithProps) {
  const id = useId();
  return (
    <div className={classes.paint}>
      <label htmlFor={id}>Paint with</label>
      <NativeSelect
        id={id}
        size="xs"
        data={aircraftOptions(value, aircraft)}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}
