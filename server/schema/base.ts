/** Columns that every entity file shares: keys and time stamps. */
import { randomUUIDv7 } from 'node:crypto';
import { p } from '@mikro-orm/core';

/** Version 7: new rows land at the index's end, and an id still tells nobody how many came before. */
export const newId = (): string => randomUUIDv7();
export const id = () => p.uuid().primary().onCreate(newId);

export const createdAt = () => p.datetime().onCreate(() => new Date());
export const updatedAt = () =>
  p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date());

/** SQL list of a closed vocabulary, spelled as PostgreSQL stores it, so that the schema diff stays clear. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} = any (array[${values.map((value) => `'${value}'::text`).join(', ')}])`;
}
