/** Pilots who no longer fit an edited mission: named before saving, released with a reason, or kept by hand. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { copy } from '#shared/copy.ts';
import { hoursFromNow, givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { editMission, flightsOf, loadMission } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, givenPilot, inbox, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { seeded, type Random } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const NO_LONGER = 'This mission has changed and no longer fits you.';

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

/** A date a number of days ahead: `2026-11-27`. */
const dayAhead = (days: number) => hoursFromNow(24 * days).slice(0, 10);
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const zulu = (minute: number) => `${clock(minute).replace(':', '')}Z`;
const HOUR = 60;

/** A stretch of one day, in minutes from its midnight; the aircraft 0 is any. */
interface Window {
  from: number;
  to: number;
  aircraftId: number;
}

async function addWindow({ client, id }: Person, dateLocal: string, { from, to, aircraftId }: Window) {
  const { status } = await client.call('POST', `/users/${id}/availability/overrides`, {
    dateLocal,
    kind: 'available',
    startLocal: clock(from),
    endLocal: clock(to),
    aircraftCodeId: aircraftId,
  });
  expect(status).toBe(201);
}

async function givenFree(date: string, windows: readonly Window[]): Promise<Person> {
  const pilot = await givenPerson(service);
  for (const window of windows) await addWindow(pilot, date, window);
  return pilot;
}

const timesOn = (date: string, from: number, to: number) => ({
  startLocal: `${date}T${clock(from)}`,
  endLocal: `${date}T${clock(to)}`,
  timeZone: 'UTC',
});

const givenOn = async (date: string, from: number, to: number, seats = 1) =>
  (
    await givenMissionIn(service, admin, 0, {
      ...timesOn(date, from, to),
      aircraftSlots: [{ aircraftId: 2, slotCount: seats, side: 0, notes: 'CAP' }],
    })
  ).mission.id;

const preview = (id: string, changes: object) =>
  admin.client.call('POST', `/admin/missions/${id}/edit-preview`, changes);
const edit = (id: string, changes: object) => editMission(admin, id, changes);

describe('a mission that moves beyond the time of its pilot', () => {
  const date = dayAhead(5);
  const moved = timesOn(date, 20 * HOUR, 22 * HOUR);
  const given = async () => {
    const pilot = await givenFree(date, [{ from: 17 * HOUR, to: 21 * HOUR, aircraftId: 0 }]);
    const id = await givenOn(date, 19 * HOUR, 21 * HOUR);
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    return { pilot, id, order };
  };

  test('names them with the reason before saving, and then releases the seat with a sentence and a notice', async () => {
    const { pilot, id, order } = await given();
    const next = await givenFree(date, [{ from: 20 * HOUR, to: 22 * HOUR, aircraftId: 0 }]);
    const [flight] = flightsOf(await loadMission(admin, id));
    const before = await loadMission(admin, id);
    expect(await preview(id, moved)).toMatchObject({
      status: 200,
      body: {
        misfits: [
          {
            orderId: order.id,
            userId: pilot.id,
            userDisplayName: pilot.displayName,
            flightCallsign: flight.callsign,
            seatIndex: 0,
            rsvp: 'accepted',
            reason: 'NOT_AVAILABLE',
            sentence: `${pilot.displayName} is not available from 2100Z to 2200Z.`,
            isKeepable: true,
          },
        ],
      },
    });
    expect(await loadMission(admin, id)).toEqual(before);
    expect((await edit(id, moved)).body).toMatchObject({ askedAgain: 0, told: 0, freed: 1 });
    expect(await read(pilot, order)).toMatchObject({
      status: 'cancelled',
      statusReason: 'superseded',
      reasons: [NO_LONGER, 'You are not available from 2100Z to 2200Z.'],
      changes: [{ field: 'start' }, { field: 'end' }, { field: 'seat', from: `${flight.callsign}, seat 1`, to: null }],
    });
    const { body: notices } = await pilot.client.call('GET', '/pilot/notices');
    expect(notices).toMatchObject([{ kind: 'removed', orderId: order.id }]);
    expect(notices[0].sentence).toMatch(
      new RegExp(
        `has changed, and you lost ${flight.callsign}, seat 1\\. You are not available from 2100Z to 2200Z\\.$`,
      ),
    );
    expect(await orderOf(next)).toMatchObject({
      missionId: id,
      reasons: ['You are free from 2000Z to 2200Z.', copy.aircraftUnlisted],
    });
  });

  test('asks those whom the admin keeps, and says so', async () => {
    const { pilot, id, order } = await given();
    expect((await edit(id, { ...moved, keepPilotIds: [pilot.id] })).body).toMatchObject({ askedAgain: 1, freed: 0 });
    expect(await read(pilot, order)).toMatchObject({
      rsvp: 'pending',
      reasons: ['An admin kept you on this seat.', 'You are not available from 2100Z to 2200Z.'],
    });
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
  });
});

test('a pilot who still fits is told what is true at the new time', async () => {
  const [date, next] = [dayAhead(5), dayAhead(6)];
  const pilot = await givenFree(date, [{ from: 17 * HOUR, to: 21 * HOUR, aircraftId: 0 }]);
  await addWindow(pilot, next, { from: 18 * HOUR, to: 23 * HOUR, aircraftId: 2 });
  const id = await givenOn(date, 19 * HOUR, 21 * HOUR);
  const order = await orderOf(pilot);
  expect(await read(pilot, order)).toMatchObject({
    reasons: ['You are free from 1700Z to 2100Z.', copy.aircraftUnlisted],
  });
  expect((await preview(id, timesOn(next, 19 * HOUR, 21 * HOUR))).body).toEqual({ misfits: [] });
  await edit(id, timesOn(next, 19 * HOUR, 21 * HOUR));
  expect(await read(pilot, order)).toMatchObject({
    rsvp: 'pending',
    reasons: ['You are free from 1800Z to 2300Z.', 'You asked for this aircraft.'],
  });
});

test('a change of aircraft releases those who are not available in it, and a small change nobody', async () => {
  const date = dayAhead(5);
  const pilot = await givenFree(date, [{ from: 17 * HOUR, to: 22 * HOUR, aircraftId: 2 }]);
  const id = await givenOn(date, 19 * HOUR, 21 * HOUR);
  const order = await orderOf(pilot);
  const [flight] = flightsOf(await loadMission(admin, id));
  expect((await preview(id, { notes: 'Lights on' })).body).toEqual({ misfits: [] });
  const hornet = { flights: [{ id: flight.id, aircraftId: 3 }] };
  expect((await preview(id, hornet)).body.misfits).toMatchObject([{ userId: pilot.id, reason: 'AIRCRAFT' }]);
  expect((await edit(id, hornet)).body).toMatchObject({ askedAgain: 0, freed: 1 });
  expect((await read(pilot, order)).reasons[0]).toBe(NO_LONGER);
});

test('Do Not Disturb counts when a mission moves to within a day', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 60);
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  const soon = { startLocal: hoursFromNow(20), endLocal: hoursFromNow(22) };
  expect((await preview(mission.id, soon)).body.misfits).toMatchObject([
    { reason: 'DO_NOT_DISTURB', sentence: `${pilot.displayName} is on Do Not Disturb.`, isKeepable: true },
  ]);
  expect((await edit(mission.id, soon)).body).toMatchObject({ freed: 1 });
});

test('a pilot who flies elsewhere at the new time is named with that mission, and cannot be kept', async () => {
  const pilot = await givenPilot(service);
  const { mission: late } = await givenMissionIn(service, admin, 70, { name: 'Op Late' });
  await givenMissionIn(service, admin, 60, { name: 'Op Early' });
  const ofLate = (await inbox(pilot)).find(({ missionName }: { missionName: string }) => missionName === 'Op Late');
  const at = { startLocal: hoursFromNow(61), endLocal: hoursFromNow(64) };
  const sentence = `${pilot.displayName} is on “Op Early” at that time.`;
  expect((await preview(late.id, at)).body.misfits).toMatchObject([
    { reason: 'COMMITTED', sentence, isKeepable: false },
  ]);
  expect((await edit(late.id, { ...at, keepPilotIds: [pilot.id] })).body).toMatchObject({ askedAgain: 0, freed: 1 });
  expect(await read(pilot, ofLate)).toMatchObject({
    status: 'cancelled',
    reasons: [NO_LONGER, 'You are on “Op Early” at that time.'],
  });
});

test('the preview refuses what the edit refuses', async () => {
  const { mission } = await givenMissionIn(service, admin, 60);
  const past = { startLocal: hoursFromNow(-5), endLocal: hoursFromNow(-3) };
  for (const ask of [preview, edit]) {
    expect(await ask(mission.id, { version: 'older' })).toMatchObject({ status: 409, body: { code: 'CHANGED' } });
    expect((await ask(mission.id, past)).status).toBe(400);
  }
  await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`);
  for (const ask of [preview, edit]) {
    expect(await ask(mission.id, { notes: 'x' })).toMatchObject({ status: 409, body: { code: 'MISSION_FINAL' } });
  }
});

/** Minute by minute, from the windows as they were entered: no code of the server. */
function isFree(windows: readonly Window[], from: number, to: number, aircraftId: number): boolean {
  for (let minute = from; minute < to; minute += 1) {
    const isCovered = windows.some(
      (window) => window.from <= minute && minute < window.to && [0, aircraftId].includes(window.aircraftId),
    );
    if (!isCovered) return false;
  }
  return true;
}

const QUARTERS_A_DAY = 96;
function randomSpan(random: Random, shortest: number, longest: number): { from: number; to: number } {
  const length = random.between(shortest, longest);
  const from = random.between(32, QUARTERS_A_DAY - 1 - length);
  return { from: from * 15, to: (from + length) * 15 };
}

test.each([1, 2, 3, 4])('nobody is asked about a time they are not free: random edits %i', async (seed) => {
  const random = seeded(seed);
  const date = dayAhead(6 + seed);
  const windowsOf = new Map<string, Window[]>();
  const pilots: Person[] = [];
  for (let index = 0; index < 8; index += 1) {
    const windows = Array.from({ length: random.between(1, 3) }, () => ({
      ...randomSpan(random, 8, 40),
      aircraftId: random.pick([0, 0, 2, 3]),
    }));
    const pilot = await givenFree(date, windows);
    windowsOf.set(pilot.id, windows);
    pilots.push(pilot);
  }
  const id = await givenOn(date, 18 * HOUR, 20 * HOUR, 4);
  let [asked, lost, kept] = [0, 0, 0];
  for (let round = 0; round < 8; round += 1) {
    for (const pilot of pilots) {
      for (const order of await inbox(pilot)) await respond(pilot, order, 'accepted');
    }
    const { from, to } = randomSpan(random, 2, 12);
    const [flight] = flightsOf(await loadMission(admin, id));
    const changes = {
      ...(random.chance(0.8) && timesOn(date, from, to)),
      ...(random.chance(0.5) && { flights: [{ id: flight.id, aircraftId: random.pick([2, 3]) }] }),
      ...(random.chance(0.3) && { notes: `Round ${round}` }),
    };
    const { body: shown } = await preview(id, changes);
    const misfits: { userId: string; isKeepable: boolean; orderId: string }[] = shown.misfits;
    const keep = misfits.filter(() => random.chance(0.2)).map(({ userId }) => userId);
    expect((await edit(id, { ...changes, keepPilotIds: keep })).status).toBe(200);

    const mission = await loadMission(admin, id);
    const [start, end] = [mission.startUtc, mission.endUtc].map((instant: string) => {
      const [hours = 0, minutes = 0] = instant.slice(11, 16).split(':').map(Number);
      return hours * HOUR + minutes;
    });
    if (start === undefined || end === undefined) throw new Error('a mission has times');
    const aircraftOf = new Map<string, number>(flightsOf(mission).map((one) => [one.id, one.aircraftId]));
    const { body: orders } = await admin.client.call('GET', `/admin/missions/${id}/orders`);
    const fits = ({ userId, flightId }: { userId: string; flightId: string }) =>
      isFree(windowsOf.get(userId) ?? [], start, end, aircraftOf.get(flightId) ?? 0);
    for (const order of orders) {
      const isAsked = order.status === 'issued' && order.rsvp === 'pending';
      const where = `round ${round}: ${order.userDisplayName}, ${zulu(start)} to ${zulu(end)}`;
      if (isAsked && !keep.includes(order.userId)) expect(fits(order), where).toBe(true);
      const misfit = misfits.find(({ orderId }) => orderId === order.id);
      if (misfit) expect(fits(order), where).toBe(false);
      if (misfit) expect(order.status, where).toBe(keep.includes(order.userId) ? 'issued' : 'cancelled');
      asked += isAsked ? 1 : 0;
    }
    lost += misfits.length - keep.length;
    kept += keep.length;
  }
  // the edits have reached what they are about
  expect(asked).toBeGreaterThan(2);
  expect(lost + kept).toBeGreaterThan(1);
});
