/**
 * Keyboard navigation in a grid: the next cell for an arrow key, Home or End (with Ctrl, in the first or last row). Skips gaps
 * and hidden rows.
 * @param grid contains cells with `data-start` inside gridcells of rows
 * @param from the focused cell
 * @returns undefined when there is no such cell
 */
export function moveInGrid(
  grid: HTMLElement,
  from: EventTarget,
  key: string,
  isWide: boolean,
): HTMLElement | undefined {
  const rows = [...grid.querySelectorAll<HTMLElement>('[role="row"]')]
    .filter((row) => row.offsetParent !== null)
    .map((row) => [...row.querySelectorAll('[role="gridcell"]')].map(cellOf))
    .filter((row) => row.length > 0);
  const y = rows.findIndex((row) => row.some((cell) => cell === from));
  const row = rows[y];
  if (row === undefined) {
    return undefined;
  }
  const x = row.findIndex((cell) => cell === from);
  const present = (cells: readonly (HTMLElement | null)[]): HTMLElement[] => cells.filter((cell) => cell !== null);
  const column = rows.map((cells) => cells[x] ?? null);
  switch (key) {
    case 'ArrowRight':
      return present(row.slice(x + 1))[0];
    case 'ArrowLeft':
      return present(row.slice(0, x)).at(-1);
    case 'ArrowDown':
      return present(column.slice(y + 1))[0];
    case 'ArrowUp':
      return present(column.slice(0, y)).at(-1);
    case 'Home':
      return present(isWide ? (rows[0] ?? []) : row)[0];
    case 'End':
      return present(isWide ? (rows.at(-1) ?? []) : row).at(-1);
    default:
      return undefined;
  }
}

function cellOf(place: Element): HTMLElement | null {
  return place.querySelector<HTMLElement>('[data-start]');
}
