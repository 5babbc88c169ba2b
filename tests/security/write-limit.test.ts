/** The limit on writes of one account per minute, without effect on others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWriteLimit } from '#server/platform/write-limit.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS } from '#tests/harness/transports.ts';

const PER_MINUTE = 20;
const SENTENCE = 'Too many changes within a minute. Please wait a moment and try again.';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { WRITES_PER_MINUTE: String(PER_MINUTE) } });
});
afterAll(() => service.stop());

const setStatus = (pilot: Person, transport: (typeof TRANSPORTS)[number]) =>
  ask(service, transport, 'pilot.setStatus', { id: pilot.id, state: 'dnd' }, pilot.client.cookie());

/** Writes until one is refused: a minute may have ended between two of them, so at most twice the limit. */
async function useUp(pilot: Person, transport: (typeof TRANSPORTS)[number]): Promise<number> {
  for (let accepted = 0; accepted <= 2 * PER_MINUTE; accepted += 1) {
    if ((await setStatus(pilot, transport)).status === 429) return accepted;
  }
  throw new Error('nothing was refused');
}

test.each(TRANSPORTS)('by %s: 429 with Retry-After, while others and reads go on', async (transport) => {
  const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
  expect(await useUp(pilot, transport)).toBeGreaterThanOrEqual(PER_MINUTE);
  // by either way: they count together
  for (const next of TRANSPORTS) {
    const before = await takeDigest(service);
    const reply = await setStatus(pilot, next);
    expect([reply.status, reply.message]).toEqual([429, SENTENCE]);
    const seconds = Number(reply.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    // refused tries write nothing
    expect(await takeDigest(service)).toEqual(before);
    const cookie = pilot.client.cookie();
    expect((await ask(service, next, 'pilot.status', { id: pilot.id }, cookie)).status).toBe(200);
    expect((await setStatus(other, next)).status).toBe(200);
  }
});

test('each call of a batch counts', async () => {
  const { id, client } = await givenPerson(service);
  const statuses = async () => {
    const calls = Array.from({ length: 10 }, () => client.trpc.pilot.setStatus.mutate({ id, state: 'available' }));
    return (await Promise.allSettled(calls)).map(({ status }) => status);
  };
  // Even across the end of a minute, at most forty of sixty calls can succeed.
  const all = (await Promise.all(Array.from({ length: 6 }, statuses))).flat();
  const accepted = all.filter((status) => status === 'fulfilled').length;
  expect(accepted === PER_MINUTE || (accepted > PER_MINUTE && accepted <= 2 * PER_MINUTE)).toBe(true);
});

test('refused calls count too, so that guessing costs as much', async () => {
  const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
  const attempts = Array.from({ length: 3 * PER_MINUTE }, () =>
    ask(service, 'rest', 'pilot.setStatus', { id: other.id, state: 'dnd' }, pilot.client.cookie()),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([403, 429]));
});

test('the limit resets each minute, and the refusal says when', () => {
  const limit = createWriteLimit(2);
  const at = (text: string) => new Date(`2026-11-22T10:${text}Z`);
  const refusal = (account: string, text: string) => {
    try {
      limit.count(account, at(text));
      return null;
    } catch (error) {
      return Reflect.get(Object(error), 'retryAfterSeconds') as number;
    }
  };
  expect(['00:10', '00:20', '00:30', '00:59.5'].map((text) => refusal('a', text))).toEqual([null, null, 30, 1]);
  expect(refusal('b', '00:59.9')).toBeNull();
  expect(['01:00', '01:01', '01:02'].map((text) => refusal('a', text))).toEqual([null, null, 58]);
});

test('without a limit nothing is counted', () => {
  const unlimited = createWriteLimit(0);
  const now = new Date();
  expect(() => Array.from({ length: 1_000 }, () => unlimited.count('a', now))).not.toThrow();
});
