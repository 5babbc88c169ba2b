/** A pilot's track record: it follows the definitions, counts attendance at once, and is for the pilot and admins only. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { missionChanges } from '#server/accounts/pilots/rules/ledger-entries.ts';
import { comparePeers } from '#server/board/fairness-peers.ts';
import { loadDebts, loadRecords } from '#server/accounts/pilots/fairness.ts';
import { listOutcomes } from '#server/accounts/pilots/track-record.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenHistory, type MissionFacts } from '#tests/harness/ledger-history.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { debtOf, reliabilityOf, tookSeat } from '#tests/harness/track-record-oracle.ts';

const NOBODY = '0192c0de-0000-7000-8000-000000000000';
const NEW_PILOT = { reliability: 0.8, isNew: true, attended: 0, noShows: 0, excused: 0, lateCancels: 0, debt: 0 };

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  await query(em(), sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());
afterEach(() => retirePilots(service));

const em = () => service.app.orm.em.fork();
const standing = (asker: Person, { id }: { id: string }) => asker.client.call('GET', `/users/${id}/standing`);
const history = (asker: Person, { id }: { id: string }) => asker.client.call('GET', `/users/${id}/mission-outcomes`);

describe('random rows', () => {
  const NOW = new Date('2026-07-01T12:00:00Z');
  /** By the calendar in Zulu; NOW is noon, and missions start at noon. */
  const ageDays = (startMs: number) => Math.max(0, Math.round((NOW.getTime() - startMs) / 86_400_000));

  function debtsBy(missions: readonly MissionFacts[], pilotIds: readonly string[]): number[] {
    const counted = missions.filter(({ status }) => status === 'scheduled');
    const entries = counted.flatMap(({ startMs, willing, orders }) => {
      const took = orders.filter(({ facts }) => tookSeat(facts, startMs)).map(({ pilotId }) => pilotId);
      return missionChanges(willing, new Set(took)).map((change) => ({ ...change, atMs: startMs }));
    });
    const ofPilot = Map.groupBy(entries, ({ pilotId }) => pilotId);
    return pilotIds.map((id) => debtOf(ofPilot.get(id) ?? [], NOW.getTime()));
  }

  test.each([1, 2, 3, 4])('history %i: debt and reliability are those of the definitions', async (seed) => {
    await query(em(), sql`delete from mission`);
    const pilotIds = (await givenCrowd(service, 25)).map(({ id }) => id);
    const missions = await givenHistory(service, seeded(seed), pilotIds, NOW, ageDays);

    const debts = await loadDebts(em(), NOW);
    const expected = debtsBy(missions, pilotIds);
    expect(pilotIds.map((id) => debts.get(id) ?? 0)).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(10);
    // of some pilots alone the same, though shares are of everybody
    const some = pilotIds.slice(0, 3);
    const alone = await loadDebts(em(), NOW, some);
    expect([...alone.keys()].toSorted()).toEqual(some.filter((id) => debts.has(id)).toSorted());
    for (const [id, debt] of alone) expect(debt).toBe(debts.get(id));

    const records = await loadRecords(em(), NOW);
    const orders = missions.filter(({ status }) => status === 'scheduled').flatMap((mission) => mission.orders);
    for (const id of pilotIds) {
      const own = orders.filter(({ pilotId }) => pilotId === id);
      const outcomes = own.flatMap(({ outcome }) => (outcome === null || outcome === 'excused' ? [] : [outcome]));
      const record = records.get(id) ?? { ...NEW_PILOT };
      expect(record.reliability).toBeCloseTo(reliabilityOf(outcomes), 8);
      expect(record.attended).toBe(outcomes.filter(({ flown }) => flown).length);
      expect(record.lateCancels).toBe(own.filter(({ isLate }) => isLate).length);
      expect(record.excused).toBe(own.filter(({ outcome }) => outcome === 'excused').length);
      expect(record.attended + record.noShows + record.lateCancels).toBe(outcomes.length);
    }
  });

  test.each([1, 2])('history %i: the outcomes of 90 days and the seats beside peers agree with them', async (seed) => {
    await query(em(), sql`delete from mission`);
    const pilotIds = (await givenCrowd(service, 25)).map(({ id }) => id);
    const missions = await givenHistory(service, seeded(seed), pilotIds, NOW, ageDays);
    const scheduled = missions.filter(({ status }) => status === 'scheduled');
    const within = scheduled.filter(({ startMs }) => startMs >= NOW.getTime() - 90 * 86_400_000);
    const expected = pilotIds.map((id) => {
      const own = within.flatMap(({ orders }) => orders.filter(({ pilotId }) => pilotId === id));
      const isFlown = (flown: boolean) =>
        own.filter(({ outcome, isLate }) => typeof outcome === 'object' && outcome?.flown === flown && !isLate);
      return {
        flown: isFlown(true).length,
        noShows: isFlown(false).length,
        excused: own.filter(({ outcome }) => outcome === 'excused').length,
        late: own.filter(({ isLate }) => isLate).length,
      };
    });
    const found = await Promise.all(
      pilotIds.map(async (id) => {
        const { outcomes } = await listOutcomes(em(), id, NOW);
        const of = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
        expect(outcomes.map(({ startUtc }) => startUtc)).toEqual(outcomes.map(({ startUtc }) => startUtc).toSorted());
        return { flown: of('flown'), noShows: of('no_show'), excused: of('excused'), late: of('declined_late') };
      }),
    );
    expect(found).toEqual(expected);
    expect(expected.reduce((sum, { late, noShows }) => sum + late + noShows, 0)).toBeGreaterThan(10);

    // three of them list one aircraft, and a fourth another
    const [first = '', second = '', third = '', fourth = ''] = pilotIds;
    await query(
      em(),
      sql`insert into proficiency (user_id, aircraft_id, level, set_by_admin, updated_at)
          select id::uuid, aircraft, 'basic', false, now()
          from (values (${first}, 2), (${second}, 2), (${third}, 2), (${fourth}, 3)) as listed (id, aircraft)`,
    );
    const { peers, place, total, aircraft } = await comparePeers(em(), second, NOW);
    const debts = await loadDebts(em(), NOW);
    const took = (id: string) =>
      scheduled
        .filter(({ startMs }) => startMs >= NOW.getTime() - 90 * 86_400_000)
        .filter(
          ({ startMs, willing, orders }) =>
            willing.includes(id) && orders.some((order) => order.pilotId === id && tookSeat(order.facts, startMs)),
        ).length;
    const ranked = [first, second, third].toSorted((a, b) => (debts.get(b) ?? 0) - (debts.get(a) ?? 0));
    expect(peers.map(({ pilotId, debt, seats }) => [pilotId, debt, seats])).toEqual(
      ranked.map((id) => [id, debts.get(id) ?? 0, took(id)]),
    );
    for (const { fairShare, seats, debt } of peers) expect(fairShare - seats).toBeCloseTo(debt, 9);
    expect([place, total, aircraft]).toEqual([ranked.indexOf(second) + 1, 3, ['F-16C Viper']]);
  });
});

describe('attendance', () => {
  test('changes the track record at once when marked and when undone', async () => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    await respond(pilot, order, 'Accepted');
    await query(
      em(),
      sql`update mission set starts_at = now() - interval '3 hours', ends_at = now() - interval '1 hour' where id = ${mission.id}`,
    );
    const mark = (attendance: string | null) =>
      admin.client.call('PUT', `/admin/missions/${mission.id}/attendance`, {
        attendance: [{ orderId: order.id, attendance }],
      });
    // flown on this day or on the one before it: the weight is 1 or a little less
    const near = (all: number, flown: number) => expect.closeTo((1.6 + flown) / (2 + all), 2);
    const known = { ...NEW_PILOT, isNew: false };
    for (const [attendance, outcome, expected] of [
      ['attended', 'flown', { ...known, attended: 1, reliability: near(1, 1) }],
      ['no_show', 'no_show', { ...known, noShows: 1, reliability: near(1, 0) }],
      ['excused', 'excused', { ...NEW_PILOT, excused: 1 }],
      [null, 'unmarked', NEW_PILOT],
    ] as const) {
      expect((await mark(attendance)).status).toBe(200);
      expect((await standing(pilot, pilot)).body).toEqual(expected);
      expect((await standing(admin, pilot)).body).toEqual(expected);
      expect((await history(pilot, pilot)).body.outcomes).toMatchObject([
        { orderId: order.id, missionId: mission.id, missionName: 'Op Iron Hound', outcome },
      ]);
    }
  });

  test.each(['first', 'second'])('of two equal pilots the more reliable one is seated: the %s', async (which) => {
    const [first, second] = [await givenPilot(service), await givenPilot(service)];
    const { mission } = await givenMissionIn(service, admin, 30, {
      aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
    });
    for (const pilot of [first, second]) await respond(pilot, await orderOf(pilot), 'Accepted');
    const reliable = which === 'first' ? first : second;
    await query(
      em(),
      sql`update frag_order set attendance = case when pilot_id = ${reliable.id} then 'attended' else 'no_show' end
          where mission_id = ${mission.id}`,
    );
    // both have had a seat, so that nothing else distinguishes them
    const next = await givenMissionIn(service, admin, 60);
    const seats = await query<{ pilot_id: string }>(
      em(),
      sql`select pilot_id from seat where mission_id = ${next.mission.id}`,
    );
    expect(seats).toEqual([{ pilot_id: reliable.id }]);
  });
});

describe('access', () => {
  test('is for the pilot and admins only', async () => {
    const [pilot, other] = [await givenPilot(service), await givenPerson(service)];
    for (const asker of [pilot, admin]) {
      const { status, body } = await standing(asker, pilot);
      expect([status, body]).toEqual([200, NEW_PILOT]);
    }
    expect((await standing(other, pilot)).status).toBe(403);
    expect((await standing(admin, { id: NOBODY })).status).toBe(404);
    expect((await history(admin, pilot)).body.outcomes).toEqual([]);
    expect((await history(other, pilot)).status).toBe(403);
    expect((await history(admin, { id: NOBODY })).status).toBe(404);
    const beside = (asker: Person, id: string) => asker.client.call('GET', `/admin/users/${id}/fairness`);
    expect((await beside(pilot, pilot.id)).status).toBe(403);
    expect((await beside(admin, NOBODY)).status).toBe(404);
    expect((await beside(admin, pilot.id)).body).toEqual({
      place: 1,
      total: 1,
      aircraft: [],
      peers: [{ pilotId: pilot.id, name: pilot.displayName, seats: 0, fairShare: 0, debt: 0 }],
    });
    await query(em(), sql`update app_user set roles = '{}' where id = ${pilot.id}`);
    expect((await standing(pilot, pilot)).status).toBe(403);
    expect((await standing(admin, pilot)).status).toBe(200);
  });
});
