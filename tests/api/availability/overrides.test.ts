/** Dated exceptions to availability: their effect and ownership. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenMission, givenAdmin, givenPerson, type MissionRequest, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const DAY_MS = 86_400_000;
/** A date some days from today, UTC. */
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const path = ({ id }: Person) => `/users/${id}/availability/overrides`;
const away = { kind: 'unavailable', startLocal: '00:00', endLocal: '00:00' };
const here = { kind: 'available', startLocal: '18:00', endLocal: '21:00', aircraftCodeId: 2 };

/** Every evening 18:00 to 22:00, any aircraft. */
async function givenEvenings(person: Person): Promise<void> {
  const slots = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    weekday,
    startLocal: '18:00',
    endLocal: '22:00',
    aircraftCodeId: 0,
  }));
  const { status } = await person.client.call('POST', `/users/${person.id}/availability/templates`, { slots });
  expect(status).toBe(201);
}

async function daysOf(person: Person, start: string, days: number): Promise<Record<string, string[]>> {
  const { body } = await person.client.call(
    'GET',
    `/users/${person.id}/availability/window?start=${start}&days=${days}`,
  );
  return Object.fromEntries(
    body.days.map((day: { dateLocal: string; slots: { startLocal: string; endLocal: string; source: string }[] }) => [
      day.dateLocal,
      day.slots.map(({ startLocal, endLocal, source }) => `${startLocal}-${endLocal} ${source}`),
    ]),
  );
}

describe('a dated exception', () => {
  test('removes days from the week and adds hours, until it is deleted', async () => {
    const pilot = await givenPerson(service);
    await givenEvenings(pilot);
    const holiday = await pilot.client.call('POST', path(pilot), {
      ...away,
      dateLocal: inDays(3),
      untilLocal: inDays(4),
      notes: 'Holiday',
    });
    expect(holiday.status).toBe(201);
    expect(holiday.body.map((one: { dateLocal: string }) => one.dateLocal)).toEqual([inDays(3), inDays(4)]);
    const extra = await pilot.client.call('POST', path(pilot), { ...here, startLocal: '09:00', dateLocal: inDays(5) });
    expect(extra.status).toBe(201);

    expect(await daysOf(pilot, inDays(2), 4)).toEqual({
      [inDays(2)]: ['18:00-22:00 template'],
      [inDays(3)]: [],
      [inDays(4)]: [],
      [inDays(5)]: ['09:00-21:00 override', '18:00-22:00 template'],
    });

    const listed = await pilot.client.call('GET', path(pilot));
    expect(listed.body.map((one: { kind: string }) => one.kind)).toEqual(['unavailable', 'unavailable', 'available']);
    expect(listed.body[2]).toMatchObject({ aircraftCodeId: 2, notes: null });
    for (const time of [1, 2]) {
      const gone = await pilot.client.call('DELETE', `${path(pilot)}/${listed.body[0].id}`);
      expect([time, gone.status]).toEqual([time, 200]);
    }
    expect(await daysOf(pilot, inDays(3), 1)).toEqual({ [inDays(3)]: ['18:00-22:00 template'] });
  });

  test('decides who is asked to fly', async () => {
    const admin = await givenAdmin(service);
    const pilot = await givenPerson(service);
    const date = inDays(9);
    await pilot.client.call('POST', path(pilot), { ...here, startLocal: '10:00', endLocal: '16:00', dateLocal: date });
    const slots: MissionRequest['aircraftSlots'] = [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }];
    const times = { startLocal: `${date}T11:00`, endLocal: `${date}T13:00`, timeZone: 'UTC', aircraftSlots: slots };
    await givenMission(service, admin, times);
    expect((await pilot.client.call('GET', '/pilot/inbox')).body).toHaveLength(1);

    const later = { ...times, startLocal: `${date}T13:00`, endLocal: `${date}T15:00` };
    await pilot.client.call('POST', path(pilot), { ...away, startLocal: '14:00', endLocal: '14:30', dateLocal: date });
    const { body } = await pilot.client.call('GET', path(pilot));
    expect(body).toHaveLength(2);
    // cut where the pilot is away, but the added hours come last and stand
    await givenMission(service, admin, later);
    expect((await pilot.client.call('GET', '/pilot/inbox')).body).toHaveLength(2);
  });

  test('created twice is one', async () => {
    const pilot = await givenPerson(service);
    const first = await pilot.client.call('POST', path(pilot), { ...away, dateLocal: inDays(6) });
    const second = await pilot.client.call('POST', path(pilot), { ...away, dateLocal: inDays(6) });
    expect(second.body).toEqual(first.body);
    expect((await pilot.client.call('GET', path(pilot))).body).toHaveLength(1);
  });

  test.each([
    ['a date that is over', { ...away, dateLocal: inDays(-2) }, 'Please choose today or a later date'],
    [
      'no length',
      { ...here, startLocal: '18:00', endLocal: '18:00', dateLocal: inDays(2) },
      'A time slot needs an end that differs from its start',
    ],
    [
      'dates backwards',
      { ...away, dateLocal: inDays(3), untilLocal: inDays(2) },
      'The last date must not be before the first',
    ],
    [
      'a quarter of a year',
      { ...away, dateLocal: inDays(1), untilLocal: inDays(90) },
      'An exception can cover at most 62 days',
    ],
    [
      'an aircraft that does not exist',
      { ...here, aircraftCodeId: 30_000, dateLocal: inDays(2) },
      'This aircraft does not exist',
    ],
    [
      'no kind',
      { startLocal: '10:00', endLocal: '11:00', dateLocal: inDays(2) },
      'Please choose available or unavailable',
    ],
  ])('%s is refused with its sentence', async (_rule, body, message) => {
    const pilot = await givenPerson(service);
    const answer = await pilot.client.call('POST', path(pilot), body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect((await pilot.client.call('GET', path(pilot))).body).toEqual([]);
  });

  test('of another pilot cannot be removed', async () => {
    const [owner, other] = [await givenPerson(service), await givenPerson(service)];
    const { body } = await owner.client.call('POST', path(owner), { ...away, dateLocal: inDays(6) });
    expect((await other.client.call('DELETE', `${path(owner)}/${body[0].id}`)).status).toBe(403);
    expect((await other.client.call('DELETE', `${path(other)}/${body[0].id}`)).status).toBe(200);
    expect((await owner.client.call('GET', path(owner))).body).toHaveLength(1);
  });
});
