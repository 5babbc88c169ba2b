import { VisuallyHidden } from './visually-hidden.tsx';
import classes from './pending-mark.module.css';

/** Badge with the number of pending orders, beside the link to them; nothing for 0. */
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
