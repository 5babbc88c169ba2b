import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps {
  /** accessible name and tooltip */
  label: string;
  /** for a line of text: 28 px, with a touch target of 44 px */
  inline?: boolean;
  /** for a button that shows and hides something: its state, and the id of what it shows */
  expanded?: boolean;
  controls?: string;
  onClick: () => void;
  children: ReactNode;
}

/** Icon-only button, 44 px square. */
export function IconButton({ label, inline = false, expanded, controls, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      data-inline={inline || undefined}
      aria-label={label}
      aria-expanded={expanded}
      aria-controls={controls}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Cross in a line of text that closes what it stands on. */
export function CloseButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IconButton inline label={label} onClick={onClick}>
      <IconX size={18} aria-hidden="true" />
    </IconButton>
  );
}
