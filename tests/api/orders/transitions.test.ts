/**
 * Every state of an order with every transition, on a real database: either all columns and the seat are as the table here
 * says, which was written by hand, or the transition is refused and nothing has changed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/schema/base.ts';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { changeOrders, type Given } from '#server/orders/seats/order-writes.ts';
import { lockMission } from '#server/orders/seats/orders.ts';
import { type Change, TRANSITIONS } from '#server/orders/seats/rules/transitions.ts';
import { copy } from '#shared/copy.ts';
import { givenAdmin, givenMission, givenPerson, hoursFromNow } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const NOW = new Date('2031-05-01T18:00:00.123Z');
const BEFORE = new Date('2031-04-30T12:00:00Z');
const AFTER = new Date('2031-05-02T12:00:00Z');
const CHANGES = [{ field: 'name', from: 'Old', to: 'Newer' }];

type Row = Record<string, unknown>;

/** The state of an order, by hand: columns beside those of a pending one, and whether it holds the first seat of its flight. */
const STATES: Record<string, { holdsSeat: boolean; row: Row }> = {
  pending: { holdsSeat: true, row: {} },
  overdue: { holdsSeat: true, row: { expires_at: BEFORE } },
  offered: { holdsSeat: false, row: { is_shared_offer: true } },
  accepted: {
    holdsSeat: true,
    row: { rsvp: 'accepted', read_at: BEFORE, answered_at: BEFORE, accepted_at: BEFORE, confirmed_at: BEFORE },
  },
  standby: { holdsSeat: false, row: { rsvp: 'standby', read_at: BEFORE, answered_at: BEFORE, gave_up_at: BEFORE } },
  declined: {
    holdsSeat: false,
    row: { rsvp: 'declined', answered_at: BEFORE, accepted_at: BEFORE, gave_up_at: BEFORE, is_late: true },
  },
  cancelled: {
    holdsSeat: false,
    row: { status: 'cancelled', status_reason: 'superseded', rsvp: 'standby', answered_at: BEFORE, gave_up_at: BEFORE },
  },
};
const PENDING: Row = {
  seat_index: 0,
  status: 'issued',
  status_reason: null,
  rsvp: 'pending',
  is_shared_offer: false,
  reasons: ['Before'],
  expires_at: AFTER,
  read_at: null,
  answered_at: null,
  accepted_at: null,
  confirmed_at: null,
  gave_up_at: null,
  is_late: false,
  changes: [{ field: 'name', from: 'Old', to: 'New' }],
  changed_at: BEFORE,
  nudged_at: BEFORE,
  attendance: 'excused',
  notice_closed_at: null,
};

/** What callers give. */
const GIVEN = {
  flight_id: 'other',
  seat_index: 1,
  rsvp: 'declined',
  reasons: ['After'],
  expires_at: new Date('2031-05-03T00:00:00Z'),
  is_late: true,
  changes: CHANGES,
  attendance: 'no_show',
};

const SEEN = { read_at: (row: Row) => row.read_at ?? NOW };
const ACCEPTED = {
  rsvp: 'accepted',
  ...SEEN,
  answered_at: NOW,
  accepted_at: NOW,
  confirmed_at: null,
  gave_up_at: null,
  is_late: false,
  changes: null,
};
const ELSEWHERE = { flight_id: 'other', seat_index: 1 };
const STEPPED_ASIDE = { rsvp: 'declined', ...SEEN, answered_at: NOW, confirmed_at: null, changes: null };
const ASKED_AGAIN = {
  rsvp: 'pending',
  expires_at: GIVEN.expires_at,
  read_at: null,
  answered_at: null,
  confirmed_at: null,
  gave_up_at: null,
};
const MOVED = { ...ELSEWHERE, is_shared_offer: false, reasons: ['After'], gave_up_at: null, changed_at: NOW };
const WITHOUT_SEAT = 'offered standby declined';
const ISSUED = `pending overdue accepted ${WITHOUT_SEAT}`;

type Value = unknown;
/** By hand: from which states, whether the order holds a seat then, and the columns that differ. */
const EXPECTED: Record<Change, { from: string; seat: 'same' | 'none' | 'other'; set: Row }> = {
  accept: { from: 'pending overdue', seat: 'same', set: ACCEPTED },
  'accept free seat': { from: WITHOUT_SEAT, seat: 'other', set: { ...ACCEPTED, ...ELSEWHERE } },
  'take seat': {
    from: WITHOUT_SEAT,
    seat: 'other',
    set: { ...ACCEPTED, ...ELSEWHERE, is_shared_offer: false, reasons: ['After'] },
  },
  promote: {
    from: 'standby',
    seat: 'other',
    set: { ...ACCEPTED, ...ELSEWHERE, is_shared_offer: false, reasons: ['After'], read_at: null, changes: CHANGES },
  },
  'step aside': { from: WITHOUT_SEAT, seat: 'same', set: STEPPED_ASIDE },
  'give up seat': {
    from: 'pending overdue accepted',
    seat: 'none',
    set: { ...STEPPED_ASIDE, gave_up_at: NOW, is_late: true },
  },
  confirm: { from: 'accepted', seat: 'same', set: { changes: null } },
  acknowledge: { from: ISSUED, seat: 'same', set: { changes: null } },
  tell: {
    from: 'pending overdue offered accepted standby',
    seat: 'same',
    set: { reasons: ['After'], changes: CHANGES, changed_at: NOW },
  },
  'ask again': { from: 'pending overdue offered accepted', seat: 'same', set: ASKED_AGAIN },
  move: {
    from: 'pending overdue accepted',
    seat: 'other',
    set: { ...MOVED, read_at: null, changes: CHANGES },
  },
  swap: { from: 'accepted', seat: 'other', set: { ...MOVED, confirmed_at: null, changes: null } },
  'change flight': {
    from: `${WITHOUT_SEAT} cancelled`,
    seat: 'same',
    set: { flight_id: 'other', gave_up_at: null, changes: CHANGES },
  },
  expire: { from: 'overdue', seat: 'none', set: { status: 'cancelled', status_reason: 'expired' } },
  withdraw: {
    from: ISSUED,
    seat: 'none',
    set: {
      status: 'cancelled',
      status_reason: 'superseded',
      reasons: ['After'],
      changes: CHANGES,
      changed_at: NOW,
    },
  },
  supersede: { from: 'offered standby', seat: 'same', set: { status: 'cancelled', status_reason: 'superseded' } },
  'wait again': { from: 'cancelled', seat: 'same', set: { status: 'issued', status_reason: null, changes: null } },
  cancel: {
    from: ISSUED,
    seat: 'none',
    set: { status: 'cancelled', status_reason: 'mission cancelled', changed_at: NOW },
  },
  read: { from: `${ISSUED} cancelled`, seat: 'same', set: SEEN },
  'close notice': { from: `${ISSUED} cancelled`, seat: 'same', set: { notice_closed_at: NOW } },
  nudge: { from: 'pending overdue accepted', seat: 'same', set: { nudged_at: NOW } },
  'mark attendance': { from: 'accepted', seat: 'same', set: { attendance: 'no_show', notice_closed_at: null } },
};

/** They leave an order in another state as it is. */
const SKIPS: ReadonlySet<Change> = new Set(['nudge', 'tell', 'ask again', 'expire', 'withdraw', 'supersede', 'cancel']);

let service: Service;
let missionId: string;
let pilotId: string;
let flights: { own: string; other: string };

beforeAll(async () => {
  service = await startService();
  const admin = await givenAdmin(service);
  pilotId = (await givenPerson(service)).id;
  const { mission } = await givenMission(service, admin, {
    startLocal: hoursFromNow(48),
    endLocal: hoursFromNow(50),
    aircraftSlots: [
      { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' },
      { aircraftId: 2, slotCount: 2, side: 0, notes: 'Strike' },
    ],
  });
  missionId = mission.id;
  const rows = await query<{ id: string }>(
    service.app.orm.em.fork(),
    sql`select id from flight where mission_id = ${missionId} order by id`,
  );
  flights = { own: rows[0]?.id ?? '', other: rows[1]?.id ?? '' };
});
afterAll(() => service.stop());

const at = (value: Value): Value => (value instanceof Date ? value.toISOString() : value);
const named = (value: Value): Value => (value === 'other' ? flights.other : value);

async function givenOrder(tx: Em, row: Row, holdsSeat: boolean): Promise<string> {
  const id = newId();
  const columns = { flight_id: flights.own, ...PENDING, ...row };
  const values = Object.values(columns).map((value) =>
    Array.isArray(value) && typeof value[0] === 'object' ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`,
  );
  await query(
    tx,
    sql`insert into frag_order (id, mission_id, pilot_id, issued_at, created_at, ${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
      values (${id}, ${missionId}, ${pilotId}, ${BEFORE}, ${BEFORE}, ${sql.join(values)})`,
  );
  if (holdsSeat)
    await query(
      tx,
      sql`insert into seat (order_id, pilot_id, flight_id, seat_index, mission_id, starts_at, ends_at)
        select ${id}, ${pilotId}, ${flights.own}, 0, id, starts_at, ends_at from mission where id = ${missionId}`,
    );
  return id;
}

/** The order, with times as ISO texts, and the place of its seat. */
async function read(tx: Em, id: string): Promise<{ row: Row; seat: string | null }> {
  const [found] = await query<{ row: Row; seat: string | null }>(
    tx,
    sql`select to_jsonb(o) as row, s.flight_id || ':' || s.seat_index as seat
      from frag_order o left join seat s on s.order_id = o.id where o.id = ${id}`,
  );
  if (!found) throw new Error('The order is gone');
  const row = Object.fromEntries(
    Object.entries(found.row).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : value,
    ]),
  );
  return { row, seat: found.seat };
}

class RollBack extends Error {}

/** Apply a transition to an order in a state, and undo it. @returns the order before and after, and the refusal */
async function tryOut(state: string, name: Change) {
  const result: { before?: Awaited<ReturnType<typeof read>>; after?: typeof result.before; refusal?: unknown } = {};
  const work = async (tx: Em) => {
    const { row = {}, holdsSeat = false } = STATES[state] ?? {};
    const id = await givenOrder(tx, row, holdsSeat);
    result.before = await read(tx, id);
    const mission = await lockMission(tx, missionId);
    if (!mission) throw new Error('The mission is gone');
    const given = { id, ...GIVEN, flight_id: flights.other } as unknown as Given<typeof name>;
    await changeOrders(tx, mission, name, [given], NOW).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      result.refusal = error;
    });
    result.after = await read(tx, id);
    throw new RollBack();
  };
  await transact(service.app.orm.em.fork(), work).catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error;
  });
  const { before, after, refusal } = result;
  if (!before || !after) throw new Error('Nothing was tried');
  return { before, after, refusal };
}

test('the table here has every change', () => {
  const changes = Object.entries(TRANSITIONS).flatMap(([name, { from }]) => (from === null ? [] : [name]));
  expect(Object.keys(EXPECTED).toSorted()).toEqual(changes.toSorted());
});

test.each(Object.keys(STATES))('an order that is %s', async (state) => {
  for (const [name, { from, seat, set }] of Object.entries(EXPECTED) as [Change, (typeof EXPECTED)[Change]][]) {
    const { before, after, refusal } = await tryOut(state, name);
    const tried = `${name}, ${state}`;
    if (from.split(' ').includes(state)) {
      expect(refusal, tried).toBeUndefined();
      const row = Object.fromEntries(
        Object.entries(set).map(([column, value]) => {
          const expected: Value = typeof value === 'function' ? value(before.row) : value;
          return [column, named(at(expected))];
        }),
      );
      expect(after.row, tried).toEqual({ ...before.row, ...row });
      const places = { same: before.seat, none: null, other: `${flights.other}:1` };
      expect(after.seat, tried).toBe(places[seat]);
    } else {
      expect(after, tried).toEqual(before);
      const sentence = refusal instanceof AppError ? refusal.message : null;
      expect(sentence, tried).toBe(SKIPS.has(name) ? null : copy.answerNotPossible);
    }
  }
});
