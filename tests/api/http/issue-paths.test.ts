/** Issues of refused inputs: each fault once, at the path of its field, also in lists. Unknown names are ignored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenAdmin, givenMission, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let pilot: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  pilot = await givenPerson(service);
});
afterAll(() => service.stop());

const NO_AIRCRAFT = 9_999;
const AIRCRAFT = 'This aircraft does not exist';
const ZONE = 'Please select a timezone';
const entry = (aircraftId: number) => ({ aircraftId, slotCount: 1, side: 0, notes: 'CAP' });
const mission = (change: Record<string, unknown>) => ({
  name: 'Op Path',
  theater: 'Kola',
  startLocal: hoursFromNow(300),
  endLocal: hoursFromNow(302),
  timeZone: 'UTC',
  aircraftSlots: [entry(2)],
  ...change,
});
const slot = (aircraftCodeId: number) => ({ weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId });
const unknownSecond = { aircraftSlots: [entry(2), entry(NO_AIRCRAFT), entry(NO_AIRCRAFT)] };
const past = { startLocal: hoursFromNow(-2), endLocal: hoursFromNow(1) };

describe('each fault is one issue, at its field', () => {
  test.each<[method: string, path: string, body: Record<string, unknown>, at: string, message: string]>([
    ['POST', '/admin/missions', mission(unknownSecond), 'aircraftSlots.1.aircraftId', AIRCRAFT],
    ['POST', '/admin/missions/dry-run', mission(unknownSecond), 'aircraftSlots.1.aircraftId', AIRCRAFT],
    [
      'POST',
      '/admin/missions/week-plan',
      { missionIds: [], request: mission(unknownSecond) },
      'request.aircraftSlots.1.aircraftId',
      AIRCRAFT,
    ],
    [
      'POST',
      '/admin/missions/week-plan',
      { missionIds: [], request: mission(past) },
      'request.startLocal',
      'The mission cannot start in the past',
    ],
    [
      'PUT',
      '/users/{pilot}/availability/week',
      { slots: [slot(0), slot(NO_AIRCRAFT)] },
      'slots.1.aircraftCodeId',
      AIRCRAFT,
    ],
    [
      'POST',
      '/users/{pilot}/availability/templates',
      { slots: [slot(2), slot(0), slot(NO_AIRCRAFT)] },
      'slots.2.aircraftCodeId',
      AIRCRAFT,
    ],
    [
      'POST',
      '/users/{pilot}/availability/overrides',
      {
        dateLocal: '2099-01-01',
        kind: 'available',
        startLocal: '10:00',
        endLocal: '12:00',
        aircraftCodeId: NO_AIRCRAFT,
      },
      'aircraftCodeId',
      AIRCRAFT,
    ],
    ['PUT', '/users/{pilot}/proficiencies/9999', { level: 'expert' }, 'aircraftId', AIRCRAFT],
    ['PUT', '/users/{pilot}', { displayName: 'Maverick', timeZone: '' }, 'timeZone', ZONE],
    ['POST', '/admin/missions', mission({ timeZone: '' }), 'timeZone', ZONE],
    ['POST', '/admin/missions', mission({ startLocal: '' }), 'startLocal', 'Start time is required'],
    ['PUT', '/users/{pilot}', { displayName: '', timeZone: 'UTC' }, 'displayName', 'Call sign is required'],
  ])('%s %s', async (method, path, body, at, message) => {
    const answer = await admin.client.call(method, path.replace('{pilot}', pilot.id), body);
    expect([answer.status, answer.body.message, answer.body.issues]).toEqual([400, message, [{ path: at, message }]]);
  });

  test('the edit of a mission', async () => {
    const times = (hours: number) => ({ startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 2) });
    const { mission: made } = await givenMission(service, admin, {
      ...times(310),
      aircraftSlots: [2, 3].map((aircraftId) => ({ aircraftId, slotCount: 1, side: 0, notes: 'CAP' })),
    });
    const path = `/admin/missions/${made.id}`;
    const edit = async (body: object) => {
      const { status, body: answer } = await admin.client.call('PUT', path, body);
      return [status, answer.code, answer.issues?.map((issue: { path: string }) => issue.path)];
    };
    const flights = (await admin.client.call('GET', path)).body.packages.flatMap(
      (one: { flights: object[] }) => one.flights,
    );
    const [first, second] = flights;
    expect(await edit({ flights: [{ id: first.id }, { id: second.id, aircraftId: NO_AIRCRAFT }] })).toEqual([
      400,
      'AIRCRAFT_NOT_FOUND',
      ['flights.1.aircraftId'],
    ]);
    expect(await edit({ addAircraftSlots: [entry(2), entry(NO_AIRCRAFT)] })).toEqual([
      400,
      'AIRCRAFT_NOT_FOUND',
      ['addAircraftSlots.1.aircraftId'],
    ]);
    const onOne = [first, second].map(({ id }) => ({ id, radioFreq: '251.000' }));
    expect(await edit({ flights: onOne })).toEqual([409, 'RADIO_IN_USE', ['flights.1.radioFreq']]);
    const alike = [first, second].map(({ id }) => ({ id, callsign: 'Reaper 7' }));
    expect(await edit({ flights: alike })).toEqual([409, 'CALLSIGN_IN_USE', ['flights.1.callsign']]);
  });
});

describe('24:00, as answers write it, can be entered as an end', () => {
  const put = async (startLocal: string, endLocal: string) =>
    (
      await pilot.client.call('PUT', `/users/${pilot.id}/availability/week`, {
        slots: [{ ...slot(0), startLocal, endLocal }],
      })
    ).body;
  const times = ({ slots }: { slots: { startLocal: string; endLocal: string }[] }) =>
    slots.map(({ startLocal, endLocal }) => `${startLocal}-${endLocal}`);

  test('of a slot', async () => expect(times(await put('18:00', '24:00'))).toEqual(['18:00-00:00']));

  test('of a slot that is the whole day, and the day is whole', async () => {
    expect(times(await put('00:00', '24:00'))).toEqual(['00:00-12:00', '12:00-00:00']);
    const { body } = await pilot.client.call('GET', `/users/${pilot.id}/availability/window?days=7`);
    const days: { slots: { startLocal: string; endLocal: string }[] }[] = body.days;
    expect(days.flatMap(times)).toEqual(['00:00-12:00', '12:00-24:00']);
  });

  test('of an exception', async () => {
    const { body } = await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, {
      dateLocal: '2099-01-01',
      untilLocal: '2099-01-02',
      kind: 'unavailable',
      startLocal: '00:00',
      endLocal: '24:00',
    });
    expect(times({ slots: body })).toEqual(['00:00-00:00', '00:00-00:00']);
  });

  test('but not as a start, nor later than that', async () => {
    expect((await put('24:00', '02:00')).issues).toMatchObject([{ path: 'slots.0.startLocal' }]);
    expect((await put('18:00', '24:01')).issues).toMatchObject([{ path: 'slots.0.endLocal' }]);
  });
});

test('unknown names in a query are ignored', async () => {
  const [plain, odd] = await Promise.all(
    ['', '&utm_source=mail&tz[]=x&__proto__=1'].map((more) =>
      admin.client.call('GET', `/admin/missions/by-date?date=2099-01-01${more}`),
    ),
  );
  expect(odd?.status).toBe(200);
  expect(odd?.body).toEqual(plain?.body);
});
