/** A leave of absence: set, previewed and ended; nobody on leave is asked to fly, by any part of the engine. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { backfillForPilot, enqueueMissedBackfills } from '#server/orders/pilot-backfill.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import {
  callOffMissions,
  givenMissionIn,
  givenPilot,
  holds,
  inbox,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await findBreaches(service)).toEqual([]);
  await retirePilots(service);
  await callOffMissions(service);
});

const em = () => service.app.orm.em.fork();
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(em(), statement);
const path = ({ id }: Person) => `/users/${id}/leave`;
/** The UTC date so many days from today; the pilots of these tests live in UTC. */
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const words = (date: string) =>
  new Date(date).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
const set = (by: Person, pilot: Person, first: number, last: number, reason: string | null = null) =>
  by.client.call('PUT', path(pilot), { firstDate: day(first), lastDate: day(last), reason });
/** The job of the pilot: no worker runs here. */
const settle = ({ id }: Person) => backfillForPilot(em(), id, new Date());

describe('a leave', () => {
  test('is set, changed and ended by the pilot and by an admin, who both read the reason', async () => {
    const pilot = await givenPerson(service);
    expect((await pilot.client.call('GET', path(pilot))).body).toBeNull();
    const mine = await set(pilot, pilot, 1, 3, 'Moving house');
    expect([mine.status, mine.body]).toEqual([
      200,
      { firstDate: day(1), lastDate: day(3), reason: 'Moving house', isNow: false, version: expect.any(String) },
    ]);
    expect((await set(admin, pilot, 0, 5)).body).toMatchObject({ isNow: true, reason: null });
    expect((await pilot.client.call('GET', '/auth/viewer')).body.leave).toMatchObject({ lastDate: day(5) });
    const listed = await admin.client.call('GET', `/admin/users?query=${encodeURIComponent(pilot.email)}`);
    expect(listed.body.users[0].leave).toMatchObject({ firstDate: day(0), lastDate: day(5), isNow: true });
    expect((await pilot.client.call('DELETE', path(pilot))).body).toEqual({ success: true });
    expect((await pilot.client.call('DELETE', path(pilot))).body).toEqual({ success: true });
    expect((await admin.client.call('GET', path(pilot))).body).toBeNull();
    const log = await admin.client.call('GET', `/admin/audit?subjectId=${pilot.id}`);
    const said = log.body.entries.map(({ action, summary }: { action: string; summary: string }) => [action, summary]);
    expect(said.filter(([action]: [string]) => action.startsWith('leave'))).toEqual([
      ['leave_ended', 'Ended the leave'],
      ['leave_set', `Set a leave from ${words(day(0))} to ${words(day(5))}`],
      ['leave_set', `Set a leave from ${words(day(1))} to ${words(day(3))}`],
    ]);
  });

  test.each([
    ['ends before it begins', 3, 2, 'The last date must not be before the first'],
    ['is longer than a year', 0, 366, 'A leave can last at most a year'],
    ['is over', -3, -1, 'The last date must be today or later'],
  ])('that %s is refused', async (_what, first, last, sentence) => {
    const pilot = await givenPerson(service);
    const refused = await set(pilot, pilot, first, last);
    expect([refused.status, refused.body.code, refused.body.issues]).toEqual([
      400,
      'VALIDATION',
      [{ path: 'lastDate', message: sentence }],
    ]);
  });

  test('is nobody else’s to read or set', async () => {
    const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
    expect((await set(other, pilot, 0, 1)).status).toBe(403);
    expect((await other.client.call('GET', path(pilot))).status).toBe(403);
    expect((await other.client.call('DELETE', path(pilot))).status).toBe(403);
  });

  test('counts by the calendar of the pilot, wherever that is', async () => {
    const pilot = await givenPilot(service);
    const zone = async (timeZone: string) => {
      const moved = await pilot.client.call('PUT', `/users/${pilot.id}`, { displayName: 'Far', timeZone });
      expect(moved.status).toBe(200);
    };
    const freeOn = async (date: string) => {
      const { body } = await pilot.client.call('GET', `/users/${pilot.id}/availability/window?start=${date}&days=1`);
      return body.days[0].slots.length;
    };
    await zone('Pacific/Kiritimati');
    expect((await set(pilot, pilot, 5, 5)).status).toBe(200);
    expect([await freeOn(day(4)), await freeOn(day(5)), await freeOn(day(6))]).toEqual([2, 0, 2]);
    await zone('Pacific/Pago_Pago');
    expect([await freeOn(day(4)), await freeOn(day(5)), await freeOn(day(6))]).toEqual([2, 0, 2]);
  });
});

describe('a leave that names the version it saw', () => {
  const dates = (last: number) => ({ firstDate: day(1), lastDate: day(last), reason: null });
  const stored = async (pilot: Person) => (await pilot.client.call('GET', path(pilot))).body;
  const save = (by: Person, pilot: Person, last: number, version: string | null) =>
    by.client.call('PUT', path(pilot), { ...dates(last), version });

  test('is refused once somebody else has set another, which stays as it is', async () => {
    const pilot = await givenPerson(service);
    expect((await save(pilot, pilot, 3, null)).status).toBe(200);
    const seen = await stored(pilot);
    const theirs = (await save(admin, pilot, 5, seen.version)).body;
    expect(theirs).toMatchObject({ lastDate: day(5) });
    expect(theirs.version).not.toBe(seen.version);
    for (const version of [seen.version, null]) {
      const refused = await save(pilot, pilot, 4, version);
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        409,
        'CHANGED',
        'This leave has been changed somewhere else. Load it again, then decide which dates to keep.',
      ]);
    }
    expect(await stored(pilot)).toEqual(theirs);
    expect((await save(pilot, pilot, 4, theirs.version)).body).toMatchObject({ lastDate: day(4) });
  });

  test('is refused once it has been ended, and an end for a leave that has been changed', async () => {
    const pilot = await givenPerson(service);
    await save(pilot, pilot, 3, null);
    const seen = await stored(pilot);
    await save(admin, pilot, 5, seen.version);
    const end = (version: string) => pilot.client.call('DELETE', `${path(pilot)}?version=${version}`);
    expect(await end(seen.version)).toMatchObject({ status: 409, body: { code: 'CHANGED' } });
    const { version } = await stored(pilot);
    expect((await end(version)).body).toEqual({ success: true });
    expect((await end(version)).body, 'once more, as after a lost answer').toEqual({ success: true });
    expect(await save(pilot, pilot, 4, version)).toMatchObject({ status: 409, body: { code: 'CHANGED' } });
    expect(await stored(pilot)).toBeNull();
  });

  test('can be repeated when its answer was lost, and wins alone of many at once', async () => {
    const pilot = await givenPerson(service);
    await save(pilot, pilot, 3, null);
    expect((await save(pilot, pilot, 3, null)).status).toBe(200);
    const { version } = await stored(pilot);
    const answers = await Promise.all([4, 5, 6, 7].map((last) => save(pilot, pilot, last, version)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(await stored(pilot)).toEqual(answers.find(({ status }) => status === 200)?.body);
  });

  test('that is over counts as none', async () => {
    const pilot = await givenPerson(service);
    await save(pilot, pilot, 3, null);
    await query(
      em(),
      sql`update leave set first_date = ${day(-5)}, last_date = ${day(-3)} where user_id = ${pilot.id}`,
    );
    expect((await save(pilot, pilot, 4, null)).status).toBe(200);
  });
});

describe('a pilot on leave', () => {
  const away = async (last = 9) => {
    const pilot = await givenPilot(service);
    expect((await set(pilot, pilot, 0, last)).status).toBe(200);
    return pilot;
  };
  const sentence = (last = 9) => `You are on leave until ${words(day(last))}.`;

  test('gets no order when a mission is issued, and admins read why', async () => {
    const [pilot, free] = [await away(), await givenPilot(service)];
    const { mission } = await givenMissionIn(service, admin, 30);
    expect(await inbox(pilot)).toEqual([]);
    expect(await orderOf(free)).toMatchObject({ missionId: mission.id });
    const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}/unseated`);
    const why = body.find(({ userId }: { userId: string }) => userId === pilot.id);
    expect(why).toMatchObject({ reason: 'ON_LEAVE', isNearMiss: false });
    expect(why.sentence).toMatch(new RegExp(` is on leave until ${words(day(9))}\\.$`));
  });

  test('may fly the mission that begins after the last day', async () => {
    const pilot = await away(0);
    await givenMissionIn(service, admin, 72);
    expect(await inbox(pilot)).toHaveLength(1);
  });

  test('is left out of the dry run, the board, the heat and the recommended times', async () => {
    const date = day(2);
    const figures = async () => {
      const get = async (query_: string) => (await admin.client.call('GET', query_)).body;
      const online = await get(
        `/admin/dashboard/series/expected-online?from=${date}T00:00:00Z&to=${date}T06:00:00Z&bucket=60`,
      );
      const heat = await get(`/admin/dashboard/heat?startDate=${date}&tz=UTC&aircraftId=0`);
      const times = await get(`/admin/missions/recommended-time?date=${date}&tz=UTC`);
      const { body: dry } = await admin.client.call('POST', '/admin/missions/dry-run', {
        name: 'Dry',
        theater: 'Syria',
        timeZone: 'UTC',
        startLocal: `${date}T10:00`,
        endLocal: `${date}T12:00`,
        aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
      });
      return {
        online: online.points[0].expected,
        heat: heat.days[0].hours[3].pilots,
        free: times.totalAvailableUsers,
        filled: dry.filled,
        onLeave: dry.unseated.find(({ reason }: { reason: string }) => reason === 'ON_LEAVE')?.pilots ?? 0,
      };
    };
    const before = await figures();
    const pilot = await givenPilot(service);
    const free = await figures();
    expect([free.online - before.online, free.heat - before.heat, free.free - before.free]).toEqual([1, 1, 1]);
    expect([free.filled, free.onLeave]).toEqual([1, 0]);
    expect((await set(pilot, pilot, 0, 4)).status).toBe(200);
    expect(await figures()).toEqual({ ...before, onLeave: 1 });
  });

  test('is not seated from standby, and cannot take an open seat or be assigned', async () => {
    const pilot = await away();
    const { mission } = await givenMissionIn(service, admin, 30);
    const board = (await admin.client.call('GET', `/admin/missions/${mission.id}`)).body;
    const flightId = board.packages[0].flights[0].id;
    const taken = await pilot.client.call('POST', '/pilot/seats', { missionId: mission.id, flightId, seatIndex: 0 });
    expect([taken.status, taken.body.code, taken.body.message]).toEqual([409, 'NOT_ELIGIBLE', sentence()]);
    const { body: openings } = await pilot.client.call('GET', '/pilot/openings');
    expect(JSON.stringify(openings)).toContain(sentence());
    const assigned = await admin.client.call('PUT', `/admin/missions/${mission.id}/seats/${flightId}/0`, {
      userId: pilot.id,
    });
    expect([assigned.status, assigned.body.code]).toEqual([409, 'PILOT_ON_LEAVE']);
    const candidates = await admin.client.call('GET', `/admin/missions/${mission.id}/seats/${flightId}/0/candidates`);
    const one = candidates.body.find(({ userId }: { userId: string }) => userId === pilot.id);
    expect(one).toMatchObject({ reason: 'ON_LEAVE', isAssignable: false });
    await settle(pilot);
    expect(await inbox(pilot)).toEqual([]);
  });

  test('cannot look for a flight, and Find Flight ends when the leave begins', async () => {
    const pilot = await givenPilot(service);
    const status = (state: string) => pilot.client.call('PUT', `/users/${pilot.id}/status`, { state, minutes: 60 });
    expect((await status('now')).body.effectiveState).toBe('now');
    await set(pilot, pilot, 0, 2);
    expect((await pilot.client.call('GET', `/users/${pilot.id}/status`)).body.effectiveState).toBe('available');
    const refused = await status('now');
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'ON_LEAVE',
      `You are on leave until ${words(day(2))}. End your leave to look for a flight.`,
    ]);
    expect((await status('dnd')).status).toBe(200);
    await pilot.client.call('DELETE', path(pilot));
    expect((await status('now')).status).toBe(200);
  });
});

describe('a leave that covers missions', () => {
  const preview = async (pilot: Person, first: number, last: number) =>
    (await pilot.client.call('GET', `${path(pilot)}/preview?firstDate=${day(first)}&lastDate=${day(last)}`)).body
      .missions;
  const setOver = async (pilot: Person, hours: number) => {
    const days = Math.ceil((hours + 6) / 24) + 1;
    expect((await set(pilot, pilot, 0, days)).status).toBe(200);
    return `You are on leave until ${words(day(days))}.`;
  };

  test('previews them, gives the seats to the next pilots, and says so without blame', async () => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    const next = await givenPilot(service);
    expect(await preview(pilot, 0, 3)).toMatchObject([{ missionId: mission.id, effect: 'seat' }]);
    expect(await preview(pilot, 20, 23)).toEqual([]);
    expect(await holds(service, order)).toBe(true);

    const why = await setOver(pilot, 30);
    await settle(pilot);
    const lost = await read(pilot, order);
    expect(lost).toMatchObject({
      status: 'cancelled',
      statusReason: 'superseded',
      reasons: ['This mission falls in your leave.', why],
      changes: [{ field: 'seat', from: `${lost.flightCallsign}, seat 1`, to: null }],
    });
    expect((await orderOf(next)).missionId).toBe(mission.id);
    const { body: notices } = await pilot.client.call('GET', '/pilot/notices');
    expect(notices[0].sentence).toMatch(/^You lost .+, seat 1 in “.+” on .+\. You are on leave until .+\.$/);
    expect(notices[0].sentence).toContain(why);
    const [record] = await rows<{ late: boolean }>(sql`select is_late as late from frag_order where id = ${order.id}`);
    expect(record).toEqual({ late: false });
  });

  test('withdraws an order that waits for an answer, and a place on standby', async () => {
    const [pilot, waiter] = [await givenPilot(service), await givenPilot(service)];
    await givenMissionIn(service, admin, 40, {
      aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
    });
    const [order, place] = [await orderOf(pilot), await orderOf(waiter)];
    expect((await respond(waiter, place, 'standby')).status).toBe(200);
    expect(await preview(pilot, 0, 5)).toMatchObject([{ effect: 'order' }]);
    expect(await preview(waiter, 0, 5)).toMatchObject([{ effect: 'standby' }]);
    for (const [one, its] of [
      [pilot, order],
      [waiter, place],
    ] as const) {
      await setOver(one, 40);
      await settle(one);
      expect(await read(one, its)).toMatchObject({
        status: 'cancelled',
        reasons: ['This mission falls in your leave.', expect.any(String)],
      });
    }
    expect(await inbox(pilot)).toEqual([]);
    expect((await respond(pilot, order, 'accepted')).status).toBe(410);
  });

  test('leaves a launched mission as it is', async () => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    const launch = sql`interval '31 hours'`;
    await rows(
      sql`update mission set starts_at = starts_at - ${launch}, ends_at = ends_at - ${launch} where id = ${mission.id}`,
    );
    await rows(
      sql`update seat set starts_at = starts_at - ${launch}, ends_at = ends_at - ${launch} where mission_id = ${mission.id}`,
    );
    expect(await preview(pilot, 0, 3)).toMatchObject([{ missionId: mission.id, effect: 'stays' }]);
    await setOver(pilot, 30);
    await settle(pilot);
    expect(await holds(service, order)).toBe(true);
  });

  test('that ends early lets the pilot be asked again, for the same mission too', async () => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 60);
    const order = await orderOf(pilot);
    await setOver(pilot, 60);
    await settle(pilot);
    expect(await inbox(pilot)).toEqual([]);
    await pilot.client.call('DELETE', path(pilot));
    await settle(pilot);
    const again = await orderOf(pilot);
    expect(again.missionId).toBe(mission.id);
    expect(again.id).not.toBe(order.id);
  });

  test('refuses a declined order that its pilot would take up again', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 60);
    const order = await orderOf(pilot);
    expect((await respond(pilot, order, 'declined')).status).toBe(200);
    const why = await setOver(pilot, 60);
    const again = await respond(pilot, order, 'accepted');
    expect([again.status, again.body.code, again.body.message]).toEqual([409, 'ON_LEAVE', why]);
  });

  test('is noticed by the maintenance also for a pilot who was seated at that very moment', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    await setOver(pilot, 30);
    const key = `backfill_pilot:${pilot.id}`;
    const jobs = async () =>
      (
        await rows<{ n: number }>(sql`select count(*)::int as n from graphile_worker._private_jobs where key = ${key}`)
      )[0]?.n;
    await rows(sql`delete from graphile_worker._private_jobs where key = ${key}`);
    await enqueueMissedBackfills(em(), new Date());
    expect(await jobs()).toBe(1);
    await settle(pilot);
    expect(await read(pilot, order)).toMatchObject({ status: 'cancelled' });
    await rows(sql`delete from graphile_worker._private_jobs where key = ${key}`);
    await enqueueMissedBackfills(em(), new Date());
    expect(await jobs()).toBe(0);
  });
});
