import { useId, type ReactNode } from 'react';
import { useHashFocus } from '#client/lib/page-focus.ts';
import classes from './panel.module.css';

interface PanelProps {
  /** short heading on the plate; without one the panel is a plain box */
  title?: ReactNode;
  children: ReactNode;
  /** badge or button at the right of the plate */
  actions?: ReactNode;
  /** heading level of the plate */
  order?: 2 | 3;
  /** removes the padding, for tables and rows that reach the border */
  flush?: boolean;
  className?: string;
  /** id for links to the panel, which gets the focus then */
  anchor?: string;
}

/** Box with a heading plate: a cockpit panel or kneeboard box. It is a landmark named by its heading. */
export function Panel({ title, children, actions, order = 2, flush = false, className, anchor }: PanelProps) {
  const id = useId();
  const section = useHashFocus(anchor);
  const Heading = order === 2 ? 'h2' : 'h3';
  return (
    <section
      ref={section}
      id={anchor}
      tabIndex={anchor === undefined ? undefined : -1}
      className={className === undefined ? classes.panel : `${classes.panel} ${className}`}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <div className={classes.plate}>
          <Heading id={id} className={classes.title}>
            {title}
          </Heading>
          {actions}
        </div>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
