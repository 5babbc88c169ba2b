/** Turns at a mission's lock: how many work at a time, in which order, and what becomes of those who wait too long. */
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#server/platform/errors.ts';
import type { Em } from '#server/schema/orm.ts';
import { inTurn } from '#server/seats/mission-turns.ts';

const outside = { isInTransaction: () => false } as Em;
const inside = { isInTransaction: () => true } as Em;

afterEach(() => {
  vi.useRealTimers();
});

/** Work that goes on until it is told to end. */
function givenWork(missionId: string, em = outside) {
  const { promise: end, resolve } = Promise.withResolvers<string>();
  const work = { waited: null as boolean | null, end: resolve, done: Promise.resolve('') };
  work.done = inTurn(em, missionId, ({ hasWaited }) => {
    work.waited = hasWaited;
    return end;
  });
  return work;
}

const started = (works: readonly ReturnType<typeof givenWork>[]) => works.map(({ waited }) => waited);

test('one works at a time, the others in the order in which they came, and each mission has its own turns', async () => {
  const works = Array.from({ length: 3 }, () => givenWork('north'));
  const elsewhere = givenWork('south');
  expect(started(works)).toEqual([false, null, null]);
  expect(elsewhere.waited).toBe(false);
  works[0]?.end('first');
  expect(await works[0]?.done).toBe('first');
  expect(started(works)).toEqual([false, true, null]);
  for (const work of [...works, elsewhere]) work.end('done');
  await Promise.all([...works, elsewhere].map(({ done }) => done));
  expect(started(works)).toEqual([false, true, true]);
  const later = givenWork('north');
  expect(later.waited).toBe(false);
  later.end('');
});

test('a failure passes the turn on', async () => {
  const first = givenWork('east');
  const failing = inTurn(outside, 'east', () => Promise.reject(new Error('lost')));
  const last = givenWork('east');
  first.end('');
  await expect(failing).rejects.toThrow('lost');
  expect(last.waited).toBe(true);
  last.end('');
  await last.done;
});

test('in a transaction, which may hold the lock, nobody waits', async () => {
  const works = [givenWork('west'), givenWork('west')];
  const own = givenWork('west', inside);
  expect([works[1]?.waited, own.waited]).toEqual([null, false]);
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
  expect([late.waited, patient.waited]).toEqual([null, true]);
  patient.end('');
  await patient.done;
});
