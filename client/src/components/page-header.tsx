import type { ReactNode } from 'react';
import { usePageHeading } from '#client/lib/page-focus.ts';
import classes from './page-header.module.css';

interface PageHeaderProps {
  /** the page's only h1 */
  title: string;
  /** the tab's title without the product's name, when it must differ from the h1 */
  documentTitle?: string;
  /** one line under the title */
  lead?: ReactNode;
  /** buttons at the right */
  actions?: ReactNode;
}

/** The page's h1. Sets the tab's title and takes focus when the page was changed to. */
export function PageHeader({ title, documentTitle = title, lead, actions }: PageHeaderProps) {
  const heading = usePageHeading(`${documentTitle} · Marshal`);
  return (
    <header className={classes.header}>
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <div className={classes.lead}>{lead}</div>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
