/**
 * Webhooks through a receiver that is down, slow or failing and a sender that is killed again and again: every event
 * arrives, in order per mission, with a valid signature. The same harness finds a sender that acknowledges too early, and
 * one that forgets the order.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { givenWebhookDrill, MOODS, type WebhookDrill } from './webhook-drill.ts';

const SEED = 20_261_123;
const EVENTS = inDrill(1_000, 40);
const KILLS = inDrill(50, 2);

let service: Service;
let drill: WebhookDrill;
beforeEach(async () => {
  service = await startService({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } });
  drill = await givenWebhookDrill(service);
}, 60_000);
afterEach(async () => {
  await drill.stop();
  await service.stop();
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** Plants a defect: a trigger that changes rows of deliveries. */
async function plant(event: 'insert' | 'update', change: string): Promise<void> {
  await rows(
    sql`create function plant() returns trigger language plpgsql as ${sql.raw(`$$ begin ${change}; return new; end $$`)}`,
  );
  await rows(sql`create trigger plant before ${sql.raw(event)} on delivery for each row execute function plant()`);
}

test(`${EVENTS} events through ${KILLS} kills: each arrives, in the order of its mission`, async () => {
  const random = seeded(SEED);
  // a kill that is certain to hit a request, which is then repeated
  await drill.strike(1, random, ['hanging']);
  await Promise.all([drill.change(EVENTS, seeded(SEED + 1)), drill.strike(KILLS - 1, random, MOODS)]);
  await drill.settle();
  const { expected, ...wrong } = await drill.judge();
  expect(wrong).toEqual({ lost: [], unknown: [], disordered: [], forged: [] });
  expect(expected).toBeGreaterThanOrEqual(EVENTS);
  // repetitions are what the ids are for
  const ids = drill.receiver.requests.map(({ event }) => event.id);
  expect(ids.length).toBeGreaterThan(new Set(ids).size);
  expect(drill.receiver.requests.every(({ headers, event }) => headers['webhook-id'] === event.id)).toBe(true);
}, 1_200_000);

test('a sender that acknowledges before it sends is found', async () => {
  await plant('update', "if new.attempts > old.attempts then new.state := 'sent'; end if");
  await drill.change(40, seeded(SEED + 1));
  await drill.strike(2, seeded(SEED), ['hanging']);
  await drill.settle();
  expect((await drill.judge()).lost).not.toEqual([]);
}, 300_000);

test('a sender that forgets the order is found', async () => {
  await plant('insert', 'new.stream := new.id');
  await drill.change(40, seeded(SEED + 1));
  drill.receiver.reactTo(({ type }) => (type === 'mission.published' ? 500 : 204));
  await drill.sender.start();
  await vi.waitUntil(() => drill.receiver.taken().length > 10, { timeout: 30_000 });
  await drill.sender.kill();
  await drill.settle();
  const { lost, disordered } = await drill.judge();
  expect(lost).toEqual([]);
  expect(disordered).not.toEqual([]);
}, 300_000);
