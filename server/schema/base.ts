/** Columns that all entity files share: keys and timestamps. */
import { p } from '@mikro-orm/core';
import { v7 } from 'uuid';

/**
 * Version 7: new rows go to the end of the index, and an id does not reveal how many rows there are. Ids of one process ascend,
 * so rows with the same time can be listed in the order in which they were made.
 */
export const newId = (): string => v7();
export const id = () => p.uuid().primary().onCreate(newId);

export const createdAt = () => p.datetime().onCreate(() => new Date());
export const updatedAt = () =>
  p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date());

/** Time of the last change, for rows whose version it is. The writer sets it, so it is known before the row is stored. */
export const changedAt = () => createdAt();

/** The version of a row, which changes with every edit: the time of its last change. A save that names an older one is refused. */
export const versionOf = (time: Date): string => time.toISOString();

/** The time of a change made now, always later than the row's last one, so that its version is a new one. */
export const nextVersionAt = (last: Date, now: Date): Date => new Date(Math.max(now.getTime(), last.getTime() + 1));

/** SQL condition for a closed vocabulary, spelled as PostgreSQL stores it, so that the schema diff stays empty. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} = any (array[${values.map((value) => `'${value}'::text`).join(', ')}])`;
}
