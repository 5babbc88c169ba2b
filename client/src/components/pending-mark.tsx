import { VisuallyHidden } from './visually-hidden.tsx';
import classes from './pending-mark.module.css';

/** A plate with the number of orders that wait for an answer, beside the way to them; nothing at 0. */
export function PendingMark({ count }: { count: number }) {
  return (
    count > 0 && (
      <span className={classes.mark}>
        {count}
        <VisuallyHidden> pending</VisuallyHidden>
      </span>
    )
  );
}
