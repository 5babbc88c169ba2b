/** Columns that all entity files share: keys and timestamps. */
import { randomUUIDv7 } from 'node:crypto';
import { p } from '@mikro-orm/core';

/** Version 7: new rows go to the end of the index, and an id does not reveal how many rows there are. */
export const newId = (): string => randomUUIDv7();
export const id = () => p.uuid().primary().onCreate(newId);

export const createdAt = () => p.datetime().onCreate(() => new Date());
export const updatedAt = () =>
  p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date());

/** SQL condition for a closed vocabulary, spelled as PostgreSQL stores it, so that the schema diff stays empty. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} = any (array[${values.map((value) => `'${value}'::text`).join(', ')}])`;
}
