import type { ReactNode } from 'react';
import type { Signal } from '#client/theme/tokens.ts';
import { Mark, type Shape } from '#client/components/marks.tsx';
import classes from './status-badge.module.css';

interface Look {
  signal: Signal;
  shape: Shape;
  filled?: boolean;
}

/** Colour and shape of each status, by kind. An unknown value gets the `draft` look. */
const LOOKS = {
  mission: {
    scheduled: { signal: 'cyan', shape: 'circle' },
    launched: { signal: 'green', shape: 'triangle', filled: true },
    completed: { signal: 'gray', shape: 'circle', filled: true },
    cancelled: { signal: 'red', shape: 'cross' },
    draft: { signal: 'gray', shape: 'square' },
  },
  rsvp: {
    accepted: { signal: 'green', shape: 'triangle', filled: true },
    standby: { signal: 'yellow', shape: 'bar' },
    declined: { signal: 'red', shape: 'cross' },
    draft: { signal: 'yellow', shape: 'circle' },
    pending: { signal: 'yellow', shape: 'circle' },
  },
  order: {
    issued: { signal: 'cyan', shape: 'circle' },
    cancelled: { signal: 'red', shape: 'cross' },
    draft: { signal: 'gray', shape: 'square' },
  },
  guild: {
    active: { signal: 'green', shape: 'circle', filled: true },
    disabled: { signal: 'red', shape: 'square', filled: true },
    unavailable: { signal: 'yellow', shape: 'triangle' },
    draft: { signal: 'gray', shape: 'circle' },
  },
  level: {
    expert: { signal: 'green', shape: 'diamond', filled: true },
    proficient: { signal: 'cyan', shape: 'diamond' },
    learning: { signal: 'yellow', shape: 'triangle' },
    draft: { signal: 'gray', shape: 'circle' },
  },
} as const satisfies Record<string, Record<string, Look> & { draft: Look }>;

export type StatusKind = keyof typeof LOOKS;

interface StatusBadgeProps {
  kind: StatusKind;
  /** value as in the API; case-insensitive */
  value: string;
}

/** Badge that shows a status as a shape and a word. */
export function StatusBadge({ kind, value }: StatusBadgeProps) {
  const looks: Record<string, Look> = LOOKS[kind];
  const { signal, shape, filled }: Look = looks[value.toLowerCase()] ?? LOOKS[kind].draft;
  return (
    <Badge signal={signal}>
      <Mark shape={shape} filled={filled} size={14} />
      {value}
    </Badge>
  );
}

/** Tinted badge for counts and words that are not a status. */
export function Badge({ signal, children }: { signal: Signal; children: ReactNode }) {
  return (
    <span
      className={classes.badge}
      style={{
        background: `var(--${signal}-tint)`,
        color: `var(--${signal}-text)`,
        borderColor: `var(--${signal}-lamp)`,
      }}
    >
      {children}
    </span>
  );
}
