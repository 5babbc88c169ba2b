import { IconArrowRight, IconReplace } from '@tabler/icons-react';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { changeWords } from './order-changes.ts';
import classes from './change-plate.module.css';

/** `CHANGED Start Nov 21 1900Z → Nov 21 2000Z`: an admin's changes since the pilot last answered; empty without changes. */
export function ChangePlate({ order: { changes } }: { order: Pick<FragOrderDto, 'changes'> }) {
  if (changes.length === 0) {
    return null;
  }
  return (
    <div className={classes.plate} role="group" aria-label="Changed">
      <span className={classes.label}>
        <IconReplace size={18} aria-hidden="true" />
        Changed:
      </span>
      <ul className={classes.changes}>
        {changes.map((change) => {
          const { field, from, to } = changeWords(change);
          return (
            <li key={change.field}>
              <span className={classes.field}>{field}</span> <span className={classes.from}>{from}</span>{' '}
              <IconArrowRight className={classes.arrow} size={16} aria-hidden="true" />
              <VisuallyHidden>is now</VisuallyHidden> <strong>{to}</strong>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
