/** `emit` is the only call after a change, every event is emitted, and every kind of audit entry has one event that writes it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TRANSITIONS, type TransitionRow } from '#server/orders/seats/rules/transitions.ts';
import { NOTHING } from '#server/signals/rules/effects.ts';
import { CONSEQUENCES } from '#server/signals/rules/events.ts';
import { isNewsKind, ORDER_NEWS } from '#server/signals/rules/order-news.ts';
import { ORDER_CONSEQUENCES } from '#server/signals/rules/orders.ts';
import { AUDIT_ACTIONS } from '#shared/vocabulary.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') })
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }));
const outside = files.filter(({ file }) => !file.startsWith('server/signals/'));
const rules = files.filter(({ file }) => file.startsWith('server/signals/rules/'));

/** What tells somebody of a change, and may only follow from an event. */
const TELLS = /\b(recordAudit|publishLive|queuePushes|enqueueDiscord|enqueueWork)\(|insertInto\('audit_entry'\)/;
/** An import brings its own entry, whose id says that the file was imported before. */
const BRINGS_ITS_ENTRY = ['server/availability/spreadsheet/import.ts'];

const tellsByHand = (source: string) => TELLS.test(source);

test('outside of server/signals nothing tells of a change but emit', () => {
  expect(outside.length).toBeGreaterThan(400);
  const byHand = outside.filter(({ source }) => tellsByHand(source)).map(({ file }) => file);
  expect(byHand).toEqual(BRINGS_ITS_ENTRY);
});

test.each([
  ["await publishLive(tx, ['missions'], []);"],
  ['await recordAudit(tx, [entry]);'],
  ["await db(tx).insertInto('audit_entry').values(entry).execute();"],
])('a planted call is found: %s', (source) => {
  expect(tellsByHand(source)).toBe(true);
});

test('every event is emitted somewhere', () => {
  const byTransition = new Set<string | null>(Object.values<TransitionRow>(TRANSITIONS).map(({ event }) => event));
  const isEmitted = (type: string) =>
    byTransition.has(type) || outside.some(({ source }) => source.includes('emit') && source.includes(`'${type}'`));
  const types = Object.keys(CONSEQUENCES);
  expect(types.length).toBeGreaterThan(80);
  expect(types.filter((type) => !isEmitted(type))).toEqual([]);
  expect(isEmitted('order.forgotten')).toBe(false);
});

test('every kind of audit entry is written by the row of an event', () => {
  const source = rules.map((rule) => rule.source).join('\n');
  const unwritten = AUDIT_ACTIONS.filter((action) => !source.includes(`'${action}'`));
  expect(unwritten).toEqual(['pilots_imported']);
});

test('every kind of news has an event, which brings the messages of its pilots up to date if Discord tells it', () => {
  const facts = {
    orderId: 'order',
    orderIds: ['order'],
    orders: [{ orderId: 'order', pilotId: 'pilot', rsvp: 'accepted', heldSeat: true }],
  };
  const rows = Object.entries(ORDER_CONSEQUENCES).map(([type, { push, discord }]) => {
    const told = ((push as ((event: typeof facts) => { kind: string }[]) | null)?.(facts) ?? []).map(
      ({ kind }) => kind,
    );
    const inDiscord = told.filter((kind) => isNewsKind(kind) && ORDER_NEWS[kind].discord !== null);
    return { type, told, isForgotten: inDiscord.length > 0 && discord === null };
  });
  const untold = new Set(Object.keys(ORDER_NEWS)).difference(new Set(rows.flatMap(({ told }) => told)));
  // by an event of missions
  expect([...untold]).toEqual(['attendance']);
  // `order.withdrawn` of the same change does
  expect(rows.filter(({ isForgotten }) => isForgotten).map(({ type }) => type)).toEqual(['seat.lost']);
});

describe('each row decides for every channel', () => {
  test.each(Object.entries(CONSEQUENCES))('%s', (_type, row) => {
    expect(Object.keys(row).toSorted()).toEqual(Object.keys(NOTHING).toSorted());
    expect(Object.values(row).some((effect) => effect !== null)).toBe(true);
  });
});
