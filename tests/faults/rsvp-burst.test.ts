/** A burst of answers to one mission at two processes on one database, over HTTP. `npm run bench -- rsvp-burst` measures it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { acceptAll, givenBurst, judgeBurst } from '#tests/harness/burst.ts';
import { emOf, listJobs } from '#tests/harness/cast.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { callOffMissions, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const SIZE = { pilots: inDrill(3_000, 300), seats: inDrill(64, 8) };

let service: Service;
let beside: Service;
beforeAll(async () => {
  service = await startService();
  beside = await startService({ beside: service });
});
afterEach(async () => {
  await callOffMissions(service);
  await retirePilots(service);
});
afterAll(async () => {
  await beside.stop();
  await service.stop();
});

const doorOf = ({ url }: Service) => ({ origin: url, port: Number(new URL(url).port) });

test('every seat has one pilot, and all others are told that theirs is taken', async () => {
  const burst = await givenBurst(service, await givenAdmin(service), SIZE);
  const { answers } = await acceptAll(burst, { doors: [service, beside].map(doorOf), lanes: 32 });
  expect(await judgeBurst(service, burst, answers)).toEqual([]);
  // it offers the seats that are left to the pilots who were slower: one job, however many answers there were
  expect(await listJobs(service, `backfill_mission:${burst.missionId}`)).toHaveLength(1);
});

test('a burst that is answered wrongly is found', async () => {
  const burst = await givenBurst(service, await givenAdmin(service), { pilots: 4, seats: 2 });
  const { answers } = await acceptAll(burst, { doors: [doorOf(service)], lanes: 2 });
  expect(await judgeBurst(service, burst, answers)).toEqual([]);
  const winner = answers.find(({ status }) => status === 200);
  const slower = answers.find(({ status }) => status === 409);
  if (!winner || !slower) throw new Error('a winner and a slower pilot were expected');
  const others = answers.filter((one) => one !== slower);
  expect(await judgeBurst(service, burst, [...others, { ...slower, status: 503, code: 'BUSY' }])).toEqual([
    `${slower.orderId} was answered by 503 BUSY`,
  ]);
  expect(await judgeBurst(service, burst, others)).toEqual(['3 of 4 pilots have an answer']);
  await query(emOf(service), sql`delete from seat where order_id = ${winner.orderId}`);
  expect(await judgeBurst(service, burst, answers)).toEqual([
    '1 of 2 seats have a holder',
    `${winner.orderId} was accepted and has no seat`,
    `an order that holds a seat has none: ${winner.orderId} accepted`,
  ]);
});
