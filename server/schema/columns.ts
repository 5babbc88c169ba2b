/**
 * The builders of columns. Those of text and JSON ask what the column says about people (`personal.ts`), so that an entity
 * with a column that says nothing does not compile; `p` has all others.
 */
import { p as builders } from '@mikro-orm/core';
import { personal, type Declaration } from './personal.ts';

type Undeclared =
  | 'text'
  | 'string'
  | 'character'
  | 'json'
  | 'array'
  | 'enum'
  | 'enumArray'
  | 'unknown'
  | 'type'
  | 'formula';
export const p: Omit<typeof builders, Undeclared> = builders;

/** Text of a known form: ids, hashes, closed lists, wall times, addresses. */
export const text = (declaration: Declaration) => personal(builders.text(), declaration);
/** Text that people, Discord or other services write. @param max the length that the product takes */
export const freeText = (max: number, declaration: Declaration) => personal(builders.text(), declaration, { max });

const strings = () => builders.array().columnType('text[]');
export const texts = (declaration: Declaration) => personal(strings(), declaration);
export const freeTexts = (max: number, declaration: Declaration) => personal(strings(), declaration, { max });

export const json = <Value>(declaration: Declaration) => personal(builders.json<Value>(), declaration);
/** JSON with texts that people write. @param names the names of these texts in it, at any depth */
export const freeJson = <Value>(names: readonly string[], declaration: Declaration) =>
  personal(builders.json<Value>(), declaration, { names });

export const smallints = () => builders.array((value) => Number(value)).columnType('smallint[]');
/** Disjoint ranges of whole numbers. */
export const intRanges = (declaration: Declaration) =>
  personal(builders.string().columnType('int4multirange'), declaration);
/** The id of a transaction. */
export const transactionId = () => builders.string().columnType('xid8');
