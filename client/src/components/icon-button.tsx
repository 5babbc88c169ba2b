import type { ReactNode } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps {
  /** what it does: its name and its tooltip */
  label: string;
  /** stands in a line of text: 28 px, and 44 px for fingers only */
  inline?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A button that is an icon alone, 44 px square. */
export function IconButton({ label, inline = false, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      data-inline={inline || undefined}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
