/** Columns that all entity files share: keys and timestamps. */
import { randomUUIDv7 } from 'node:crypto';
import { p } from '@mikro-orm/core';

/** Where the 12 bits after the time and the version begin and end, as hexadecimal digits. */
const [COUNT_FROM, COUNT_TO] = [15, 18];

let lastTime = '';
let count = 0;

/**
 * Version 7: new rows go to the end of the index, and an id does not reveal how many rows there are. Node's own ids of one
 * millisecond are in no order; these ascend, up to 4,096 of them, so that rows of one transaction stay in theirs.
 */
export function newId(): string {
  const id = randomUUIDv7();
  const time = id.slice(0, COUNT_FROM);
  count = time === lastTime ? (count + 1) % 16 ** (COUNT_TO - COUNT_FROM) : 0;
  lastTime = time;
  return `${time}${count.toString(16).padStart(COUNT_TO - COUNT_FROM, '0')}${id.slice(COUNT_TO)}`;
}
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
