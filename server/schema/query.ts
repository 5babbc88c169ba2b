/** Raw SQL statements: rows and instants of what the query builder cannot express. */

import { sql, type RawBuilder } from 'kysely';
import { db } from './database.ts';
import type { Em } from './orm.ts';

export { sql };

/**
 * The rows of a raw statement, in the transaction of `em`. PostgreSQL's timestamptz and bigint arrive as text this way:
 * select epoch milliseconds and counts as `float8` and `int`.
 */
export async function query<Row>(em: Em, statement: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await statement.execute(db(em));
  return rows;
}
