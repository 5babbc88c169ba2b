import { useState, type PointerEvent, type ReactNode } from 'react';
import classes from './plot.module.css';

/** A part of the plot with words about it; `from` and `to` are percentages of its width. */
export interface PlotPart {
  from: number;
  to: number;
  card: ReactNode;
}

interface PlotProps {
  /** what the picture says, for those who do not see it */
  label: string;
  /** lines of the vertical scale, from the bottom to the top; the last one is the top */
  levels: readonly number[];
  /** name of a level */
  levelText?: (level: number) => string;
  parts: readonly PlotPart[];
  /** size, and the colours of the paths */
  className: string | undefined;
  /** paths in units of percent, y down */
  children: ReactNode;
}

/** Frame of a picture of numbers over time: a scale, paths, and a card about the part under the pointer. */
export function Plot({ label, levels, levelText = String, parts, className, children }: PlotProps) {
  const [shown, setShown] = useState<PlotPart | null>(null);
  const top = levels.at(-1) ?? 1;
  const show = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const percent = ((clientX - left) / width) * 100;
    setShown(parts.find(({ from, to }) => from <= percent && percent < to) ?? null);
  };
  return (
    <div className={`${classes.frame} ${className ?? ''}`} role="img" aria-label={label}>
      <div className={classes.plot} onPointerDown={show} onPointerMove={show} onPointerLeave={() => setShown(null)}>
        {levels.map((level) => (
          <span key={level} className={classes.level} style={{ bottom: `${(level / top) * 100}%` }}>
            <span className={classes.name}>{levelText(level)}</span>
          </span>
        ))}
        {shown !== null && (
          <span
            className={classes.part}
            style={{ insetInlineStart: `${shown.from}%`, width: `${shown.to - shown.from}%` }}
          />
        )}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          {children}
        </svg>
        {shown !== null && (
          // moved by the same share of its own width, so that it stays inside
          <div
            className={classes.card}
            style={{ insetInlineStart: `${shown.from}%`, transform: `translateX(-${shown.from}%)` }}
          >
            {shown.card}
          </div>
        )}
      </div>
    </div>
  );
}
