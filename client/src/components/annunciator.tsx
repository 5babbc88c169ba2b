import { useId, useRef, type KeyboardEvent } from 'react';
import type { Signal } from '#client/theme/tokens.ts';
import { Mark, type Shape } from './marks.tsx';
import classes from './annunciator.module.css';

export interface Lamp<Value extends string> {
  value: Value;
  label: string;
  signal: Signal;
  shape: Shape;
  /** a second line inside the lamp */
  hint?: string;
}

interface AnnunciatorProps<Value extends string> {
  /** accessible name of the group */
  label: string;
  lamps: readonly Lamp<Value>[];
  /** the lit lamp */
  value: Value;
  onChange: (value: Value) => void;
  disabled?: boolean;
  /** id of a text that describes the group, e.g. its error */
  describedBy?: string;
}

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Radio group drawn as lamps, of which one is lit; arrow keys move the selection. */
export function Annunciator<Value extends string>({
  label,
  lamps,
  value,
  onChange,
  disabled = false,
  describedBy,
}: AnnunciatorProps<Value>) {
  const group = useRef<HTMLDivElement>(null);
  const id = useId();

  const move = (event: KeyboardEvent, index: number): void => {
    const step = STEPS[event.key];
    const next = step && lamps[(index + step + lamps.length) % lamps.length];
    if (!next) {
      return;
    }
    event.preventDefault();
    onChange(next.value);
    group.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus();
  };

  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      aria-disabled={disabled || undefined}
      className={classes.lamps}
    >
      {lamps.map((lamp, index) => {
        const lit = lamp.value === value;
        return (
          <button
            key={lamp.value}
            type="button"
            role="radio"
            aria-checked={lit}
            aria-describedby={lamp.hint === undefined ? undefined : `${id}-${lamp.value}`}
            aria-label={lamp.label}
            tabIndex={lit ? 0 : -1}
            disabled={disabled}
            data-value={lamp.value}
            data-signal={lamp.signal}
            className={classes.lamp}
            onClick={() => onChange(lamp.value)}
            onKeyDown={(event) => move(event, index)}
          >
            <span className={classes.mark}>
              <Mark shape={lamp.shape} filled={lit} size={22} />
            </span>
            <span className={classes.label}>{lamp.label}</span>
            {lamp.hint !== undefined && (
              <span id={`${id}-${lamp.value}`} className={classes.hint}>
                {lamp.hint}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
