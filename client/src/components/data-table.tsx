/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- cards by CSS take these roles away, so they are written out */
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { sortRows, type SortDirection, type TableSort } from '#client/lib/table-sort.ts';
import classes from './data-table.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface Column<Row> {
  id: string;
  /** the header, and the label of the value on a card */
  header: string;
  cell: (row: Row) => ReactNode;
  /** makes the header a sort button; null is sorted last in both directions */
  sortValue?: (row: Row) => string | number | null;
  /** a sort button without a value of its own: the caller sorts (`onSort`) */
  sortable?: boolean;
  align?: 'start' | 'end';
  /** the value names its row, as a header of it */
  rowHeader?: boolean;
  /** the header is read, not seen: the cells say what they are, such as a menu */
  hideHeader?: boolean;
}

interface DataTableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** the table's accessible name */
  caption: string;
  /** stands in the table's place while there are no rows */
  empty: ReactNode;
  /** order at first; without one the rows stay as they come */
  initialSort?: TableSort | null;
  /** the order that the rows have already; with it the caller sorts */
  sort?: TableSort | null;
  onSort?: (sort: TableSort) => void;
}

/**
 * Rows and columns: a real table with a caption, headers that sort, and on narrow screens a card for each row with the
 * headers as labels.
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
}: DataTableProps<Row>) {
  const [ownSort, setOwnSort] = useState(initialSort);
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
        <table className={classes.table} role="table">
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
          <tbody role="rowgroup">
            {shown.map((row) => (
              <tr key={rowKey(row)} role="row">
                {columns.map((column) => (
                  <BodyCell key={column.id} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  /** null while the rows are in another order */
  direction: SortDirection | null;
  onSort: (sort: TableSort) => void;
}

function HeaderCell<Row>({ column, direction, onSort }: HeaderCellProps<Row>) {
  const { id, header, sortValue, sortable = sortValue !== undefined, align, hideHeader = false } = column;
  const Icon = direction === null ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th
      role="columnheader"
      scope="col"
      data-align={align}
      data-sortable={sortable || undefined}
      aria-sort={direction === null ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
    >
      {sortable ? (
        <button
          type="button"
          className={classes.sort}
          onClick={() => onSort({ column: id, direction: direction === 'asc' ? 'desc' : 'asc' })}
        >
          {header}
          <Icon className={classes.arrow} size={16} stroke={1.75} aria-hidden="true" />
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
  const { header, cell, align, rowHeader = false, hideHeader = false } = column;
  const shared = {
    'data-align': align,
    'data-label': hideHeader ? undefined : header,
    children: <div className={classes.value}>{cell(row)}</div>,
  };
  return rowHeader ? <th role="rowheader" scope="row" {...shared} /> : <td role="cell" {...shared} />;
}
