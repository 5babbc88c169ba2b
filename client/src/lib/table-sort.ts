/** The order of a table's rows. */

export type SortDirection = 'asc' | 'desc';

export interface TableSort {
  /** id of the column */
  column: string;
  direction: SortDirection;
}

type SortValue = string | number | null;

/** As people sort: case and accents last of all, `Viper 2` before `Viper 10`. */
const collator = new Intl.Collator('en', { numeric: true });

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

/**
 * Rows in the order of one value. Rows of the same value keep their order, in both directions; null comes last in both.
 * @param rows are not changed
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
