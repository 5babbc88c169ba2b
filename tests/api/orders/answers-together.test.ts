/** Shared offers that are accepted while somebody holds the mission's lock: together where nothing stands in the way. */
import { Client, type Pool } from 'pg';
import type { RawBuilder } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { answer } from '#server/orders/answer.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenBurst } from '#tests/harness/burst.ts';
import { emOf } from '#tests/harness/cast.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { callOffMissions, givenMissionIn, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterEach(async () => {
  await callOffMissions(service);
  await retirePilots(service);
});
afterAll(() => service.stop());

const rows = <Row>(statement: RawBuilder<Row>): Promise<Row[]> => query<Row>(emOf(service), statement);

interface Offer {
  id: string;
  pilotId: string;
  flightId: string;
  seatIndex: number;
}

/** A mission in an hour with so many seats, each with one offer, and one more for the first seat. */
async function givenOffers(seats: number): Promise<{ missionId: string; offers: Offer[] }> {
  const { missionId } = await givenBurst(service, admin, { pilots: seats + 1, seats });
  const offers = await rows<Offer>(
    sql`select id, pilot_id as "pilotId", flight_id as "flightId", seat_index as "seatIndex" from frag_order
        where mission_id = ${missionId} order by flight_id, seat_index, seq`,
  );
  return { missionId, offers };
}

/** With the same Idempotency-Key each time. @returns 'accepted' or the refusal's code */
function accept({ id, pilotId }: Offer): Promise<string> {
  const now = new Date();
  const caller = { userId: pilotId, key: `accept-${id}`, now };
  return answer(
    emOf(service),
    { id: pilotId, roles: ['user'] } as Viewer,
    { id, response: 'accepted' },
    now,
    caller,
  ).then(
    ({ rsvp }) => rsvp as string,
    ({ code }: { code: string }) => code,
  );
}

/** All of them accept while somebody else has locked the mission, the first one first. @returns 'accepted' or the refusal's code */
async function acceptBehindLock(missionId: string, offers: readonly Offer[]): Promise<string[]> {
  const holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from mission where id = $1 for update', [missionId]);
  const pool: Pool = await emOf(service).getConnection().getNativeClient();
  const inUse = () => pool.totalCount - pool.idleCount;
  const [first, ...others] = offers;
  const answers = first ? [accept(first)] : [];
  const isLocked = async () =>
    (await holder.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
      .rowCount === 1;
  await vi.waitUntil(isLocked, { timeout: 5_000, interval: 20 });
  let reads = 0;
  pool.on('release', () => (reads += 1));
  answers.push(...others.map(accept));
  // their first reads are over, and only the first one still has a connection
  const isWaiting = () => reads >= others.length && pool.waitingCount === 0 && inUse() === 1;
  await vi.waitUntil(isWaiting, { timeout: 5_000, interval: 5 });
  await holder.end();
  return Promise.all(answers);
}

const listAnswered = (missionId: string) =>
  rows<{ id: string; answeredMs: number }>(
    sql`select o.id, (extract(epoch from o.answered_at) * 1000)::float8 as "answeredMs" from seat s join frag_order o on o.id = s.order_id
        where s.mission_id = ${missionId} order by o.flight_id, o.seat_index`,
  );

test('each pilot gets their seat, or the reason why not', async () => {
  const elsewhere = await givenMissionIn(service, admin, 2);
  const { missionId, offers } = await givenOffers(8);
  const [first, sameSeat, plain, away, busy, late, changed, alsoPlain, last] = offers as [Offer, ...Offer[]];
  expect(sameSeat).toMatchObject({ flightId: first.flightId, seatIndex: first.seatIndex });
  await rows(
    sql`insert into leave (user_id, first_date, last_date, updated_at) values (${away?.pilotId}, now()::date - 1, now()::date + 9, now())`,
  );
  await rows(
    sql`with held as (
          insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, reasons, issued_at, expires_at, created_at)
          select gen_random_uuid(), f.mission_id, f.id, 0, ${busy?.pilotId}, 'issued', 'accepted', '{}', now(), now(), now()
          from flight f where f.mission_id = ${elsewhere.mission.id} limit 1 returning *)
        insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
        select h.flight_id, 0, h.pilot_id, h.mission_id, h.id, m.starts_at, m.ends_at from held h join mission m on m.id = h.mission_id`,
  );
  await rows(sql`update frag_order set changes = '[]', changed_at = now() where id = ${changed?.id}`);
  const given = await acceptBehindLock(missionId, offers);
  expect(given).toEqual(
    offers.map((offer) =>
      offer === sameSeat ? 'SEAT_TAKEN' : offer === away ? 'ON_LEAVE' : offer === busy ? 'OVERLAP' : 'accepted',
    ),
  );
  const answered = await listAnswered(missionId);
  const seated = offers.filter((offer) => ![sameSeat, away, busy].includes(offer)).map(({ id }) => id);
  expect(new Set(answered.map(({ id }) => id))).toEqual(new Set(seated));
  // one moment for those of one transaction; the first one had come before, and a changed order is looked at by itself
  const momentOf = new Map(answered.map(({ id, answeredMs }) => [id, answeredMs]));
  const together = [plain, late, alsoPlain, last].map((offer) => momentOf.get(offer?.id ?? ''));
  expect(new Set(together).size).toBe(1);
  expect([first, changed].map((offer) => momentOf.get(offer?.id ?? '') === together[0])).toEqual([false, false]);
  // a repeated request gets the same answer, and does not confirm the seat
  expect(await Promise.all(offers.map(accept))).toEqual(given);
  const confirmed = sql`select 1 from frag_order where mission_id = ${missionId} and confirmed_at is not null`;
  expect(await rows(confirmed)).toEqual([]);
  expect(await findBreaches(service)).toEqual([]);
});

test('an overdue offer is refused, and the others get their seats one by one', async () => {
  const { missionId, offers } = await givenOffers(3);
  const [, , overdue] = offers;
  await rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${overdue?.id}`);
  const given = await acceptBehindLock(missionId, offers);
  expect(given).toEqual(['accepted', 'SEAT_TAKEN', 'ORDER_EXPIRED', 'accepted']);
  expect(await findBreaches(service)).toEqual([]);
});
