/** Notes that a transaction collects and a subscriber of the ORM takes just before it commits. */
import type { Em } from '#server/schema/orm.ts';

/** @param what is noted, for the error of a caller without a transaction */
export function createNotes<Note>(what: string) {
  /** the notes of each transaction (or savepoint) that has not committed yet */
  const noted = new WeakMap<object, Note[]>();
  return {
    note(tx: Em, notes: readonly Note[]): void {
      const transaction = tx.getTransactionContext();
      if (transaction === undefined) throw new Error(`${what} was noted outside a transaction`);
      noted.set(transaction, [...(noted.get(transaction) ?? []), ...notes]);
    },
    /** @param transaction the context of a transaction that is about to commit @returns its notes, which are then forgotten */
    take(transaction: object): readonly Note[] {
      const notes = noted.get(transaction) ?? [];
      noted.delete(transaction);
      return notes;
    },
  };
}
