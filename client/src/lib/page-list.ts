/**
 * The page numbers to offer: the first, the last, the current one and its neighbours; null where numbers are left out.
 * A gap of one number shows the number. At most seven entries.
 * @param page from 1; one past the end counts as the last
 * @param pages >= 1
 */
export function listPages(page: number, pages: number): (number | null)[] {
  const current = Math.min(Math.max(page, 1), pages);
  // near either end the window shifts inwards, so that the row keeps its length
  const from = Math.max(2, Math.min(current - 1, pages - 4));
  const to = Math.min(pages - 1, Math.max(current + 1, 5));
  const offered = [1, ...Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index), pages];
  return [...new Set(offered)].flatMap((number, index, all) => {
    const left = number - (all[index - 1] ?? number - 1) - 1;
    return left === 0 ? [number] : left === 1 ? [number - 1, number] : [null, number];
  });
}
