/** Recommended times over REST: their pilots by name and in pages, and times ranked by the seats that they fill. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenPilot } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

/** An empty community: only the admin, without availability. */
afterEach(async () => {
  const em = service.app.orm.em.fork();
  await query(em, sql`delete from mission`);
  await query(em, sql`delete from app_user where id <> ${admin.id}`);
});

const read = async (path: string) => {
  const { status, body } = await admin.client.call('GET', `/admin${path}`);
  return { status, body };
};

test('recommends by name, and by email where there is no call sign', async () => {
  const [zulu, alpha] = [await givenPilot(service), await givenPilot(service)];
  const em = service.app.orm.em.fork();
  await query(em, sql`update app_user set display_name = 'Zulu' where id = ${zulu.id}`);
  await query(em, sql`update app_user set display_name = null where id = ${alpha.id}`);
  const { body } = await read(`/missions/recommended-time?date=${hoursFromNow(72).slice(0, 10)}&limit=1`);
  expect(body.totalAvailableUsers).toBe(2);
  expect(body.recommendations[0]).toMatchObject({
    rank: 1,
    participantCount: 2,
    reason: '2 pilots are free for 6 h; aircraft: 2 any',
    availableUserNames: ['Zulu', alpha.email],
    availableUserIds: [zulu.id, alpha.id],
  });
});

test('names the first pilots of a time, and those after them on request', async () => {
  const pilots = [];
  for (const name of ['Delta', 'Alpha', 'Charlie', 'Bravo']) {
    const pilot = await givenPilot(service);
    await query(service.app.orm.em.fork(), sql`update app_user set display_name = ${name} where id = ${pilot.id}`);
    pilots.push(pilot);
  }
  const date = hoursFromNow(72).slice(0, 10);
  const ask = async (rest: string) => {
    const { status, body } = await read(`/missions/recommended-time?date=${date}&limit=1${rest}`);
    expect(status).toBe(200);
    expect(body.recommendations[0].participantCount).toBe(4);
    expect(body.recommendations[0].reason).toBe('4 pilots are free for 6 h; aircraft: 4 any');
    const { availableUserNames: names, availableUserIds: ids } = body.recommendations[0];
    expect(ids).toHaveLength(names.length);
    return names;
  };
  expect(await ask('')).toEqual(['Alpha', 'Bravo', 'Charlie', 'Delta']);
  expect(await ask('&pilots=2')).toEqual(['Alpha', 'Bravo']);
  expect(await ask('&pilots=2&skipPilots=2')).toEqual(['Charlie', 'Delta']);
  expect(await ask('&pilots=0')).toEqual([]);
  expect(await ask('&skipPilots=9')).toEqual([]);
  const seats = await read(`/missions/recommended-time?date=${date}&limit=1&seats=2x1&pilots=1&skipPilots=1`);
  expect(seats.body.recommendations[0].availableUserNames).toEqual(['Bravo']);
  const refused = await read(`/missions/recommended-time?date=${date}&pilots=1001`);
  expect(refused).toMatchObject({
    status: 400,
    body: { message: 'The number of named pilots must be a whole number from 0 to 1000' },
  });
  // a new name is in its place at once
  await query(
    service.app.orm.em.fork(),
    sql`update app_user set display_name = 'Aardvark' where id = ${pilots[0]?.id}`,
  );
  expect(await ask('&pilots=2')).toEqual(['Aardvark', 'Alpha']);
});

test('ranks times by the seats that they fill, with the number that a dry run seats', async () => {
  const date = hoursFromNow(72).slice(0, 10);
  // aircraft 2 is the Viper and 1 the Hornet: three Viper pilots in the afternoon, and in the evening a Hornet pilot
  // and two who list both
  for (const [times, aircraftIds] of [
    ['12:00 16:00', [2]],
    ['12:00 16:00', [2]],
    ['12:30 16:00', [2]],
    ['18:00 22:07', [1]],
    ['18:00 22:07', [1, 2]],
    ['19:07 22:07', [1, 2]],
  ] as const) {
    const pilot = await givenPerson(service);
    const [startLocal, endLocal] = times.split(' ');
    const free = { dateLocal: date, kind: 'available', startLocal, endLocal };
    await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, free);
    for (const id of aircraftIds) {
      await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/${id}`, { level: 'basic' });
    }
  }
  const ask = `/missions/recommended-time?date=${date}&minDuration=180&limit=3`;
  const plain = await read(ask);
  expect(plain.body).not.toHaveProperty('requestedSeats');
  expect(plain.body.recommendations[0]).not.toHaveProperty('fillableSeats');

  const { body } = await read(`${ask}&seats=2x2,1x1`);
  expect(body.requestedSeats).toBe(3);
  const shown = body.recommendations.map((time: Record<string, unknown>) => [
    String(time['startLocal']).slice(11),
    String(time['endLocal']).slice(11),
    time['fillableSeats'],
    time['participantCount'],
  ]);
  // the afternoon has as many pilots, but none in a Hornet
  expect(shown).toEqual([
    ['19:07', '22:07', 3, 3],
    ['12:30', '15:30', 2, 3],
  ]);
  for (const { startLocal, endLocal, fillableSeats } of body.recommendations) {
    const dryRun = await admin.client.call('POST', '/admin/missions/dry-run', {
      name: 'Op Iron Hound',
      theater: 'Syria',
      startLocal,
      endLocal,
      timeZone: 'UTC',
      aircraftSlots: [
        { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' },
        { aircraftId: 1, slotCount: 1, side: 0, notes: 'CAP' },
      ],
    });
    expect(dryRun.body.filled).toBe(fillableSeats);
  }
  // more seats than pilots: as many as there are pilots for them
  const many = await read(`${ask}&seats=2x64`);
  expect(many.body).toMatchObject({
    requestedSeats: 64,
    recommendations: [{ fillableSeats: 3 }, { fillableSeats: 2 }],
  });
});
