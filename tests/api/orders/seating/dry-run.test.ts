/** The dry run: a preview by the same seating as the issue, without side effects. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTemplate } from '#server/availability/availability.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const [HORNET, VIPER, WARTHOG, TOMCAT] = [1, 2, 3, 4];
const ROLES = ['Training', 'CAP', 'Strike', 'CAS', 'SEAD', 'Tanker', 'AWACS'];
const LEVELS = ['basic', 'learning', 'proficient', 'expert'];

let service: Service;
let admin: Person;

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  // the planning admin does not fly here
  await query(service.app.orm.em.fork(), sql`update app_user set roles = '{admin}' where id = ${admin.id}`);
});
afterAll(() => service.stop());
afterEach(() => retirePilots(service));

/** mulberry32: the same numbers for the same seed. @returns a whole number below `n` */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

type Slot = { aircraftId: number; slotCount: number; side: number; notes: string };

const request = (aircraftSlots: Slot[], fromHours = 30, toHours = fromHours + 3) => ({
  name: 'Op Mirror',
  theater: 'Syria',
  startLocal: hoursFromNow(fromHours),
  endLocal: hoursFromNow(toHours),
  timeZone: 'UTC',
  aircraftSlots,
});
const slot = (aircraftId: number, slotCount: number, notes = 'CAP', side = 0): Slot => ({
  aircraftId,
  slotCount,
  side,
  notes,
});
const dryRun = (input: object) => admin.client.call('POST', '/admin/missions/dry-run', input);

/** The pilots with orders for each requested slot, in seat order, from the database. */
async function issuedTo(missionId: string, slots: number): Promise<string[][]> {
  const rows = await query<{ slot: number; pilot: string }>(
    service.app.orm.em.fork(),
    sql`select f.slot_index as slot, o.pilot_id as pilot from frag_order o
        join flight f on f.id = o.flight_id join package p on p.id = f.package_id
        where o.mission_id = ${missionId} order by p.sort_order, f.sort_order, o.seat_index`,
  );
  return Array.from({ length: slots }, (_, index) => rows.filter((row) => row.slot === index).map((row) => row.pilot));
}

/** A community by chance: windows for one aircraft, for any or none, levels, live statuses, some busy elsewhere. */
async function givenCommunity(pick: (n: number) => number): Promise<void> {
  const em = service.app.orm.em.fork();
  const pilots = await givenCrowd(service, 12 + pick(16));
  for (const { id } of pilots) {
    const kind = pick(6);
    if (kind > 0) await givenAlwaysFree(service, id, kind === 1 ? 0 : kind - 1);
    for (const aircraftId of [HORNET, VIPER, WARTHOG, TOMCAT]) {
      if (pick(2) === 0) continue;
      await query(
        em,
        sql`insert into proficiency (user_id, aircraft_id, level, set_by_admin, updated_at)
            values (${id}, ${aircraftId}, ${LEVELS[pick(LEVELS.length)]}, false, now())`,
      );
    }
    if (pick(6) === 0) {
      await query(em, sql`insert into pilot_status (user_id, state, updated_at) values (${id}, 'dnd', now())`);
    }
  }
  await givenMission(service, admin, request([slot(VIPER, 1 + pick(4))], 29, 31) as never);
}

describe('preview and issue', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('community %i: the pilots shown are those who are asked', async (seed) => {
    const pick = dice(seed);
    await givenCommunity(pick);
    const slots = Array.from({ length: 1 + pick(5) }, () =>
      slot(1 + pick(4), 1 + pick(6), ROLES[pick(ROLES.length)], pick(2)),
    );
    // within 24 h Do Not Disturb counts, after that it does not
    const input = request(slots, pick(2) === 0 ? 12 : 30);
    const shown = await dryRun(input);
    expect(shown.status).toBe(200);
    const created = await admin.client.call('POST', '/admin/missions', input);
    expect(created.status).toBe(201);

    const pilots = shown.body.slots.map((one: { pilots: { userId: string }[] }) => one.pilots.map((p) => p.userId));
    expect(pilots).toEqual(await issuedTo(created.body.mission.id, slots.length));
    expect(shown.body.filled).toBe(created.body.issued.orders);
    expect(shown.body.seats - shown.body.filled).toBe(created.body.issued.openSeats);
    expect(shown.body.filled).toBeGreaterThan(0);
  });

  test('a draft that is published later seats what a dry run at that moment shows', async () => {
    await givenCommunity(dice(99));
    const slots = [slot(VIPER, 4), slot(HORNET, 3, 'SEAD'), slot(TOMCAT, 2, 'CAP', 1)];
    const input = request(slots);
    const draft = await admin.client.call('POST', '/admin/missions', { ...input, publish: false });
    expect(draft.body.issued.orders).toBe(0);
    const shown = await dryRun(input);
    expect((await admin.client.call('POST', `/admin/missions/${draft.body.mission.id}/publish`)).status).toBe(200);
    const pilots = shown.body.slots.map((one: { pilots: { userId: string }[] }) => one.pilots.map((p) => p.userId));
    expect(pilots).toEqual(await issuedTo(draft.body.mission.id, slots.length));
  });

  test('a dry run does not change the database', async () => {
    await givenCommunity(dice(7));
    const before = await takeDigest(service);
    expect((await dryRun(request([slot(VIPER, 8), slot(TOMCAT, 8)]))).status).toBe(200);
    expect(await takeDigest(service)).toEqual(before);
  });

  test('a dry run does not wait for a mission that is being created', async () => {
    const em = service.app.orm.em.fork();
    await em.transactional(async (tx) => {
      await query(tx, sql`lock table mission, flight, seat, frag_order in exclusive mode`);
      expect((await dryRun(request([slot(VIPER, 2)]))).status).toBe(200);
    });
  });
});

describe('ineligibility', () => {
  const name = ({ displayName }: Person) => displayName;
  const free = async (aircraftId = 0) => {
    const pilot = await givenPerson(service);
    await givenAlwaysFree(service, pilot.id, aircraftId);
    return pilot;
  };
  const sentences = async (slots: Slot[], fromHours = 30) =>
    (await dryRun(request(slots, fromHours))).body.slots.map((one: { whyOpen: string | null }) => one.whyOpen);

  test('a filled slot has no sentence, and names the pilots who would be asked and why', async () => {
    const pilot = await free(VIPER);
    const { body } = await dryRun(request([slot(VIPER, 1)]));
    expect(body).toMatchObject({ seats: 1, filled: 1, unseated: [], better: [] });
    expect(body.slots).toEqual([
      {
        aircraftId: VIPER,
        aircraftName: 'F-16C Viper',
        role: 'CAP',
        side: 0,
        totalSlots: 1,
        filled: 1,
        pilots: [{ userId: pilot.id, userDisplayName: name(pilot), reasons: expect.any(Array) }],
        whyOpen: null,
        unlisted: 0,
      },
    ]);
    expect(body.slots[0].pilots[0].reasons).toContain('You asked for this aircraft.');
  });

  test('without any pilot', async () => {
    expect(await sentences([slot(TOMCAT, 2)])).toEqual(['2 open. Nobody is free for the whole mission.']);
  });

  test('pilots who are free, but not for this aircraft', async () => {
    await free(VIPER);
    expect(await sentences([slot(TOMCAT, 2)])).toEqual(['2 open. No free pilot flies the F-14B Tomcat.']);
  });

  test('fewer pilots than seats', async () => {
    await free();
    expect(await sentences([slot(VIPER, 2)])).toEqual([
      '1 open. The only free F-16C Viper pilot already has a seat in this mission.',
    ]);
    await free(VIPER);
    expect(await sentences([slot(VIPER, 4)])).toEqual([
      '2 open. Both free F-16C Viper pilots already have seats in this mission.',
    ]);
  });

  test('pilots on another mission and on Do Not Disturb', async () => {
    const busy = await free(VIPER);
    await givenMission(service, admin, request([slot(VIPER, 1)], 11, 13) as never);
    for (const quiet of [await free(), await free()]) {
      await quiet.client.call('PUT', `/users/${quiet.id}/status`, { state: 'dnd' });
    }
    expect(await sentences([slot(VIPER, 1)], 12)).toEqual([
      '1 open. Nobody is free for the whole mission. 1 F-16C Viper pilot is on another mission. 2 F-16C Viper pilots are on Do Not Disturb.',
    ]);
    const { body } = await dryRun(request([slot(VIPER, 1)], 12));
    expect(body.unseated).toEqual([
      { reason: 'DO_NOT_DISTURB', pilots: 2 },
      { reason: 'COMMITTED', pilots: 1 },
    ]);
    expect(busy.id).not.toBe(admin.id);
  });

  test('pilots without a seat are counted by reason, the most frequent first', async () => {
    await free(VIPER);
    await free(VIPER);
    await free(VIPER);
    await free(WARTHOG);
    await givenPerson(service);
    const { body } = await dryRun(request([slot(VIPER, 1)]));
    expect(body.unseated).toEqual([
      { reason: 'OUTRANKED', pilots: 2 },
      { reason: 'NOT_AVAILABLE', pilots: 1 },
      { reason: 'AIRCRAFT', pilots: 1 },
    ]);
  });
});

describe('better times', () => {
  test('a time that fills more is named in the zone of the request, of the same length', async () => {
    const pilot = await givenPerson(service, { timeZone: 'UTC' });
    const asked = Temporal.Now.plainDateISO('UTC').add({ days: 3 });
    const good = asked.add({ days: 1 });
    await createTemplate(service.app.orm.em.fork(), {
      id: pilot.id,
      name: 'One evening',
      isActive: true,
      slots: [{ weekday: good.dayOfWeek % 7, startLocal: '18:00', endLocal: '21:00', aircraftCodeId: 0, notes: null }],
    });
    const { body } = await dryRun({
      startLocal: `${asked.toString()}T19:00`,
      endLocal: `${asked.toString()}T22:00`,
      timeZone: 'Asia/Tokyo',
      aircraftSlots: [slot(VIPER, 1)],
    });
    const startUtc = good.toZonedDateTime({ timeZone: 'UTC', plainTime: '18:00' });
    const local = (time: Temporal.ZonedDateTime) =>
      time.withTimeZone('Asia/Tokyo').toPlainDateTime().toString({ smallestUnit: 'minute' });
    const iso = (time: Temporal.ZonedDateTime) => new Date(time.epochMilliseconds).toISOString();
    const endUtc = startUtc.add({ hours: 3 });
    expect(body.better).toEqual([
      { startLocal: local(startUtc), endLocal: local(endUtc), startUtc: iso(startUtc), endUtc: iso(endUtc), filled: 1 },
    ]);
    // and that time keeps its word
    const there = await dryRun({
      startLocal: body.better[0].startLocal,
      endLocal: body.better[0].endLocal,
      timeZone: 'Asia/Tokyo',
      aircraftSlots: [slot(VIPER, 1)],
    });
    expect(there.body).toMatchObject({ filled: 1, better: [] });
  });

  test.each([11, 12, 13])('community %i: each better time fills exactly the seats it promises', async (seed) => {
    const pick = dice(seed);
    const em = service.app.orm.em.fork();
    for (const { id } of await givenCrowd(service, 15)) {
      const startLocal = `${String(10 + pick(10))}:${pick(2) === 0 ? '00' : '30'}`;
      await createTemplate(em.fork(), {
        id,
        name: 'Some evenings',
        isActive: true,
        slots: Array.from({ length: 7 }, (_, weekday) => ({
          weekday,
          startLocal,
          endLocal: '23:30',
          aircraftCodeId: pick(4),
          notes: null,
        })).filter(() => pick(3) > 0),
      });
    }
    const asked = Temporal.Now.plainDateISO('UTC').add({ days: 2 }).toString();
    const input = {
      startLocal: `${asked}T09:00`,
      endLocal: `${asked}T11:30`,
      timeZone: 'UTC',
      aircraftSlots: [slot(HORNET, 3), slot(VIPER, 4, 'SEAD'), slot(WARTHOG, 2, 'CAS', 1)],
    };
    const { body } = await dryRun(input);
    expect(body.better.length).toBeGreaterThan(0);
    expect(body.better.length).toBeLessThanOrEqual(3);
    for (const better of body.better) {
      expect(better.filled).toBeGreaterThan(body.filled);
      const { startLocal, endLocal } = better;
      expect((await dryRun({ ...input, startLocal, endLocal })).body.filled).toBe(better.filled);
    }
  });
});

describe('impossible times and aircraft', () => {
  const day = () => Temporal.Now.plainDateISO('UTC').add({ days: 5 }).toString();
  test.each([
    ['a start in the past', () => ['2026-01-01T19:00', '2026-01-01T22:00'], 'The mission cannot start in the past'],
    ['no length', () => [`${day()}T19:00`, `${day()}T19:00`], 'The mission must end after it starts'],
    ['more than 24 hours', () => [`${day()}T19:00`, '2099-01-01T19:00'], 'The mission cannot be longer than 24 hours'],
    ['an end on a day before', () => [`${day()}T19:00`, '2026-01-01T22:00'], 'The mission cannot end before it starts'],
  ])('%s is refused as it is when a mission is created', async (_what, times, sentence) => {
    const [startLocal, endLocal] = times();
    const input = { ...request([slot(VIPER, 1)]), startLocal, endLocal };
    for (const path of ['/admin/missions', '/admin/missions/dry-run']) {
      const { status, body } = await admin.client.call('POST', path, input);
      expect([status, body.message]).toEqual([400, sentence]);
    }
  });

  test('an aircraft that does not exist is refused', async () => {
    const { status, body } = await dryRun(request([slot(999, 1)]));
    expect([status, body.message]).toEqual([400, 'This aircraft does not exist']);
  });

  test('a mission over midnight ends on the next day', async () => {
    const { body } = await dryRun({
      ...request([slot(VIPER, 1)]),
      startLocal: `${day()}T22:00`,
      endLocal: `${day()}T01:00`,
    });
    expect(Date.parse(body.endUtc) - Date.parse(body.startUtc)).toBe(3 * 3_600_000);
  });
});
