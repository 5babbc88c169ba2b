import type { ReactNode, Ref } from 'react';
import classes from './handle.module.css';

interface HandleProps {
  ref?: Ref<HTMLDivElement>;
  /** accessible name, which says all that the row shows */
  label: string;
  isPicked: boolean;
  /** key of the seat or id of the pilot, to find it again */
  id: string;
  describedBy: string | undefined;
  onPress: () => void;
  children: ReactNode;
}

/** A handle to pick up and to drop on: a button that can be dragged, which Firefox does not allow a real one. */
export function Handle({ ref, label, isPicked, id, describedBy, onPress, children }: HandleProps) {
  return (
    <div
      ref={ref}
      role="button"
      tabIndex={0}
      className={classes.handle}
      data-handle={id}
      aria-label={label}
      aria-pressed={isPicked}
      aria-describedby={describedBy}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onPress();
      }}
    >
      {children}
    </div>
  );
}
