import type { ReactNode } from 'react';
import classes from './section.module.css';

interface SectionProps {
  /** target of links */
  id: string;
  title: string;
  /** one line under the title */
  lead?: string;
  children: ReactNode;
}

/** Full-width section of the front page, named by its heading. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} className={classes.section} aria-labelledby={`${id}-title`}>
      <div className={classes.inner}>
        <h2 id={`${id}-title`} className={classes.title}>
          {title}
        </h2>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </section>
  );
}
