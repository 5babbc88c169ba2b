/** The table of transitions keeps the facts of an order together, and only it says what an answer or a new seat sets. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ORDER_COLUMNS,
  TRANSITIONS,
  type OrderColumn,
  type Setting,
  type Transition,
} from '#server/seats/rules/transitions.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

const rows = Object.entries<Record<OrderColumn, Setting>>(TRANSITIONS);
/** Names of the transitions whose column has, or has not, this setting. */
const namesOf = (isListed: (row: Record<OrderColumn, Setting>) => boolean) =>
  rows.flatMap(([name, row]) => (isListed(row) ? [name as Transition] : []));
const isNull = (setting: Setting) => typeof setting === 'object' && setting.is === null;
const accepts = ({ rsvp }: Record<OrderColumn, Setting>) => typeof rsvp === 'object' && rsvp.is === 'accepted';

test('every row names every column', () => {
  for (const [name, row] of rows) expect(Object.keys(row).toSorted(), name).toEqual(ORDER_COLUMNS.toSorted());
});

test('an acceptance is new: dated, not confirmed, and nothing is given up', () => {
  const accepting = namesOf(accepts);
  expect(accepting).toEqual(['accept', 'take seat', 'promote']);
  for (const name of accepting) {
    const { accepted_at, answered_at, confirmed_at, gave_up_at } = TRANSITIONS[name];
    expect([accepted_at, answered_at], name).toEqual(['now', 'now']);
    expect([confirmed_at, gave_up_at].map(isNull), name).toEqual([true, true]);
  }
});

test('no other answer keeps a confirmation, and no other seat a change', () => {
  const answers = namesOf(({ rsvp }) => rsvp !== 'keep');
  expect(answers).toEqual(expect.arrayContaining(['step aside', 'give up seat', 'ask again']));
  expect(answers.filter((name) => !isNull(TRANSITIONS[name].confirmed_at))).toEqual([]);
  const places = namesOf(({ flight_id }) => flight_id !== 'keep');
  expect(places).toEqual(expect.arrayContaining(['accept', 'promote', 'move', 'swap']));
  expect(places.filter((name) => (TRANSITIONS[name].changes as Setting) === 'keep')).toEqual([]);
});

/** Updates of orders that set such a column by hand. */
const countByHand = (source: string) =>
  [...source.matchAll(/updateTable\('frag_order[^;]*/g)].filter(([statement]) =>
    /\b(rsvp|accepted_at|confirmed_at|answered_at|is_late)\s*:/.test(statement.replaceAll(/columnsOf\([^)]*\)/g, '')),
  ).length;

test('no other place sets what an answer sets', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') });
  const sources = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
  expect(sources.filter(([, source]) => source.includes('columnsOf(')).length).toBeGreaterThan(5);
  expect(sources.filter(([, source]) => countByHand(source) > 0).map(([file]) => file)).toEqual([]);
});

test('a planted update is counted', () => {
  expect(countByHand("db(tx)\n  .updateTable('frag_order')\n  .set({ rsvp: 'accepted', changes: null })")).toBe(1);
  expect(countByHand("db(tx).updateTable('frag_order').set({ status: 'cancelled', status_reason: 'expired' });")).toBe(
    0,
  );
});
