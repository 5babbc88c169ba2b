/**
 * The only writer of orders and seats: it applies the transitions of `rules/transitions.ts`, each to one order or to many, in
 * one statement with its seats. The constraints in `server/schema/frag-order.ts` check it again.
 */
import {
  expressionBuilder,
  sql,
  type AliasedExpression,
  type Expression,
  type Kysely,
  type QueryCreator,
  type SqlBool,
  type Updateable,
} from 'kysely';
import { ORDER_COLUMNS, type OrderColumn, type Setting } from '#server/orders/seats/rules/order-columns.ts';
import {
  TRANSITIONS,
  type Change,
  type GivenColumn,
  type Issue,
  type OrderState,
  type SeatEffect,
  type Seating,
  type Transition,
  type TransitionRow,
} from '#server/orders/seats/rules/transitions.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/schema/base.ts';
import { db, rowsText, tableOf, type Database, type RowsText, nextVersionIn } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isExpired } from '#server/schema/predicates.ts';
import { emit } from '#server/signals/emit.ts';
import type { TransitionEvents } from '#server/signals/rules/orders.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { Attendance, Rsvp } from '#shared/vocabulary.ts';
import type { LockedMission } from './orders.ts';

/** What callers give, by column. */
interface Values {
  flight_id: string;
  seat_index: number;
  rsvp: Rsvp;
  /** null keeps the changes of an order that is withdrawn */
  reasons: readonly string[] | null;
  expires_at: Date;
  is_late: boolean;
  changes: readonly OrderChange[] | null;
  attendance: Attendance | null;
}
const TYPES = {
  flight_id: 'uuid',
  seat_index: 'smallint',
  rsvp: 'text',
  reasons: 'text[]',
  expires_at: 'timestamptz',
  is_late: 'boolean',
  changes: 'jsonb',
  attendance: 'text',
} as const satisfies Record<keyof Values, string>;
const isGiven = (column: OrderColumn): column is keyof Values => column in TYPES;

/** An order by its id, with the columns that the transition leaves to its caller. */
export type Given<T extends Transition> = { id: string } & Pick<Values, GivenColumn<T> & keyof Values>;

/** An order after its transition. */
export interface Changed {
  orderId: string;
  pilotId: string;
  missionId: string;
  flightId: string;
  seatIndex: number;
  rsvp: Rsvp;
}
type Order = { o: Database['frag_order'] };

const order = expressionBuilder<Order, 'o'>();

const STATES: Record<OrderState, (now: Date) => Expression<SqlBool>> = {
  pending: () => order.and({ 'o.status': 'issued', 'o.rsvp': 'pending', 'o.is_shared_offer': false }),
  offered: () => order.and({ 'o.status': 'issued', 'o.rsvp': 'pending', 'o.is_shared_offer': true }),
  overdue: (now) => isExpired('o', now),
  accepted: () => order.and({ 'o.status': 'issued', 'o.rsvp': 'accepted' }),
  standby: () => order.and({ 'o.status': 'issued', 'o.rsvp': 'standby' }),
  declined: () => order.and({ 'o.status': 'issued', 'o.rsvp': 'declined' }),
  cancelled: () => order('o.status', '=', 'cancelled'),
};

/** The value of a column. `o` has the present value, and `given` has the caller's. */
function valueOf(column: OrderColumn, setting: Exclude<Setting, 'keep'>, now: Date): Expression<unknown> {
  const { fn, cast, val, ref, and } = order;
  const at = cast<Date>(val(now), 'timestamptz');
  const own = ref(`o.${column}`);
  switch (setting) {
    case 'given':
      return sql.ref(`given.${column}`);
    case 'given or keep':
      return fn('coalesce', [sql.ref(`given.${column}`), own]);
    case 'now':
      return at;
    case 'first time':
      return fn('coalesce', [own, at]);
    case 'once accepted':
      return fn('coalesce', [own, fn('greatest', [at, ref('o.accepted_at')])]);
    case 'next version':
      return nextVersionIn(own, now);
    case 'only while pending':
      return and([sql<boolean>`${own}`, order('o.rsvp', '=', 'pending')]);
    default:
      return sql.lit(setting.is);
  }
}

/** The values of all columns that a transition sets. */
function valuesOf({ set }: TransitionRow, now: Date): [OrderColumn, Expression<unknown>][] {
  return ORDER_COLUMNS.flatMap((column) => {
    const setting = set[column];
    return setting === 'keep' ? [] : [[column, valueOf(column, setting, now)]];
  });
}

/** Statements to which the orders that have changed are known as `changed`. */
type Changing = QueryCreator<Database & { changed: Changed }>;

const withFreed = (changed: Changing): Changing =>
  changed.with('freed', (cte) =>
    cte
      .deleteFrom('seat')
      .where('order_id', 'in', ({ selectFrom }) => selectFrom('changed').select('changed.orderId'))
      .returning('order_id as orderId'),
  );

/** @param isAfter a condition that holds when earlier parts of the statement have run */
const withTaken = (changed: Changing, isAfter: Expression<SqlBool>): Changing =>
  changed
    // the orders that change themselves are other rows: no statement may write a row twice
    .with('passed_on', (cte) =>
      cte
        .updateTable('frag_order as other')
        .from('changed')
        .set({ gave_up_at: null })
        .whereRef('other.flight_id', '=', 'changed.flightId')
        .whereRef('other.seat_index', '=', 'changed.seatIndex')
        .where('other.gave_up_at', 'is not', null)
        .where('other.id', 'not in', ({ selectFrom }) => selectFrom('changed').select('changed.orderId')),
    )
    .with('taken', (cte) =>
      cte
        .insertInto('seat')
        .columns(['order_id', 'pilot_id', 'flight_id', 'seat_index', 'mission_id', 'starts_at', 'ends_at'])
        .expression(({ selectFrom }) =>
          selectFrom('changed')
            .innerJoin('mission as m', 'm.id', 'changed.missionId')
            .select([
              'changed.orderId',
              'changed.pilotId',
              'changed.flightId',
              'changed.seatIndex',
              'm.id',
              'm.starts_at',
              'm.ends_at',
            ])
            .where(isAfter),
        ),
    );

/** What becomes of the seats of orders that have changed, in the same statement. @returns the orders, for more columns */
function withSeats(changed: Changing, effect: SeatEffect) {
  const statement: Record<SeatEffect, () => Changing> = {
    keeps: () => changed,
    takes: () => withTaken(changed, sql.lit(true)),
    // two pilots may exchange their seats: counting waits until both are free
    changes: () => withTaken(withFreed(changed), sql`(select count(*) from freed) > 0`),
    frees: () => withFreed(changed),
  };
  const heldSeat =
    effect === 'frees' ? sql<boolean>`changed."orderId" in (select "orderId" from freed)` : sql.lit(false);
  return statement[effect]()
    .selectFrom('changed')
    .select([
      'changed.orderId',
      'changed.pilotId',
      'changed.missionId',
      'changed.flightId',
      'changed.seatIndex',
      'changed.rsvp',
      heldSeat.as('heldSeat'),
    ]);
}

const RETURNED = [
  'id as orderId',
  'pilot_id as pilotId',
  'mission_id as missionId',
  'flight_id as flightId',
  'seat_index as seatIndex',
  'rsvp',
] as const;

/**
 * A transition of orders as a statement. For `changeOrders`, and for named statements that find the orders themselves.
 * @param given a table with the orders' ids, and with the columns that the transition leaves to its caller
 * @returns the orders that have changed
 */
export function transition(
  source: Kysely<Database>,
  name: Change,
  given: AliasedExpression<{ id: string }, 'given'>,
  now: Date,
) {
  const row: TransitionRow = TRANSITIONS[name];
  const changed = source.with('changed', (cte) =>
    cte
      .updateTable('frag_order as o')
      .from(given)
      .set(Object.fromEntries(valuesOf(row, now)) as Updateable<Database['frag_order']>)
      .whereRef('o.id', '=', 'given.id')
      .where(order.or((row.from ?? []).map((state) => STATES[state](now))))
      .returning(RETURNED.map((column) => `o.${column}` as const)),
  );
  return withSeats(changed, row.seat);
}

/** The columns that callers of a transition give, and their types. */
const givenTypes = (name: Transition): Record<string, (typeof TYPES)[keyof Values]> =>
  Object.fromEntries(
    Object.entries<Setting>(TRANSITIONS[name].set).flatMap(([column, setting]) =>
      (setting === 'given' || setting === 'given or keep') && isGiven(column as OrderColumn)
        ? [[column, TYPES[column as keyof Values]]]
        : [],
    ),
  );

type Statement = { rows: RowsText<{ id: string }>; now: Date };
const changing = (name: Change) =>
  named(`order_${name.replaceAll(' ', '_')}`, (source, { rows, now }: Statement) =>
    transition(source, name, tableOf('given', rows, { id: 'uuid', ...givenTypes(name) }), now),
  );
const CHANGES = new Map<Change, ReturnType<typeof changing>>();

/** The mission whose orders change. Only its lock lets an order take or free a seat. */
type In<T extends Change> = T extends Seating ? LockedMission : { id: string };

/** Report what became of orders of a mission. @param mission its times are the times of the seats that became free */
export function emitChanged(
  tx: Em,
  mission: { id: string; startMs?: number; endMs?: number },
  event: keyof TransitionEvents,
  orders: readonly (Changed & { heldSeat: boolean })[],
  now: Date,
): void {
  if (orders.length === 0) return;
  emit(tx, { type: event, missionId: mission.id, orders });
  const pilotIds = orders.flatMap(({ heldSeat, pilotId }) => (heldSeat ? [pilotId] : []));
  const { startMs, endMs } = mission;
  if (pilotIds.length > 0 && startMs !== undefined && endMs !== undefined)
    emit(tx, { type: 'pilots.freed', missionId: mission.id, pilotIds, startMs, endMs, now });
}

/**
 * Apply a transition to orders of a mission, and emit its event.
 * @returns the orders that have changed; a transition that skips leaves out those in another state
 * @throws AppError 409 for an order in another state otherwise
 */
export async function changeOrders<T extends Change>(
  tx: Em,
  mission: In<T>,
  name: T,
  orders: readonly Given<T>[],
  now: Date,
): Promise<(Changed & { heldSeat: boolean })[]> {
  if (orders.length === 0) return [];
  const change = CHANGES.get(name) ?? changing(name);
  CHANGES.set(name, change);
  const changed = await change(tx, { rows: rowsText(orders), now });
  const { event, skips }: TransitionRow = TRANSITIONS[name];
  if (changed.length < orders.length && !skips) throw new AppError('ANSWER_NOT_POSSIBLE');
  if (changed.some(({ missionId }) => missionId !== mission.id))
    throw new Error(`An order of another mission: ${name}`);
  if (event) emitChanged(tx, mission, event, changed, now);
  return changed;
}

/** An order to issue. */
export type NewOrder = Omit<Given<Issue>, 'id'> & { pilot_id: string };

type Insertion = { rows: RowsText<NewOrder & { id: string }>; missionId: string; now: Date };
const issuing = (name: Issue) =>
  named(`order_${name.replaceAll(' ', '_')}`, (source, { rows, missionId, now }: Insertion) => {
    const row: TransitionRow = TRANSITIONS[name];
    const values = valuesOf(row, now);
    const changed = source.with('changed', (cte) =>
      cte
        .insertInto('frag_order')
        .columns(['id', 'pilot_id', 'mission_id', 'issued_at', 'created_at', ...values.map(([column]) => column)])
        .expression(({ selectFrom, cast, val }) =>
          selectFrom(tableOf('given', rows, { id: 'uuid', pilot_id: 'uuid', ...givenTypes(name) })).select([
            'given.id',
            'given.pilot_id',
            cast<string>(val(missionId), 'uuid').as('mission_id'),
            cast<Date>(val(now), 'timestamptz').as('issued_at'),
            cast<Date>(val(now), 'timestamptz').as('created_at'),
            ...values.map(([column, value]) => sql`${value}`.as(column)),
          ]),
        )
        .returning(RETURNED),
    );
    return withSeats(changed, row.seat);
  });
const ISSUES: Record<Issue, ReturnType<typeof issuing>> = {
  issue: issuing('issue'),
  offer: issuing('offer'),
  'join queue': issuing('join queue'),
};

/**
 * Issue orders of a mission, and emit the event.
 * @returns their ids, in the order of the given ones
 */
export async function insertOrders(
  tx: Em,
  mission: LockedMission,
  name: Issue,
  orders: readonly NewOrder[],
  now: Date,
): Promise<string[]> {
  const rows = orders.map((one) => ({ ...one, id: newId() }));
  const issued = await ISSUES[name](tx, { rows: rowsText(rows), missionId: mission.id, now });
  emitChanged(tx, mission, TRANSITIONS[name].event, issued, now);
  return rows.map(({ id }) => id);
}

/** Copy a mission's new times to its seats, on which the database compares them with other missions. */
export async function retimeSeats(
  tx: Em,
  mission: Pick<LockedMission, 'id'>,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<void> {
  await db(tx)
    .updateTable('seat')
    .set({ starts_at: new Date(startMs), ends_at: new Date(endMs) })
    .where('mission_id', '=', mission.id)
    .execute();
}
