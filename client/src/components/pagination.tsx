import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { listPages } from '#client/lib/page-list.ts';
import classes from './pagination.module.css';

interface PaginationProps {
  /** name of the list, e.g. `Users`; the accessible name is `{label} pages` */
  label: string;
  /** from 1 */
  page: number;
  pages: number;
  /** address of a page; makes the numbers links, which can open in a new tab */
  hrefOf?: (page: number) => string;
  onPage: (page: number) => void;
}

/** Page numbers: `‹ 1 2 3 … 21 ›`; renders nothing for a single page. */
export function Pagination({ label, page, pages, hrefOf, onPage }: PaginationProps) {
  const nav = useRef<HTMLElement>(null);
  const steppedTo = useRef<number>(undefined);
  // The arrow to the first or last page is disabled there and would lose the focus.
  useEffect(() => {
    if (steppedTo.current === page && document.activeElement?.matches('body, :disabled') === true) {
      nav.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
    }
    steppedTo.current = undefined;
  }, [page]);
  if (pages <= 1) {
    return null;
  }
  const shared = {
    pages,
    hrefOf,
    onPage: (target: number): void => {
      steppedTo.current = target;
      onPage(target);
    },
  };
  return (
    <nav ref={nav} aria-label={`${label} pages`}>
      <ul className={classes.list}>
        <li>
          <Step target={page - 1} name="Previous page" {...shared}>
            <IconChevronLeft size={18} aria-hidden="true" />
          </Step>
        </li>
        {listPages(page, pages).map((number, index, all) =>
          number === null ? (
            <li key={`before ${all[index + 1]}`} className={classes.gap} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={number} data-spare={![1, page, pages].includes(number) || undefined}>
              <Step target={number} name={`Page ${number}`} isCurrent={number === page} {...shared}>
                {number}
              </Step>
            </li>
          ),
        )}
        <li>
          <Step target={page + 1} name="Next page" {...shared}>
            <IconChevronRight size={18} aria-hidden="true" />
          </Step>
        </li>
      </ul>
    </nav>
  );
}

interface StepProps extends Pick<PaginationProps, 'pages' | 'onPage'> {
  target: number;
  name: string;
  isCurrent?: boolean;
  hrefOf: PaginationProps['hrefOf'];
  children: ReactNode;
}

function Step({ target, name, isCurrent = false, pages, hrefOf, onPage, children }: StepProps) {
  const shared = {
    className: classes.step,
    'aria-label': name,
    'aria-current': isCurrent ? ('page' as const) : undefined,
    children,
  };
  const isThere = target >= 1 && target <= pages;
  if (!hrefOf || !isThere) {
    return <button type="button" {...shared} disabled={!isThere} onClick={() => onPage(target)} />;
  }
  const follow = (event: MouseEvent): void => {
    // with a modifier key the browser opens a new tab or window
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      onPage(target);
    }
  };
  return (
    <a {...shared} href={hrefOf(target)} onClick={follow}>
      {children}
    </a>
  );
}
