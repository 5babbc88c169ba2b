/** Work on many things of which one must not stop the others. */

/**
 * Do the work for each, one after the other, also after one has failed.
 * @throws AggregateError at the end, with all failures
 */
export async function tryEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  message: string,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, message);
}
