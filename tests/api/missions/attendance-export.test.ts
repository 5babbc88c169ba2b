/** The attendance export: which seats it has, as JSON and as CSV. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { readCsv } from '#tests/harness/csv.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { orderOf, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

let aircraftId = 1;
/** A mission that ran on this day, with its only pilot's order, accepted. */
async function givenFlown(day: string, displayName: string, name = 'Op Export') {
  aircraftId += 1;
  const pilot = await givenPerson(service, { displayName });
  await givenAlwaysFree(service, pilot.id, aircraftId);
  const { mission } = await givenMission(service, admin, {
    name,
    startLocal: hoursFromNow(100 + 10 * aircraftId),
    endLocal: hoursFromNow(102 + 10 * aircraftId),
    aircraftSlots: [{ aircraftId, slotCount: 2, side: 1, notes: 'Strike' }],
  });
  const order = await orderOf(pilot);
  await respond(pilot, order, 'Accepted');
  for (const [table, key] of [
    ['mission', 'id'],
    ['seat', 'mission_id'],
  ] as const) {
    await query(
      service.app.orm.em.fork(),
      sql`update ${sql.raw(table)} set starts_at = ${`${day}T19:00:00Z`}, ends_at = ${`${day}T21:00:00Z`}
          where ${sql.raw(key)} = ${mission.id}`,
    );
  }
  return { pilot, missionId: mission.id, orderId: order.id };
}

const exportOf = (search: string, accept?: string) =>
  fetch(`${service.url}/api/v1/admin/attendance?${search}`, {
    headers: { cookie: admin.client.cookie(), ...(accept === undefined ? {} : { accept }) },
  });

test('has the seats that were held in missions that are over, with what an admin recorded', async () => {
  const marked = await givenFlown('2024-05-02', 'Viper');
  const unmarked = await givenFlown('2024-05-31', 'Cobra');
  const cancelled = await givenFlown('2024-05-05', 'Adder');
  const declined = await givenFlown('2024-05-06', 'Mamba');
  await givenFlown('2024-06-01', 'Boa');
  const em = service.app.orm.em.fork();
  await query(em, sql`update mission set status = 'cancelled' where id = ${cancelled.missionId}`);
  await query(em, sql`delete from seat where order_id = ${declined.orderId}`);
  await query(em, sql`update frag_order set rsvp = 'declined' where id = ${declined.orderId}`);
  const path = `/admin/missions/${marked.missionId}/attendance`;
  const attendance = [{ orderId: marked.orderId, attendance: 'no_show' }];
  expect((await admin.client.call('PUT', path, { attendance })).status).toBe(200);

  const { body } = await admin.client.call('GET', '/admin/attendance?from=2024-05-01&to=2024-05-31&tz=Europe/Berlin');
  expect(body).toMatchObject([
    {
      missionId: marked.missionId,
      missionName: 'Op Export',
      theater: 'Syria',
      startUtc: '2024-05-02T19:00:00.000Z',
      startLocal: '2024-05-02T21:00',
      timeZone: 'Europe/Berlin',
      role: 'Strike',
      side: 1,
      seatIndex: 0,
      orderId: marked.orderId,
      userId: marked.pilot.id,
      userDisplayName: 'Viper',
      attendance: 'no_show',
    },
    { missionId: unmarked.missionId, userDisplayName: 'Cobra', attendance: null },
  ]);
});

test('as CSV it has the same values under the same names', async () => {
  const response = await exportOf('from=2024-05-01&to=2024-05-31', 'text/csv');
  expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    'Accept',
  ]);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="attendance.csv"');
  const text = await response.text();
  // every line ends with CRLF, as RFC 4180 has it
  expect(text.split('\r\n').length).toBe(4);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const [head = [], ...lines] = readCsv(text).slice(0, -1);
  const { body } = await admin.client.call('GET', '/admin/attendance?from=2024-05-01&to=2024-05-31');
  expect(lines).toHaveLength(2);
  expect(lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index]])))).toEqual(
    body.map((row: Record<string, string | number | null>) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)])),
    ),
  );
});

test('names that a spreadsheet would read as formulas, quotes and line breaks are harmless in it', async () => {
  await givenFlown('2024-07-01', '=HYPERLINK("https://evil.example","x")', 'A, "quoted" name');
  await givenFlown('2024-07-02', '＝1+1', '@SUM(A1)');
  const text = await (await exportOf('from=2024-07-01&to=2024-07-02', 'text/csv')).text();
  const [head = [], ...lines] = readCsv(text).slice(0, -1);
  const column = (name: string) => lines.map((line) => line[head.indexOf(name)]);
  expect(column('missionName')).toEqual(['A, "quoted" name', "'@SUM(A1)"]);
  expect(column('userDisplayName')).toEqual([`'=HYPERLINK("https://evil.example","x")`, "'＝1+1"]);
});

test.each([
  [undefined, 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['text/html', 'application/json; charset=utf-8'],
  ['application/json, text/csv;q=0.5', 'application/json; charset=utf-8'],
  ['text/csv, application/json;q=0.5', 'text/csv; charset=utf-8; header=present'],
])('Accept: %s gets %s', async (accept, type) => {
  const response = await exportOf('from=2024-05-01&to=2024-05-31', accept);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
});

test('a refusal is JSON for everybody, and the dates are required', async () => {
  const response = await exportOf('from=2024-05-01&to=2024-04-30', 'text/csv');
  expect([response.status, await response.json()]).toMatchObject([400, { code: 'VALIDATION' }]);
  const { body } = await admin.client.call('GET', '/admin/attendance?from=2024-05-01');
  expect(body.issues).toEqual([{ path: 'to', message: 'Please enter a date as YYYY-MM-DD' }]);
});
