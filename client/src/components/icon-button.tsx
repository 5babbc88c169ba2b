import type { ReactNode } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps {
  /** accessible name and tooltip */
  label: string;
  /** for a line of text: 28 px, with a touch target of 44 px */
  inline?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** Icon-only button, 44 px square. */
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
