/** The table of transitions keeps the facts of an order together, and only its writer writes orders and seats. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { ORDER_COLUMNS, type Setting } from '#server/orders/seats/rules/order-columns.ts';
import { TRANSITIONS, type Transition, type TransitionRow } from '#server/orders/seats/rules/transitions.ts';
import { FragOrderSchema } from '#server/schema/frag-order.ts';

const WRITER = join('server', 'orders', 'seats', 'order-writes.ts');

const rows = Object.entries<TransitionRow>(TRANSITIONS) as [Transition, TransitionRow][];
/** Names of the transitions whose row is so. */
const namesOf = (isListed: (row: TransitionRow) => boolean) =>
  rows.flatMap(([name, row]) => (isListed(row) ? [name] : []));
const settings = (name: Transition): TransitionRow['set'] => TRANSITIONS[name].set;
const isNull = (setting: Setting) => typeof setting === 'object' && setting.is === null;
/** Columns that are named otherwise than their properties. */
const NAMES: Record<string, string> = { flight: 'flight_id' };
const accepts = ({ set: { rsvp } }: TransitionRow) => typeof rsvp === 'object' && rsvp.is === 'accepted';

test('the table has every column but those that never change', () => {
  const columns = Object.entries(FragOrderSchema.properties).map(([name]) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  const fixed = new Set(['id', 'seq', 'mission', 'pilot', 'issued_at', 'created_at']);
  const changing = columns.filter((column) => !fixed.has(column)).map((column) => NAMES[column] ?? column);
  expect(changing.toSorted()).toEqual(ORDER_COLUMNS.toSorted());
  for (const [name, { set }] of rows) expect(Object.keys(set).toSorted(), name).toEqual(ORDER_COLUMNS.toSorted());
});

test('an acceptance is new: dated, not confirmed, and nothing is given up', () => {
  const accepting = namesOf(accepts);
  expect(accepting).toEqual(['accept', 'accept free seat', 'take seat', 'promote']);
  for (const name of accepting) {
    const { accepted_at, answered_at, confirmed_at, gave_up_at } = settings(name);
    expect([accepted_at, answered_at], name).toEqual(['now', 'now']);
    expect([confirmed_at, gave_up_at].map(isNull), name).toEqual([true, true]);
  }
});

test('no other answer keeps a confirmation, and no other seat a change', () => {
  const answers = namesOf(({ set }) => set.rsvp !== 'keep');
  expect(answers).toEqual(expect.arrayContaining(['step aside', 'give up seat', 'ask again']));
  expect(answers.filter((name) => !isNull(settings(name).confirmed_at))).toEqual([]);
  const places = namesOf(({ set }) => set.flight_id !== 'keep');
  expect(places).toEqual(expect.arrayContaining(['accept free seat', 'promote', 'move', 'swap']));
  expect(places.filter((name) => settings(name).changes === 'keep')).toEqual([]);
});

test('whoever is put on a seat has a place of their own there, and whoever ends holds none', () => {
  const seated = namesOf(({ from, seat }) => from !== null && (seat === 'takes' || seat === 'changes'));
  expect(seated.length).toBeGreaterThan(4);
  for (const name of seated) {
    const { flight_id, seat_index, gave_up_at } = settings(name);
    expect([flight_id, seat_index, isNull(gave_up_at)], name).toEqual(['given', 'given', true]);
  }
  const ending = namesOf(({ set: { status } }) => typeof status === 'object' && status.is === 'cancelled');
  expect(ending).toEqual(['expire', 'withdraw', 'supersede', 'cancel']);
  // a superseded order holds no seat: it was offered, or on standby
  expect(ending.filter((name) => TRANSITIONS[name].seat !== 'frees')).toEqual(['supersede']);
});

/** Statements that write orders or seats, by the builder, by the ORM and as text. */
const WRITES = [
  /(?:updateTable|insertInto|deleteFrom|mergeInto)\(\s*['"`](?:frag_order|seat)\b/g,
  /\b(?:nativeUpdate|nativeDelete|create|insert|insertMany|upsert|upsertMany|remove)\(\s*(?:FragOrder|Seat)\b/g,
  /\b(?:update|insert\s+into|delete\s+from|merge\s+into)\s+"?(?:frag_order|seat)\b/gi,
];
const countWrites = (source: string) => WRITES.reduce((sum, pattern) => sum + [...source.matchAll(pattern)].length, 0);

test('one file writes orders and seats', () => {
  const files = globSync(['server/**/*.ts', 'bot/**/*.ts'], {
    cwd: ROOT,
    exclude: (path) => path.endsWith('node_modules'),
  });
  const writing = files.filter((file) => countWrites(readFileSync(join(ROOT, file), 'utf8')) > 0);
  expect(writing).toEqual([WRITER]);
});

test.each([
  ["db(tx)\n  .updateTable('frag_order as o')\n  .set({ rsvp: 'accepted' })"],
  ["cte.insertInto('seat')"],
  ["db(tx).deleteFrom('seat').where('order_id', '=', id)"],
  ['tx.nativeUpdate(FragOrder, { id }, { gaveUpAt: null })'],
  ['tx.create(Seat, {})'],
  ['sql`update frag_order set read_at = now()`'],
  ['sql`delete\n from "seat"`'],
])('a planted write is found: %s', (source) => {
  expect(countWrites(source)).toBe(1);
});

test('what only reads, and what writes other tables, is no such write', () => {
  expect(countWrites("db(tx).selectFrom('frag_order'); db(tx).updateTable('seat_swap'); em.find(FragOrder, {})")).toBe(
    0,
  );
});
