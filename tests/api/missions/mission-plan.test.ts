/** Mission edits: their effect on packages, flights and radio, and which are refused. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { editMission, flightsOf, givenSeated, loadMission } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  expect(await findBreaches(service)).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const load = (id: string) => loadMission(admin, id);
const edit = (id: string, changes: object) => editMission(admin, id, changes);

describe('the plan', () => {
  test('keeps one package per side and role group, their notes and names, and the request behind them', async () => {
    const { mission: made } = await givenMissionIn(service, admin, 60, {
      aircraftSlots: [
        { aircraftId: 2, slotCount: 8, side: 0, notes: 'CAP' },
        { aircraftId: 3, slotCount: 2, side: 0, notes: 'SEAD', additionalNotes: 'HARM' },
      ],
    });
    await rows(sql`update package set notes = 'Own the sky' where mission_id = ${made.id} and callsign = 'ALPHA'`);
    const mission = await load(made.id);
    const [one, two, sead] = flightsOf(mission);
    const all = await edit(made.id, { flights: [one, two].map(({ id }) => ({ id, role: 'CAS' })) });
    expect(all.body.mission.packages).toMatchObject([
      { callsign: 'ALPHA', objective: 'CAS, Syria', notes: 'Own the sky', id: mission.packages[0].id },
      { callsign: 'BRAVO', objective: 'SEAD, Syria' },
    ]);
    const half = await edit(made.id, { flights: [{ id: two.id, role: 'Strike' }] });
    expect(half.body.mission.packages).toMatchObject([
      { callsign: 'ALPHA', objective: 'CAS, Syria', flights: [{ id: one.id }] },
      { callsign: 'BRAVO', objective: 'Strike/SEAD, Syria', flights: [{ id: two.id }, { id: sead.id }] },
    ]);
    const red = await edit(made.id, { theater: 'Kola', flights: [{ id: sead.id, side: 1 }] });
    expect(red.body.mission.packages).toMatchObject([
      { callsign: 'ALPHA', objective: 'CAS, Kola' },
      { callsign: 'BRAVO', objective: 'Strike, Kola' },
      { callsign: 'CHARLIE', objective: 'SEAD, Kola', flights: [{ id: sead.id, side: 1 }] },
    ]);
    expect(red.body.mission.aircraftSlots).toEqual([
      { aircraftId: 2, slotCount: 4, side: 0, notes: 'CAS', additionalNotes: null },
      { aircraftId: 2, slotCount: 4, side: 0, notes: 'Strike', additionalNotes: null },
      { aircraftId: 3, slotCount: 2, side: 1, notes: 'SEAD', additionalNotes: 'HARM' },
    ]);
  });

  test('gives new aircraft flights of their own, and launch and TOT follow the times', async () => {
    const { mission: made } = await givenMissionIn(service, admin, 60);
    const before = await load(made.id);
    const { body } = await edit(made.id, {
      startLocal: hoursFromNow(62),
      endLocal: hoursFromNow(65),
      addAircraftSlots: [{ aircraftId: 3, slotCount: 5, side: 0, notes: 'Strike' }],
    });
    const flights = flightsOf(body.mission);
    expect(flights.map(({ sizeCap }) => sizeCap)).toEqual([1, 3, 2]);
    expect(new Set(flights.map(({ callsign }) => callsign)).size).toBe(3);
    expect(new Set(flights.map(({ radioFreq }) => radioFreq)).size).toBe(3);
    const [cap] = flightsOf(before);
    expect(Date.parse(flights[0].launchUtc) - Date.parse(cap.launchUtc)).toBe(2 * 3_600_000);
    expect(flights[1].launchUtc).toBe(new Date(Date.parse(body.mission.startUtc) + 35 * 60_000).toISOString());
    expect(body.mission.aircraftSlots.map(({ slotCount }: { slotCount: number }) => slotCount)).toEqual([1, 5]);
  });

  test('keeps a start in the second pass of the hour that DST repeats while only the end changes', async () => {
    const { mission: made } = await givenMissionIn(service, admin, 60, {
      startLocal: '2027-11-07T06:30',
      endLocal: '2027-11-07T09:00',
      timeZone: 'UTC',
    });
    const inNewYork = { startLocal: '2027-11-07T01:30', timeZone: 'America/New_York' };
    const { body } = await edit(made.id, { ...inNewYork, endLocal: '2027-11-07T05:00' });
    expect(body.mission).toMatchObject({ startUtc: '2027-11-07T06:30:00.000Z', endUtc: '2027-11-07T10:00:00.000Z' });
    const short = await edit(made.id, { ...inNewYork, startLocal: '2027-11-07T01:15', endLocal: '2027-11-07T05:00' });
    expect(short.body.mission).toMatchObject({
      startUtc: '2027-11-07T05:15:00.000Z',
      endUtc: '2027-11-07T10:00:00.000Z',
    });
  });

  test('picks new names and frequencies where the new time overlaps another mission, and says so', async () => {
    const { mission: other } = await givenMissionIn(service, admin, 40);
    const { id, seats } = await givenSeated(service, admin, 1);
    const [one] = seats;
    if (!one) throw new Error('a pilot was expected');
    await rows(
      sql`update flight set callsign = 'Ford 9', radio_freq = '389.000 AM'
          where mission_id = any(${[id, other.id]}::uuid[])`,
    );
    const theirs = { callsign: 'Ford 9', radioFreq: '389.000 AM' };
    const { body } = await edit(id, { startLocal: hoursFromNow(41), endLocal: hoursFromNow(43) });
    const [now] = flightsOf(body.mission);
    expect(now.callsign).not.toBe(theirs.callsign);
    expect(now.radioFreq).not.toBe(theirs.radioFreq);
    const fields = (await read(one.pilot, one.order)).changes.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['start', 'end', 'callsign', 'radio']);
    const [flight] = flightsOf(body.mission);
    const taken = await edit(id, { flights: [{ id: flight.id, radioFreq: theirs.radioFreq.slice(0, 7) }] });
    expect([taken.status, taken.body.message]).toEqual([
      409,
      `${theirs.radioFreq} is in use by ${theirs.callsign} in "${other.name}" at that time.`,
    ]);
  });
});

describe('an edit is refused', () => {
  let unchanged: { id: string };
  beforeAll(async () => {
    unchanged = (await givenMissionIn(service, admin, 500)).mission;
  });

  test.each([
    [
      'a start in the past',
      { startLocal: hoursFromNow(-1), endLocal: hoursFromNow(2) },
      400,
      'The mission cannot start in the past',
    ],
    [
      'no length',
      { startLocal: hoursFromNow(9), endLocal: hoursFromNow(9) },
      400,
      'The mission must end after it starts',
    ],
    ['a start alone', { startLocal: hoursFromNow(9) }, 400, 'End time is required'],
    ['an end alone', { endLocal: hoursFromNow(9) }, 400, 'Start time is required'],
    ['an aircraft nobody has', { aircraftId: 9999 }, 400, 'This aircraft does not exist'],
    ['a flight of five', { sizeCap: 5 }, 400, 'A flight has 1 to 4 seats'],
    [
      'a frequency that is none',
      { radioFreq: 'guard' },
      400,
      'Please enter a radio frequency in MHz with three decimals, such as 251.000',
    ],
    [
      'more than 256 seats',
      { addAircraftSlots: Array.from({ length: 4 }, () => ({ aircraftId: 2, slotCount: 64, side: 0, notes: 'CAP' })) },
      400,
      'A mission can hold at most 256 seats',
    ],
    [
      'an unknown flight',
      { removeFlightIds: ['0192c0de-0000-7000-8000-000000000000'] },
      404,
      'This flight is not part of the mission',
    ],
    [
      'an older version',
      { version: '2020-01-01T00:00:00.000Z', name: 'Late' },
      409,
      'Someone else has changed this mission. Please load it again.',
    ],
  ])('for %s', async (_rule, change, status, sentence) => {
    const before = await load(unchanged.id);
    const ofFlight = 'aircraftId' in change || 'sizeCap' in change || 'radioFreq' in change;
    const [flight] = flightsOf(before);
    const answer = await edit(unchanged.id, ofFlight ? { flights: [{ id: flight.id, ...change }] } : change);
    expect([answer.status, answer.body.message]).toEqual([status, sentence]);
    expect(await load(unchanged.id)).toEqual(before);
  });

  test('for a mission that is over or cancelled, and for anything but notes, radio and end of one under way', async () => {
    const { id, seats } = await givenSeated(service, admin, 1, {}, 30);
    const [one] = seats;
    if (!one) throw new Error('a pilot was expected');
    await respond(one.pilot, one.order, 'accepted');
    const shift = (hours: number) =>
      rows(sql`with m as (update mission set starts_at = date_trunc('minute', now() + ${`${hours} hours`}::interval),
                 ends_at = date_trunc('minute', now() + ${`${hours + 3} hours`}::interval) where id = ${id} returning *)
               update seat s set starts_at = m.starts_at, ends_at = m.ends_at from m where s.mission_id = m.id`);
    await shift(-1);
    const mission = await load(id);
    const [flight] = flightsOf(mission);
    const underWay = 'This mission is under way: only its notes, radio and end can still be changed.';
    for (const change of [
      { name: 'Other' },
      { theater: 'Kola' },
      { startLocal: hoursFromNow(1), endLocal: hoursFromNow(3) },
      { flights: [{ id: flight.id, side: 1 }] },
      { flights: [{ id: flight.id, sizeCap: 2 }] },
      { removeFlightIds: [flight.id], addAircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }] },
    ]) {
      const { status, body } = await edit(id, change);
      expect([change, status, body.message]).toEqual([change, 409, underWay]);
    }
    const past = await edit(id, { startLocal: mission.startLocal, endLocal: hoursFromNow(-0.1) });
    expect([past.status, past.body.message]).toEqual([400, 'The mission cannot end in the past']);
    const longer = await edit(id, {
      startLocal: mission.startLocal,
      endLocal: hoursFromNow(3),
      flights: [{ id: flight.id, sizeCap: 1, side: 0, role: 'CAP', aircraftId: 2, radioFreq: '270.000' }],
    });
    expect(longer.body).toMatchObject({ askedAgain: 0, told: 1, freed: 0 });
    expect(await read(one.pilot, one.order)).toMatchObject({ rsvp: 'accepted', radioFreq: '270.000 AM' });
    expect(await findBreaches(service)).toEqual([]);

    await shift(-5);
    const over = await edit(id, { notes: 'Thanks' });
    expect([over.status, over.body.message]).toEqual([
      409,
      'This mission is over or cancelled and can no longer be changed.',
    ]);
  });
});
