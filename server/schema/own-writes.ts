/**
 * A count of the writes of this process, so that what it remembers is never older than what it has written itself. Writes of
 * others announce themselves by notifications, which may arrive a moment later.
 */
import type { Observer } from './statements.ts';

let writes = 0;

/** Statements that write nothing by themselves. What follows `begin` is counted separately, as is its `commit`. */
const READS = /^\s*(?:select|begin|start transaction|savepoint)\b/i;
/** A statement with common table expressions, which may write. */
const HAS_CTE = /^\s*with\b/i;
const WRITES = /\b(?:insert|update|delete|merge)\b/i;

/** True if the statement surely writes nothing. */
export const isRead = (text: string): boolean => READS.test(text) || (HAS_CTE.test(text) && !WRITES.test(text));

/** Counts statements that may have written, before their callers learn the result. */
export const countWrite: Observer = ({ text }) => (isRead(text) ? undefined : () => void (writes += 1));

/** How many writes of this process have ended. */
export const ownWrites = (): number => writes;
