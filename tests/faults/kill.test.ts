/** kill -9 of the server and of PostgreSQL during answers: acknowledged answers survive. */
import { randomInt } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect } from '#server/schema/orm.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { createLog } from '#server/platform/log.ts';
import type { Rsvp } from '#shared/vocabulary.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { hoursFromNow } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import type { Client } from '#tests/harness/service.ts';
import { answerUntil, givenAnswering, insist, listOrders, type Pilot } from './answering.ts';
import { findDoubles, findLost, possibleAnswers, type Attempt, type Holder } from './history.ts';
import { createMarshal, type Marshal } from './process.ts';

const PILOTS = 6;
/** Days and seats of the missions; there are fewer seats than pilots, so that seats change hands. */
const MISSIONS = [2, 3, 4, 5];
const SEATS = 3;
const EVERY_KILL = ['server', 'database', 'both', 'server', 'database', 'both', 'server', 'database'] as const;
const KILLS = EVERY_KILL.slice(0, inDrill(EVERY_KILL.length, 3));
/** Outcomes that must occur. A refusal is too rare for the short form. */
const OUTCOMES = ['ok', 'unknown', 'refused'].slice(0, inDrill(3, 2));
/** Answers run for this long before a kill: long enough to be under way, cut at any moment. */
const LOAD_MS = { min: 200, max: 1_200 };

let marshal: Marshal;
let admin: Client;
let pilots: Pilot[];
const unexpected: string[] = [];

/** Accepted seats as the admins' board shows them. */
async function readBoard(): Promise<Holder[]> {
  const days = new Set(MISSIONS.map((day) => hoursFromNow(day * 24).slice(0, 10)));
  const boards = await Promise.all(
    [...days].map((date) => insist(() => admin.call('GET', `/admin/missions/by-date?date=${date}&tz=UTC`))),
  );
  type Flight = {
    sizeCap: number;
    acceptedCount: number;
    pendingCount: number;
    openSlots: number;
    assignments: object[];
  };
  const missions: { id: string; packages: { flights: Flight[] }[] }[] = boards.flatMap(({ body }) => body.missions);
  expect(missions).toHaveLength(MISSIONS.length);
  return missions.flatMap(({ id, packages }) =>
    packages.flatMap(({ flights }) =>
      flights.flatMap((flight) => {
        expect(flight.acceptedCount + flight.pendingCount + flight.openSlots).toBe(flight.sizeCap);
        return flight.assignments.map((seat) => ({ missionId: id, ...seat }) as Holder);
      }),
    ),
  );
}

beforeAll(async () => {
  marshal = await createMarshal();
  await marshal.start();
  ({ admin, pilots } = await givenAnswering(marshal, { count: PILOTS, seats: SEATS, days: MISSIONS }));
}, 120_000);

afterAll(async () => {
  await marshal.kill('both');
  marshal.remove();
});

describe('killed at any moment', () => {
  test.each(KILLS.map((what, round) => [round + 1, what] as const))(
    'round %i, %s: every acknowledged answer is kept and no seat is held twice',
    async (_round, what) => {
      let isOver = false;
      const countHeard = () =>
        pilots.flatMap(({ history }) => history).filter(({ outcome }) => outcome === 'ok').length;
      const heardBefore = countHeard();
      const load = pilots.map((pilot) => answerUntil(pilot, () => isOver, unexpected));
      // a busy machine takes a second for the first answer after a start
      await vi.waitUntil(() => countHeard() >= heardBefore + PILOTS, { timeout: 20_000, interval: 10 });
      await pass(randomInt(LOAD_MS.min, LOAD_MS.max));
      await marshal.kill(what);
      isOver = true;
      await Promise.all(load);
      if (what === 'database') await marshal.ready();
      else await marshal.start();

      const lists = await Promise.all(pilots.map(listOrders));
      const orders = lists.flat();
      const shown = new Map(orders.map(({ id, rsvp }) => [id, rsvp]));
      expect(
        findLost(
          pilots.flatMap(({ history }) => history),
          shown,
        ),
      ).toEqual([]);

      const board = await readBoard();
      expect(findDoubles(board)).toEqual([]);
      const accepted = pilots.flatMap(({ id }, index) =>
        (lists[index] ?? []).flatMap(({ rsvp, missionId }) => (rsvp === 'accepted' ? [`${missionId} ${id}`] : [])),
      );
      expect(board.map(({ missionId, userId }) => `${missionId} ${userId}`).toSorted()).toEqual(accepted.toSorted());

      // a pilot who retries after a lost response gets the answer that the seat is theirs
      for (const [index, pilot] of pilots.entries()) {
        for (const { id, rsvp } of lists[index] ?? []) {
          if (rsvp !== 'accepted') continue;
          const again = await insist(() =>
            pilot.client.call('POST', `/pilot/inbox/${id}/rsvp`, { response: 'accepted' }),
          );
          expect([again.status, again.body.rsvp]).toEqual([200, 'accepted']);
          const nowMs = performance.now();
          pilot.history.push({ orderId: id, response: 'accepted', outcome: 'ok', sentMs: nowMs, heardMs: nowMs });
        }
      }
      expect(unexpected).toEqual([]);
    },
    60_000,
  );

  test('the rounds covered answers of every outcome, and the rows agree', async () => {
    const history = pilots.flatMap((pilot) => pilot.history);
    const outcomes = Map.groupBy(history, ({ outcome }) => outcome);
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(OUTCOMES));
    expect(outcomes.get('ok')?.length).toBeGreaterThan(KILLS.length * PILOTS);

    await marshal.stop();
    const database = await startEmbedded({ dataDir: marshal.dataDir, log: createLog('silent') });
    const orm = await connect(database.url);
    try {
      expect(await findBreaches({ app: { orm } })).toEqual([]);
    } finally {
      await orm.close();
      await database.stop();
    }
  }, 60_000);
});

describe('the checkers find', () => {
  const ok = (response: Attempt['response']): Attempt => ({ orderId: 'a', response, outcome: 'ok' });
  const unknown = (response: Attempt['response']): Attempt => ({ ...ok(response), outcome: 'unknown' });
  const refused = (response: Attempt['response']): Attempt => ({ ...ok(response), outcome: 'refused' });

  test.each<[what: string, history: Attempt[], possible: Rsvp[]]>([
    ['nothing said', [], ['pending']],
    ['one answer', [ok('declined')], ['declined']],
    ['the later of two', [ok('accepted'), ok('declined')], ['declined']],
    ['a refusal changes nothing', [ok('declined'), refused('accepted')], ['declined']],
    ['an unknown one may have been done', [ok('accepted'), unknown('declined')], ['accepted', 'declined']],
    ['an answer after an unknown one settles it', [unknown('declined'), ok('accepted')], ['accepted']],
    ['standby may have become a seat', [ok('standby')], ['accepted', 'standby']],
  ])('what an order may show: %s', (_what, history, possible) => {
    expect([...possibleAnswers(history)].toSorted()).toEqual(possible);
  });

  test('a lost answer, planted into the real journal', () => {
    const heard = pilots.flatMap(({ history }) => history).findLast(({ outcome }) => outcome === 'ok');
    if (!heard) throw new Error('no answer was heard');
    const lost: Attempt = { orderId: heard.orderId, response: 'declined', outcome: 'ok' };
    expect(findLost([heard, lost], new Map([[heard.orderId, 'accepted']]))).toEqual([
      `${heard.orderId} shows accepted after declined`,
    ]);
    expect(findLost([lost], new Map())).toEqual([`${heard.orderId} shows nothing after declined`]);
    expect(findLost([lost], new Map([[heard.orderId, 'declined']]))).toEqual([]);
  });

  test('a seat with two holders and a pilot with two seats', () => {
    const seat = { missionId: 'm', flightId: 'f', seatIndex: 0, userId: 'a' };
    expect(findDoubles([seat, { ...seat, seatIndex: 1, userId: 'b' }])).toEqual([]);
    expect(findDoubles([seat, { ...seat, userId: 'b' }])).toEqual(['seat f:0']);
    expect(findDoubles([seat, { ...seat, flightId: 'g' }])).toEqual(['pilot m a']);
  });
});
