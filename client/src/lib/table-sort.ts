/** Sorting of table rows. */

export type SortDirection = 'asc' | 'desc';

export interface TableSort {
  /** id of the column */
  column: string;
  direction: SortDirection;
}

type SortValue = string | number | null;

/** Natural order: `Viper 2` before `Viper 10`; case and accents only break ties. */
const collator = new Intl.Collator('en', { numeric: true });

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

/**
 * Sorts rows by one value. Rows with equal values keep their order, and null comes last, in both directions.
 * @param rows not modified
 */
export function sortRows<Row>(
  rows: readonly Row[],
  sortValue: (row: Row) => SortValue,
  direction: SortDirection,
): Row[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows
    .map((row) => ({ row, value: sortValue(row) }))
    .toSorted(({ value: a }, { value: b }) => {
      if (a === null || b === null) {
        return Number(a === null) - Number(b === null);
      }
      return sign * compareValues(a, b);
    })
    .map(({ row }) => row);
}
