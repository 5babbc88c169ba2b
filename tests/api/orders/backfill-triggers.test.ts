/** Triggers of backfill: changed pilots, suspended pilots, and seats freed elsewhere. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { runMaintenance } from '#server/jobs/maintenance.ts';
import {
  emOf,
  findUnscheduled,
  givenCast,
  HOUR_MS,
  listJobs,
  readCast,
  readOrders,
  say,
  setFree,
} from '#tests/harness/cast.ts';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import {
  callOffMissions,
  givenMissionIn,
  givenPilot,
  holds,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import { seatIn } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
/** No worker runs here: each test begins without jobs of earlier ones. */
beforeEach(() => dropJobs());
afterEach(async () => {
  const found = [await findBreaches(service), await findUnscheduled(service)];
  await retirePilots(service);
  await callOffMissions(service);
  expect(found).toEqual([[], []]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(emOf(service), statement);
const dropJobs = (pattern = '^backfill_(mission|pilot):') =>
  rows(sql`delete from graphile_worker._private_jobs where key ~ ${pattern}`);
const jobsOf = async ({ id }: { id: string }) => (await listJobs(service, `backfill_pilot:${id}`)).length;
const wakes = async () =>
  (await listJobs(service, 'backfill_mission:%')).map(({ key }) => key.slice('backfill_mission:'.length));
const two = { aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0 as const, notes: 'CAP' as const }] };

const SLOT = { weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0 };

describe('a pilot who changes', () => {
  const putStatus = (pilot: Person, state: string) =>
    pilot.client.call('PUT', `/users/${pilot.id}/status`, { state, minutes: 60 });

  test.each<[what: string, change: (pilot: Person) => Promise<unknown>]>([
    [
      'makes a template',
      ({ client, id }) => client.call('POST', `/users/${id}/availability/templates`, { name: 'T', slots: [SLOT] }),
    ],
    [
      'changes a template',
      async ({ client, id }) => {
        const path = `/users/${id}/availability/templates`;
        const [template] = (await client.call('GET', path)).body;
        return client.call('PUT', `${path}/${template.id}`, { name: 'T', isActive: true, slots: [SLOT] });
      },
    ],
    [
      'adds and removes an exception',
      async ({ client, id }) => {
        const path = `/users/${id}/availability/overrides`;
        const on = new Date(Date.now() + 72 * HOUR_MS).toISOString().slice(0, 10);
        const times = { startLocal: '18:00', endLocal: '20:00' };
        const added = await client.call('POST', path, { dateLocal: on, kind: 'unavailable', ...times });
        expect(added.status).toBe(201);
        await dropJobs();
        return client.call('DELETE', `${path}/${added.body[0].id}`);
      },
    ],
    ['changes the live status', (pilot) => putStatus(pilot, 'now')],
    ['is to be disturbed again', (pilot) => putStatus(pilot, 'available')],
    [
      'flies an aircraft',
      ({ client, id }) => client.call('PUT', `/users/${id}/proficiencies/2`, { level: 'learning' }),
    ],
    [
      'is given a level by an admin',
      ({ id }) => admin.client.call('PUT', `/users/${id}/proficiencies/2`, { level: 'expert' }),
    ],
    [
      'moves to another zone',
      ({ client, id }) => client.call('PUT', `/users/${id}`, { displayName: 'P', timeZone: 'Asia/Tokyo' }),
    ],
    ['is suspended', ({ id }) => admin.client.call('DELETE', `/admin/users/${id}/roles/user`)],
    [
      'is a pilot again',
      async ({ id }) => {
        await rows(sql`update app_user set roles = '{}' where id = ${id}`);
        return admin.client.call('POST', `/admin/users/${id}/roles`, { role: 'user' });
      },
    ],
  ])('who %s is one job, however often', async (_what, change) => {
    const pilot = await givenPilot(service);
    await dropJobs();
    await change(pilot);
    expect(await jobsOf(pilot)).toBe(1);
    await change(pilot);
    expect(await jobsOf(pilot)).toBe(1);
  });

  test('twenty saves are one job, and a refused change is none', async () => {
    const pilot = await givenPilot(service);
    await dropJobs();
    expect((await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'now' })).status).toBe(400);
    expect(await jobsOf(pilot)).toBe(0);
    await Promise.all(Array.from({ length: 20 }, () => putStatus(pilot, 'now')));
    expect(await jobsOf(pilot)).toBe(1);
  });

  test('is considered once for the free seats of every upcoming mission; seats that nobody can fly stay free', async () => {
    const near = await givenMissionIn(service, admin, 12);
    const far = await givenMissionIn(service, admin, 100, two);
    const same = await givenMissionIn(service, admin, 101);
    const hornet = await givenMissionIn(service, admin, 60, {
      aircraftSlots: [{ aircraftId: 1, slotCount: 1, side: 0, notes: 'CAP' }],
    });
    const [pilot] = await givenCast(service, 1, 2);
    if (!pilot) throw new Error('no pilot');
    const states = () =>
      Promise.all(
        [near, far, same, hornet].map(async ({ mission }) =>
          (await readOrders(service, mission.id)).map(({ state }) => state),
        ),
      );
    for (let time = 0; time < 3; time += 1) {
      await backfillForPilot(emOf(service), pilot.id, new Date());
      expect(await states()).toEqual([['ordered'], ['ordered'], [], []]);
    }
  });

  test('does not jump the ranking: the free seat goes to the best pilot, not to the latest change', async () => {
    const { mission } = await givenMissionIn(service, admin, 60);
    const [ace, rookie] = await givenCast(service, 2);
    if (!ace || !rookie) throw new Error('two pilots were expected');
    await rows(
      sql`insert into proficiency (user_id, aircraft_id, level, set_by_admin, updated_at)
          values (${ace.id}, 2, 'expert', false, now())`,
    );
    await backfillForPilot(emOf(service), rookie.id, new Date());
    expect(await readCast(service, mission.id, { ace, rookie })).toEqual({ ace: 'ordered' });
  });

  test('of a deleted account or mission has no effect', async () => {
    await backfillForPilot(emOf(service), '018f0000-0000-7000-8000-000000000000', new Date());
    await backfillMission(emOf(service), '018f0000-0000-7000-8000-000000000000', new Date());
  });
});

describe('a pilot who is suspended', () => {
  const suspend = ({ id }: Person) => admin.client.call('DELETE', `/admin/users/${id}/roles/user`);

  test('loses their seats in missions that are not over, can read so, and the seats are passed on', async () => {
    const pilot = await givenPilot(service);
    const held = await givenMissionIn(service, admin, 30);
    const heldOrder = await orderOf(pilot);
    await respond(pilot, heldOrder, 'accepted');
    const asked = await givenMissionIn(service, admin, 40);
    const askedOrder = await orderOf(pilot);
    await givenMissionIn(service, admin, 50);
    const waiting = await orderOf(pilot);
    await respond(pilot, waiting, 'standby');
    await givenMissionIn(service, admin, 60);
    const over = await orderOf(pilot);
    await respond(pilot, over, 'accepted');
    await rows(
      sql`update mission set starts_at = now() - interval '4 h', ends_at = now() - interval '1 h' where id = ${(await read(pilot, over)).missionId}`,
    );
    await rows(
      sql`update seat s set starts_at = m.starts_at, ends_at = m.ends_at from mission m where m.id = s.mission_id`,
    );
    const [next] = await givenCast(service, 1);
    if (!next) throw new Error('no pilot');

    expect((await suspend(pilot)).status).toBe(200);
    expect(await jobsOf(pilot)).toBe(1);
    for (let time = 0; time < 2; time += 1) await backfillForPilot(emOf(service), pilot.id, new Date());
    const found = await rows(
      sql`select id, status, status_reason, changes from frag_order where pilot_id = ${pilot.id} order by seq`,
    );
    const back = (callsign: string) => [{ field: 'seat', from: `${callsign}, seat 1`, to: null }];
    const callsignOf = async (id: string) =>
      (
        await rows<{ callsign: string }>(
          sql`select callsign from flight f join frag_order o on o.flight_id = f.id where o.id = ${id}`,
        )
      )[0]?.callsign ?? '';
    const gone = { status: 'cancelled', status_reason: 'superseded' };
    expect(found).toEqual([
      { id: heldOrder.id, ...gone, changes: back(await callsignOf(heldOrder.id)) },
      { id: askedOrder.id, ...gone, changes: back(await callsignOf(askedOrder.id)) },
      { id: waiting.id, ...gone, changes: [] },
      { id: over.id, status: 'issued', status_reason: null, changes: null },
    ]);
    for (const { mission } of [held, asked]) {
      expect(await readCast(service, mission.id, { next })).toEqual({ next: 'ordered' });
    }
  });

  test('and restored before the job runs keeps everything', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    await suspend(pilot);
    await admin.client.call('POST', `/admin/users/${pilot.id}/roles`, { role: 'user' });
    await backfillForPilot(emOf(service), pilot.id, new Date());
    expect(await holds(service, order)).toBe(true);
  });

  test('while being seated is detected within a minute', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    await rows(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
    await dropJobs();
    await runMaintenance(service.app, new Date());
    expect(await jobsOf(pilot)).toBe(1);
  });
});

describe('a seat that was freed', () => {
  const expire = ({ id }: { id: string }) =>
    rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${id}`);
  test('in another mission, by seating its pilot here, is filled although that mission is locked meanwhile', async () => {
    const pilot = await givenPilot(service);
    const { mission: other } = await givenMissionIn(service, admin, 30, two);
    const named = await givenPerson(service);
    const lost = await orderOf(pilot);
    const { mission: here } = await givenMissionIn(service, admin, 30.5);
    await expire(lost);
    const seatOf = async (id: string, index: number) => {
      const { body } = await admin.client.call('GET', `/admin/missions/${id}`);
      return `/admin/missions/${id}/seats/${body.packages[0].flights[0].id}/${index}`;
    };
    const { seatIndex } = await read(pilot, lost);
    expect((await admin.client.call('PUT', await seatOf(here.id, 0), { userId: pilot.id })).status).toBe(200);
    expect(await wakes()).toEqual([other.id]);
    const assigned = await admin.client.call('PUT', await seatOf(other.id, 1 - seatIndex), { userId: named.id });
    expect(assigned.status).toBe(200);
    // the seat of an expired order still has its job
    expect(await wakes()).toEqual([other.id]);
    const [next] = await givenCast(service, 1);
    if (!next) throw new Error('no pilot');
    await backfillMission(emOf(service), other.id, new Date());
    expect(await readCast(service, other.id, { next })).toEqual({ next: 'ordered' });
    expect(await wakes()).toEqual([]);
  });

  test('by a pilot who accepted another mission is filled', async () => {
    const pilot = await givenPilot(service);
    const { mission: other } = await givenMissionIn(service, admin, 30);
    const lost = await orderOf(pilot);
    await expire(lost);
    await givenMissionIn(service, admin, 31);
    const kept = await orderOf(pilot);
    expect(await wakes()).toEqual([other.id]);
    expect((await respond(pilot, kept, 'accepted')).status).toBe(200);
    expect(await wakes()).toEqual([other.id]);
  });

  test('beside an answer that changes nothing is filled, whatever an admin does before the job runs', async () => {
    const [holder, silent] = [await givenPilot(service), await givenPilot(service)];
    const { mission } = await givenMissionIn(service, admin, 30, two);
    const [kept, lost] = [await orderOf(holder), await orderOf(silent)];
    await respond(holder, kept, 'accepted');
    await expire(lost);
    expect((await respond(holder, kept, 'accepted')).status).toBe(200);
    expect(await wakes()).toEqual([mission.id]);
    const edited = await admin.client.call('PUT', `/admin/missions/${mission.id}`, { notes: 'Bring fuel.' });
    expect(edited.status).toBe(200);
    // the edit filled the free seats itself
    expect(await wakes()).toEqual([]);
  });

  test('does not postpone a job of the mission that is due', async () => {
    const pilots = await givenCast(service, 2);
    const { mission } = await givenMissionIn(service, admin, 60, two);
    const key = `backfill_mission_at:${mission.id}`;
    await rows(sql`update graphile_worker._private_jobs set run_at = now() - interval '1 second' where key = ${key}`);
    const [order] = await readOrders(service, mission.id);
    const pilot = pilots.find(({ id }) => id === order?.pilotId);
    if (!pilot || !order) throw new Error('nobody was asked');
    await say(service, pilot, order.id, 'declined', new Date());
    const [job] = await listJobs(service, key);
    expect(job?.runAt.getTime()).toBeLessThan(Date.now());
  });
});

describe('a pilot who loses a seat', () => {
  type Held = { pilot: Person; order: { id: string; missionId: string } };
  const seatOf = async ({ order }: Held) => {
    const { flightId, seatIndex } = await seatIn(admin, order.missionId);
    return `/admin/missions/${order.missionId}/seats/${flightId}/${seatIndex}`;
  };

  test.each<[string, (held: Held) => Promise<{ status: number }>]>([
    ['declines it', ({ pilot, order }) => respond(pilot, order, 'declined')],
    ['stands down from it', ({ pilot, order }) => respond(pilot, order, 'standby')],
    ['is removed from it', async (held) => admin.client.call('DELETE', await seatOf(held))],
    ['sees it cancelled', ({ order }) => admin.client.call('POST', `/admin/missions/${order.missionId}/cancel`)],
    [
      'sees it moved',
      ({ order }) =>
        admin.client.call('PUT', `/admin/missions/${order.missionId}`, {
          startLocal: hoursFromNow(200),
          endLocal: hoursFromNow(203),
        }),
    ],
    [
      'lets it run out',
      async ({ order }) => {
        await rows(
          sql`update frag_order set rsvp = 'pending', expires_at = now() - interval '1 second' where id = ${order.id}`,
        );
        await backfillMission(emOf(service), order.missionId, new Date());
        return { status: 200 };
      },
    ],
  ])('and %s is looked at by the missions of that time', async (_how, lose) => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 60);
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    const { mission, issued } = await givenMissionIn(service, admin, 61);
    expect(issued.orders).toBe(0);
    await dropJobs();
    expect((await lose({ pilot, order })).status).toBe(200);
    expect(await jobsOf(pilot)).toBe(1);
    await backfillForPilot(emOf(service), pilot.id, new Date());
    expect((await readOrders(service, mission.id)).map(({ pilotId, state }) => [pilotId, state])).toEqual([
      [pilot.id, 'ordered'],
    ]);
  });

  test('has no job when nothing else flies at that time', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 60);
    await givenMissionIn(service, admin, 63);
    await dropJobs();
    expect((await respond(pilot, await orderOf(pilot), 'declined')).status).toBe(200);
    expect(await jobsOf(pilot)).toBe(0);
  });
});

describe('every minute', () => {
  test('missions with overdue orders, and those without a job, are processed', async () => {
    const [pilot] = await givenCast(service, 1);
    if (!pilot) throw new Error('no pilot');
    const expired = await givenMissionIn(service, admin, 30);
    await setFree(service, [pilot], false);
    const without = await givenMissionIn(service, admin, 40);
    const soon = await givenMissionIn(service, admin, 1);
    await rows(sql`update frag_order set expires_at = now() - interval '1 second'`);
    await dropJobs('');
    const draft = await givenMissionIn(service, admin, 50, { publish: false });
    await runMaintenance(service.app, new Date());
    const woken = await wakes();
    expect(woken.toSorted()).toEqual([expired.mission.id, without.mission.id].toSorted());
    expect(woken).not.toContain(draft.mission.id);
    expect(woken).not.toContain(soon.mission.id);
    for (const id of woken) await backfillMission(emOf(service), id, new Date());
    await runMaintenance(service.app, new Date());
    expect(await listJobs(service, 'backfill_mission:%')).toEqual([]);
    expect((await listJobs(service, 'backfill_mission_at:%')).map(({ key }) => key)).toContain(
      `backfill_mission_at:${without.mission.id}`,
    );
  });

  test('a job that a worker has locked for more than a minute is released, a younger one is not', async () => {
    await dropJobs();
    const old = await givenMissionIn(service, admin, 30);
    const young = await givenMissionIn(service, admin, 40);
    const lock = (id: string, by: string, age: string) =>
      rows(
        sql`update graphile_worker._private_jobs set locked_by = ${by}, locked_at = now() - ${age}::interval
            where key = ${`backfill_mission_at:${id}`}`,
      );
    await lock(old.mission.id, 'gone', '61 seconds');
    await lock(young.mission.id, 'alive', '5 seconds');
    await runMaintenance(service.app, new Date());
    const held = await rows(sql`select key from graphile_worker.jobs where locked_by is not null`);
    expect(held).toEqual([{ key: `backfill_mission_at:${young.mission.id}` }]);
  });
});
