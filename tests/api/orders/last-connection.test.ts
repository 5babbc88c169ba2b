/** An answer needs one connection of the pool: once it counts, no other one can be missing. */
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client, type Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { answer } from '#server/orders/answer.ts';
import { joinStandby } from '#server/orders/join-standby.ts';
import { takeOpenSeat } from '#server/orders/take-seat.ts';
import { connect, type Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { emOf } from '#tests/harness/cast.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, retirePilots } from '#tests/harness/orders.ts';
import { seatIn } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
/** has one connection */
let narrow: MikroORM;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  narrow = await connect(service.databaseUrl, { poolSize: 1 });
});
afterAll(async () => {
  await narrow.close();
  await service.stop();
});

const isQueued = async (): Promise<boolean> =>
  (
    await query(
      emOf(service),
      sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  ).length > 0;

/** Do work that waits for the mission's lock, while somebody else waits for its connection and then keeps it. */
async function withLastConnection(missionId: string, work: (em: Em) => Promise<FragOrderDto>): Promise<FragOrderDto> {
  const pool: Pool = await narrow.em.getConnection().getNativeClient();
  const holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from mission where id = $1 for update', [missionId]);
  const working = work(narrow.em.fork());
  await vi.waitUntil(isQueued, { timeout: 1_900, interval: 20 });
  const next = pool.connect();
  await holder.end();
  try {
    return await working;
  } finally {
    (await next).release();
  }
}

test.each(['accepted', 'declined', 'standby'] as const)('%s', async (response) => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 40);
  const { id } = await orderOf(pilot);
  const order = await withLastConnection(mission.id, (em) => answer(em, pilot, { id, response }, new Date()));
  expect(order).toMatchObject({ id, rsvp: response });
  await retirePilots(service);
});

test('a seat is taken', async () => {
  const { mission } = await givenMissionIn(service, admin, 60);
  const pilot = await givenPilot(service);
  const seat = await seatIn(admin, mission.id);
  const order = await withLastConnection(mission.id, (em) => takeOpenSeat(em, pilot, seat, new Date()));
  expect(order).toMatchObject({ missionId: mission.id, rsvp: 'accepted' });
  await retirePilots(service);
});

test('a pilot joins the standby queue', async () => {
  const holder = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 80);
  expect(await orderOf(holder)).toMatchObject({ missionId: mission.id });
  const pilot = await givenPilot(service);
  const order = await withLastConnection(mission.id, (em) => joinStandby(em, pilot, { id: mission.id }, new Date()));
  expect(order).toMatchObject({ missionId: mission.id, rsvp: 'standby', standbyPosition: 1 });
  await retirePilots(service);
});
