/** Turns at a mission's lock: how many work at a time, in which order, and what becomes of those who wait too long. */
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#server/platform/errors.ts';
import type { Em } from '#server/schema/orm.ts';
import { inTurn, type Turn } from '#server/orders/seats/mission-turns.ts';

const outside = { isInTransaction: () => false } as Em;
const inside = { isInTransaction: () => true } as Em;

afterEach(() => {
  vi.useRealTimers();
});

interface Offer {
  orderId: string;
  flightId: string;
  seatIndex: number;
}
type TestTurn = Turn<Offer, string>;

/** Each order is for a seat of its own, unless one is given. */
const turnOf = (
  orderId: string | null,
  listLate: TestTurn['listLate'] = () => Promise.resolve([]),
  together: TestTurn['together'] = () => Promise.resolve(new Map()),
): TestTurn => ({
  offer: orderId === null ? null : { orderId, flightId: orderId, seatIndex: 0 },
  listLate,
  refusal: () => new AppError('SEAT_TAKEN', 'too late'),
  together,
});

/** Work that goes on until it is told to end. */
function givenWork(missionId: string, em = outside, turn = turnOf(null)) {
  const { promise: end, resolve } = Promise.withResolvers<string>();
  const work = { hasStarted: false, end: resolve, done: Promise.resolve('') };
  work.done = inTurn(em, missionId, turn, () => {
    work.hasStarted = true;
    return end;
  });
  return work;
}

const started = (works: readonly ReturnType<typeof givenWork>[]) => works.map(({ hasStarted }) => hasStarted);

test('one works at a time, the others in the order in which they came, and each mission has its own turns', async () => {
  const works = Array.from({ length: 3 }, () => givenWork('north'));
  const elsewhere = givenWork('south');
  expect(started([...works, elsewhere])).toEqual([true, false, false, true]);
  works[0]?.end('first');
  expect(await works[0]?.done).toBe('first');
  expect(started(works)).toEqual([true, true, false]);
  for (const work of [...works, elsewhere]) work.end('done');
  await Promise.all([...works, elsewhere].map(({ done }) => done));
  expect(started(works)).toEqual([true, true, true]);
  const later = givenWork('north');
  expect(later.hasStarted).toBe(true);
  later.end('');
});

test('a failure passes the turn on', async () => {
  const first = givenWork('east');
  const failing = inTurn(outside, 'east', turnOf(null), () => Promise.reject(new Error('lost')));
  const last = givenWork('east');
  first.end('');
  await expect(failing).rejects.toThrow('lost');
  expect(last.hasStarted).toBe(true);
  last.end('');
  await last.done;
});

test('in a transaction, which may hold the lock, nobody waits', async () => {
  const works = [givenWork('west'), givenWork('west')];
  const own = givenWork('west', inside);
  expect(started([...works, own])).toEqual([true, false, true]);
  for (const work of [...works, own]) work.end('');
  await Promise.all(works.map(({ done }) => done));
});

test('whoever waits for ten seconds is told to try again, and takes no turn', async () => {
  vi.useFakeTimers();
  const first = givenWork('high');
  const late = givenWork('high');
  const refused = expect(late.done).rejects.toThrow(AppError);
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  const patient = givenWork('high');
  first.end('');
  await first.done;
  expect(started([late, patient])).toEqual([false, true]);
  patient.end('');
  await patient.done;
});

test('whoever has come too late meanwhile is told so at once, and the next one gets the turn', async () => {
  const asked: string[][] = [];
  const listLate = (orderIds: readonly string[]) => {
    asked.push([...orderIds]);
    return Promise.resolve(['slow', 'slower']);
  };
  const first = givenWork('low', outside, turnOf('fast', listLate));
  const late = ['slow', 'slower'].map((id) => givenWork('low', outside, turnOf(id)));
  const declining = givenWork('low');
  const other = givenWork('low', outside, turnOf('elsewhere'));
  const refused = Promise.all(late.map(({ done }) => expect(done).rejects.toThrow('too late')));
  first.end('');
  await refused;
  expect(asked).toEqual([['slow', 'slower', 'elsewhere']]);
  expect(started([...late, declining, other])).toEqual([false, false, true, false]);
  for (const work of [declining, other]) work.end('');
  await Promise.all([declining.done, other.done]);
});

test('without an answer about who is late, all go on in their order', async () => {
  const first = givenWork(
    'deep',
    outside,
    turnOf('first', () => Promise.reject(new Error('no database'))),
  );
  const second = givenWork('deep', outside, turnOf('second'));
  first.end('');
  second.end('seated');
  expect(await second.done).toBe('seated');
});

test('offers of different seats are accepted together by the one who has waited the longest', async () => {
  const asked: string[][] = [];
  const together: TestTurn['together'] = (offers) => {
    asked.push(offers.map(({ orderId }) => orderId));
    return Promise.resolve(
      new Map([
        ['first', 'seat 1'],
        ['third', 'seat 3'],
      ]),
    );
  };
  const nobodyLate = () => Promise.resolve([]);
  const worker = givenWork('wide');
  const first = givenWork('wide', outside, turnOf('first', nobodyLate, together));
  const sameSeat = givenWork('wide', outside, {
    ...turnOf('second'),
    offer: { orderId: 'second', flightId: 'first', seatIndex: 0 },
  });
  const declining = givenWork('wide');
  const third = givenWork('wide', outside, turnOf('third'));
  const special = givenWork('wide', outside, turnOf('special'));
  worker.end('');
  expect(await Promise.all([first.done, third.done])).toEqual(['seat 1', 'seat 3']);
  expect(asked).toEqual([['first', 'third', 'special']]);
  // what was not accepted together, or waits for a taken seat, is worked at one by one, in its order
  expect(started([first, third])).toEqual([false, false]);
  for (const work of [sameSeat, declining, special]) work.end('alone');
  expect(await Promise.all([sameSeat.done, declining.done, special.done])).toEqual(['alone', 'alone', 'alone']);
});

test('offers that fail together are worked at one by one', async () => {
  const failing: TestTurn['together'] = () => Promise.reject(new Error('lost'));
  const worker = givenWork('far');
  const works = ['a', 'b'].map((id) => givenWork('far', outside, turnOf(id, undefined, failing)));
  worker.end('');
  for (const work of works) work.end('alone');
  expect(await Promise.all(works.map(({ done }) => done))).toEqual(['alone', 'alone']);
  expect(started(works)).toEqual([true, true]);
});
