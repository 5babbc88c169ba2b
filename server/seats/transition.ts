/** The columns of a transition (`rules/transitions.ts`) for an update of `frag_order`. */
import { expressionBuilder, sql, type Expression } from 'kysely';
import type { Database } from '#server/schema/database.ts';
import type { Updateable } from 'kysely';
import {
  ORDER_COLUMNS,
  TRANSITIONS,
  type GivenColumn,
  type OrderColumn,
  type Setting,
  type Transition,
} from '#server/seats/rules/transitions.ts';

type Order = Updateable<Database['frag_order']>;
type Value<C extends OrderColumn> = Exclude<Order[C], undefined> | Expression<Exclude<Order[C], undefined>>;
type Columns = { [C in OrderColumn]?: Value<C> };

/** The time of a change made now, always later than the order's last one: it identifies the version that an answer is for. */
export const nextChangeAt = (now: Date) => sql<Date>`greatest(${now}, changed_at + interval '1 ms')`;

/** The value of a column that the transition sets itself. */
function valueOf(column: OrderColumn, setting: Exclude<Setting, 'keep' | 'given'>, now: Date): unknown {
  const { fn, cast, val } = expressionBuilder<Database, 'frag_order'>();
  const at = cast<Date>(val(now), 'timestamptz');
  switch (setting) {
    case 'now':
      return now;
    case 'first time':
      return fn<Date>('coalesce', [column, at]);
    case 'once accepted':
      return fn<Date>('coalesce', [column, fn<Date>('greatest', [at, 'accepted_at'])]);
    case 'next version':
      return nextChangeAt(now);
    default:
      return setting.is;
  }
}

/**
 * The columns that a transition sets, for `set()` of an update of orders.
 * @param given the columns that its row leaves to the caller
 */
export function columnsOf<T extends Transition>(
  transition: T,
  now: Date,
  given: { [C in GivenColumn<T>]: Value<C> },
): Columns {
  const row: Record<OrderColumn, Setting> = TRANSITIONS[transition];
  const values: Partial<Record<OrderColumn, unknown>> = { ...given };
  for (const column of ORDER_COLUMNS) {
    const setting = row[column];
    if (setting !== 'keep' && setting !== 'given') values[column] = valueOf(column, setting, now);
  }
  return values as Columns;
}
