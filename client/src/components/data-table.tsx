/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- the card layout's CSS removes the implicit roles */
import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { sortRows, type SortDirection, type TableSort } from '#client/lib/table-sort.ts';
import classes from './data-table.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface Column<Row> {
  id: string;
  /** column header, also the label of the value on a card */
  header: string;
  cell: (row: Row) => ReactNode;
  /** makes the column sortable; null sorts last in both directions */
  sortValue?: (row: Row) => string | number | null;
  /** makes the column sortable by the caller (`onSort`), without `sortValue` */
  sortable?: boolean;
  align?: 'start' | 'end';
  /** true when the value is the row's header */
  rowHeader?: boolean;
  /** hides the header visually, where the cells explain themselves, such as a menu */
  hideHeader?: boolean;
  /**
   * line of the value on a phone, with words around it instead of the header. If any column has it, rows are two lines
   * there, without the columns that lack it.
   */
  phone?: { line: 1 | 2; before?: string; after?: string };
}

/** Rows of a table at first: a page with thousands would take seconds to lay out, on every change. */
const ROWS_STEP = 100;

interface DataTableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** the table's accessible name */
  caption: string;
  /** shown instead of the table when there are no rows */
  empty: ReactNode;
  /** initial order; without one, rows keep the given order */
  initialSort?: TableSort | null;
  /** current order of rows that the caller sorts */
  sort?: TableSort | null;
  onSort?: (sort: TableSort) => void;
  /** rows at first, and added by each "Show more"; Infinity if the caller limits them */
  step?: number;
}

/**
 * Data table with a caption and sortable headers; on narrow screens each row becomes a card with the headers as labels.
 * It shows the first rows of a long list, and more of them on request; all rows count for the order.
 */
export function DataTable<Row>({
  columns,
  rows,
  rowKey,
  caption,
  empty,
  initialSort = null,
  sort,
  onSort,
  step = ROWS_STEP,
}: DataTableProps<Row>) {
  const [ownSort, setOwnSort] = useState(initialSort);
  const [most, setMost] = useState(step);
  const body = useRef<HTMLTableSectionElement>(null);
  const showMore = (): void => {
    flushSync(() => setMost(most + step));
    // The button goes with its last press, and what follows for the keyboard are the rows that it has added.
    if (rows.length <= most + step) body.current?.rows[most]?.focus();
  };
  if (rows.length === 0) {
    return empty;
  }
  const isControlled = sort !== undefined;
  const shownSort = isControlled ? sort : ownSort;
  const sortValue = columns.find(({ id }) => id === shownSort?.column)?.sortValue;
  const shown = isControlled || !shownSort || !sortValue ? rows : sortRows(rows, sortValue, shownSort.direction);
  const pick = onSort ?? setOwnSort;
  return (
    <div className={classes.frame}>
      <div className={classes.wrap}>
        <table
          className={classes.table}
          role="table"
          aria-rowcount={rows.length > most ? rows.length + 1 : undefined}
          data-two-lines={columns.some(({ phone }) => phone !== undefined) || undefined}
        >
          <caption>
            <VisuallyHidden>{caption}</VisuallyHidden>
          </caption>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <HeaderCell
                  key={column.id}
                  column={column}
                  direction={shownSort?.column === column.id ? shownSort.direction : null}
                  onSort={pick}
                />
              ))}
            </tr>
          </thead>
          <tbody ref={body} role="rowgroup">
            {shown.slice(0, most).map((row) => (
              <tr key={rowKey(row)} role="row" tabIndex={most > step ? -1 : undefined}>
                {columns.map((column) => (
                  <BodyCell key={column.id} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && (
        <div className={classes.more}>
          <Button variant="default" onClick={showMore}>
            Show {Math.min(step, rows.length - most)} more
          </Button>
          <span>
            {most.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')} rows
          </span>
        </div>
      )}
    </div>
  );
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  /** null when the table is not sorted by this column */
  direction: SortDirection | null;
  onSort: (sort: TableSort) => void;
}

function HeaderCell<Row>({ column, direction, onSort }: HeaderCellProps<Row>) {
  const { id, header, sortValue, sortable = sortValue !== undefined, align, hideHeader = false, phone } = column;
  const Icon = direction === null ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th
      role="columnheader"
      scope="col"
      data-align={align}
      data-sortable={sortable || undefined}
      data-line={phone?.line}
      aria-sort={direction === null ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
    >
      {sortable ? (
        <button
          type="button"
          className={classes.sort}
          onClick={() => onSort({ column: id, direction: direction === 'asc' ? 'desc' : 'asc' })}
        >
          {header}
          <Icon className={classes.arrow} size={16} aria-hidden="true" />
        </button>
      ) : hideHeader ? (
        <VisuallyHidden>{header}</VisuallyHidden>
      ) : (
        header
      )}
    </th>
  );
}

function BodyCell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { header, cell, align, rowHeader = false, hideHeader = false, phone } = column;
  const shared = {
    'data-align': align,
    'data-label': hideHeader ? undefined : header,
    'data-line': phone?.line,
    'data-before': phone?.before,
    'data-after': phone?.after,
    children: <div className={classes.value}>{cell(row)}</div>,
  };
  return rowHeader ? <th role="rowheader" scope="row" {...shared} /> : <td role="cell" {...shared} />;
}
