/** The fairness ledger and reliability, end to end: seats rotate, and a track record follows from the rows. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { answer } from '#server/orders/answer.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { loadDebts } from '#server/accounts/pilots/fairness.ts';
import { givenAdmin, givenMission, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const HOUR_MS = 3_600_000;
const VIPER = 2;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  // the planning admin does not fly here
  await query(em(), sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());
afterEach(() => retirePilots(service));

const em = () => service.app.orm.em.fork();
const seats = (slotCount: number) => [{ aircraftId: VIPER, slotCount, side: 0 as const, notes: 'CAP' as const }];
const request = (slotCount: number, fromHours: number) => ({
  name: `Op in ${fromHours} h`,
  theater: 'Syria',
  startLocal: hoursFromNow(fromHours),
  endLocal: hoursFromNow(fromHours + 2),
  timeZone: 'UTC',
  aircraftSlots: seats(slotCount),
});
const standingOf = async ({ id }: Person) => (await admin.client.call('GET', `/users/${id}/standing`)).body;
const debtsOf = async (...pilots: Person[]): Promise<number[]> =>
  Promise.all(pilots.map(async (pilot) => (await standingOf(pilot)).debt));
const holdersOf = async (missionId: string): Promise<string[]> =>
  (
    await query<{ pilot_id: string }>(
      em(),
      sql`select pilot_id from seat where mission_id = ${missionId} order by flight_id, seat_index`,
    )
  ).map(({ pilot_id }) => pilot_id);
const givenPilots = (count: number) => Promise.all(Array.from({ length: count }, () => givenPilot(service)));

describe('seats go round', () => {
  test('over 12 missions of 2 seats 5 equally willing pilots differ by one seat at most, and the ledger is even', async () => {
    const pilots = await givenPilots(5);
    const flown = new Map(pilots.map(({ id }) => [id, 0]));
    for (let evening = 0; evening < 12; evening++) {
      const { status, body } = await admin.client.call('POST', '/admin/missions', request(2, 30 + 5 * evening));
      expect([status, body.issued]).toEqual([201, { orders: 2, openSeats: 0 }]);
      for (const id of await holdersOf(body.mission.id)) flown.set(id, (flown.get(id) ?? Number.NaN) + 1);
      const counts = [...flown.values()];
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
    const debts = await debtsOf(...pilots);
    // 24 seats for five: 4.8 were due to each
    expect(debts.map((debt) => Number(debt.toFixed(6)))).toEqual(
      pilots.map(({ id }) => Number((4.8 - (flown.get(id) ?? Number.NaN)).toFixed(6))),
    );
  });

  test('the dry run seats by the ledger as the issue does, whatever has happened before', async () => {
    const pilots = await givenPilots(7);
    for (const [index, pilot] of pilots.entries()) {
      await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/${VIPER}`, {
        level: index % 3 === 0 ? 'proficient' : 'learning',
      });
    }
    let orders = 0;
    for (let evening = 0; evening < 8; evening++) {
      const input = request(3, 30 + 5 * evening);
      const shown = await admin.client.call('POST', '/admin/missions/dry-run', input);
      const created = await admin.client.call('POST', '/admin/missions', input);
      const previewed = shown.body.slots[0].pilots.map(({ userId }: { userId: string }) => userId);
      expect(previewed).toEqual(await holdersOf(created.body.mission.id));
      // pilots answer differently, so that their debts diverge
      for (const pilot of pilots) {
        const order = await orderOf(pilot);
        if (!order) continue;
        orders += 1;
        await respond(pilot, order, ['Accepted', 'Declined', 'Accepted', 'Standby'][orders % 4] ?? '');
      }
    }
    const debts = await debtsOf(...pilots);
    expect(new Set(debts).size).toBeGreaterThan(1);
  });
});

describe('fairness debt', () => {
  /** Two pilots for one seat, of whom `holder` has it. */
  async function givenRivals(hours = 30) {
    const [a, b] = [await givenPilot(service), await givenPilot(service)];
    const { mission } = await givenMissionIn(service, admin, hours, { aircraftSlots: seats(1) });
    const [id] = await holdersOf(mission.id);
    const [holder, other] = a.id === id ? [a, b] : [b, a];
    return { mission, holder, other, order: await orderOf(holder), start: startOf(mission.startLocal) };
  }
  const startOf = (startLocal: string) => Date.parse(`${startLocal}:00Z`);
  /** Answer as if it were so long before the start: the time is the service's to say. */
  const answerAt = (pilot: Person, id: string, response: 'accepted' | 'declined', ms: number) =>
    answer(em(), pilot, { id, response }, new Date(ms));

  test('of a seated pilot is half a seat, owed to the other', async () => {
    const { holder, other } = await givenRivals();
    expect(await debtsOf(holder, other)).toEqual([-0.5, 0.5]);
  });

  test('does not arise from a seat given back 24 h before the start; the next holder carries it', async () => {
    const { holder, other, order, start } = await givenRivals();
    await respond(holder, order, 'Accepted');
    await answerAt(holder, order.id, 'declined', start - 24 * HOUR_MS);
    expect(await debtsOf(holder, other)).toEqual([0.5, -0.5]);
  });

  test('counts for both pilots when the seat is given back a minute later', async () => {
    const { holder, other, order, start } = await givenRivals();
    await respond(holder, order, 'Accepted');
    await answerAt(holder, order.id, 'declined', start - 24 * HOUR_MS + 60_000);
    const late = await standingOf(holder);
    expect([late.debt, (await standingOf(other)).debt]).toEqual([0, 0]);
    expect(late).toMatchObject({ isNew: false, lateCancels: 1, attended: 0, noShows: 0 });
    expect(late.reliability).toBeCloseTo(1.6 / 3, 9);
  });

  test('stays after giving a seat back late, also on standby, unless the pilot takes a seat again', async () => {
    const holder = await givenPilot(service);
    await givenMissionIn(service, admin, 12, { aircraftSlots: seats(1) });
    const order = await orderOf(holder);
    const lateCancels = async () => (await standingOf(holder)).lateCancels;
    for (const said of ['accepted', 'declined', 'standby', 'declined']) await respond(holder, order, said);
    expect(await lateCancels()).toBe(1);
    expect((await respond(holder, order, 'accepted')).status).toBe(200);
    expect(await lateCancels()).toBe(0);
  });

  test('does not arise from declining an offer', async () => {
    const { holder, other, order } = await givenRivals();
    await respond(holder, order, 'Declined');
    expect(await debtsOf(holder, other)).toEqual([0.5, -0.5]);
  });

  test('arises from an unanswered offer, before and after the job has run', async () => {
    const { mission, holder, other, order } = await givenRivals();
    const [expiry] = await query<{ ms: number }>(
      em(),
      sql`select extract(epoch from expires_at) * 1000 as ms from frag_order where id = ${order.id}`,
    );
    const later = new Date(Number(expiry?.ms) + 1);
    const read = async () => {
      const debts = await loadDebts(em(), later, [holder.id, other.id]);
      return [debts.get(holder.id), debts.get(other.id)];
    };
    expect(await read()).toEqual([-0.5, 0.5]);
    await backfillMission(em(), mission.id, later);
    expect(await holdersOf(mission.id)).toEqual([other.id]);
    expect(await read()).toEqual([0, 0]);
  });

  test('does not arise from an expired offer that came less than 24 h before the start', async () => {
    const { mission, holder, other, start } = await givenRivals(20);
    const later = new Date(start - 10 * HOUR_MS);
    const debts = async () => {
      const found = await loadDebts(em(), later, [holder.id, other.id]);
      return [found.get(holder.id) ?? 0, found.get(other.id) ?? 0];
    };
    expect(await debts()).toEqual([0, 0]);
    await backfillMission(em(), mission.id, later);
    expect(await debts()).toEqual([0.5, -0.5]);
  });

  test('does not arise from a cancelled mission, nor does unreliability', async () => {
    const { mission, holder, other, order, start } = await givenRivals();
    await respond(holder, order, 'Accepted');
    await answerAt(holder, order.id, 'declined', start - HOUR_MS);
    // so close to the start no other pilot was asked: one seat taken, half of it due to each
    expect(await debtsOf(holder, other)).toEqual([-0.5, 0.5]);
    expect(await standingOf(holder)).toMatchObject({ isNew: false, lateCancels: 1 });
    expect((await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`)).status).toBe(200);
    expect(await debtsOf(holder, other)).toEqual([0, 0]);
    expect(await standingOf(holder)).toMatchObject({ isNew: true, reliability: 0.8, lateCancels: 0 });
  });

  test('does not arise from a draft until it is published', async () => {
    const [a, b] = await givenPilots(2);
    if (!a || !b) throw new Error('no pilots');
    const { mission } = await givenMission(service, admin, { ...request(1, 30), publish: false } as never);
    expect(await debtsOf(a, b)).toEqual([0, 0]);
    await admin.client.call('POST', `/admin/missions/${mission.id}/publish`);
    expect((await debtsOf(a, b)).toSorted((x, y) => x - y)).toEqual([-0.5, 0.5]);
  });

  test('counts pilots asked later as willing, too', async () => {
    const { mission, holder, other } = await givenRivals();
    const third = await givenPerson(service);
    const [place] = await query<{ flight_id: string }>(
      em(),
      sql`select flight_id from seat where mission_id = ${mission.id}`,
    );
    const path = `/admin/missions/${mission.id}/seats/${place?.flight_id}/0`;
    expect((await admin.client.call('PUT', path, { userId: third.id, replace: true })).status).toBe(200);
    expect(await debtsOf(holder, other, third)).toEqual([0.333333, 0.333333, -0.666667]);
  });
});
