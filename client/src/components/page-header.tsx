import type { ReactNode } from 'react';
import { usePageHeading } from '#client/lib/page-focus.ts';
import classes from './page-header.module.css';

interface PageHeaderProps {
  /** the page's only h1 */
  title: string;
  /** the tab's title without the product's name, when it differs from the h1 */
  documentTitle?: string;
  /** one line under the title */
  lead?: ReactNode;
  /** buttons at the right */
  actions?: ReactNode;
}

/** Page heading. Sets the tab's title and takes the focus after a navigation. */
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
