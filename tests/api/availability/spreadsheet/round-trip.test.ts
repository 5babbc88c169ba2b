/** A file that Marshal exports brings the same pilots into an empty Marshal, byte for byte. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { PILOT_COLUMN_KEYS } from '#shared/pilot-sheet.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { readCsv } from '#tests/harness/csv.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let full: Service;
let empty: Service;
let admins: Record<'full' | 'empty', Person>;

beforeAll(async () => {
  [full, empty] = await Promise.all([startService(), startService()]);
  admins = { full: await givenAdmin(full), empty: await givenAdmin(empty) };
  // the one account that both have
  for (const service of [full, empty]) {
    await query(
      service.app.orm.em.fork(),
      sql`update app_user set email = 'ops@squadron.example', email_key = 'ops@squadron.example'`,
    );
  }
});
afterAll(() => Promise.all([full.stop(), empty.stop()]));

/** The file as a program loads it, in UTF-8. */
async function exportFile(service: Service, admin: Person): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/admin/users/export?sort=displayName`, {
    headers: { accept: 'text/csv', cookie: admin.client.cookie() },
  });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  return response.text();
}

async function importFile(admin: Person, text: string): Promise<{ created: number; updated: number }> {
  const { body } = await admin.client.call('POST', '/admin/users/import/preview', { text });
  expect(body.rows.filter(({ state }: { state: string }) => state === 'bad')).toEqual([]);
  const rows = body.rows.filter(({ state }: { state: string }) => state !== 'unchanged');
  if (rows.length === 0) return { created: 0, updated: 0 };
  const { body: done } = await admin.client.call('POST', '/admin/users/import', {
    importId: newId(),
    rows: rows.map(({ row, cells, digest }: Record<string, unknown>) => ({ row, cells, digest })),
  });
  return { created: done.created.length, updated: done.updated };
}

/** Call signs that a spreadsheet, a CSV reader or an unescape might stumble over. */
const NAMES = [
  '=1+1',
  "'=1+1",
  "'quoted'",
  '-Dash',
  '@at',
  'Comma, "Quote"',
  'semi;colon',
  'Ångström',
  '"',
  'Zulu',
  'Zulu',
];
const WEEKS = [
  [[1, '19:00', '22:00', 0]],
  [[0, '00:00', '24:00', 0]],
  [
    [6, '20:00', '01:00', 4],
    [6, '10:00', '12:00', 0],
    [0, '18:00', '20:00', 35],
  ],
  [[3, '00:00', '00:01', 2]],
] as const;

test('export, import into an empty Marshal, export: the same file', async () => {
  for (const [index, displayName] of NAMES.entries()) {
    const zones = ['Europe/Berlin', 'US/Eastern', 'Asia/Kolkata', 'UTC'];
    const pilot = await givenPerson(full, { displayName, timeZone: zones[index % 4] ?? 'UTC' });
    const client = pilot.client;
    await client.call('PUT', `/users/${pilot.id}/availability/week`, {
      slots: (WEEKS[index % 5] ?? []).map(([weekday, startLocal, endLocal, aircraftCodeId]) => ({
        weekday,
        startLocal,
        endLocal,
        aircraftCodeId,
        notes: null,
      })),
    });
    for (let aircraftId = index + 1; aircraftId <= 35; aircraftId += 4) {
      const level = PROFICIENCY_LEVELS[aircraftId % 4];
      await client.call('PUT', `/users/${pilot.id}/proficiencies/${aircraftId}`, { level });
    }
  }
  const register = createClient(full);
  const password = 'seven green kneeboards';
  await register.call('POST', '/auth/register', { email: 'New@squadron.example', password, confirmPassword: password });
  await importFile(admins.full, 'Call sign,Discord id,Aircraft\nFrom Discord,700800900100200300,Hornet');
  const suspended = await givenPerson(full, { displayName: 'Gone' });
  await admins.full.client.call('DELETE', `/admin/users/${suspended.id}/roles/user`);

  const file = await exportFile(full, admins.full);
  expect(file.split('\r\n')).toHaveLength(NAMES.length + 5);
  expect(file).toContain("'=1+1");
  expect(file).not.toContain('Gone');
  const [, ...lines] = readCsv(file);
  const isFilled = (index: number) => lines.some((cells) => (cells[index] ?? '') !== '');
  expect(
    PILOT_COLUMN_KEYS.filter((_, index) => !isFilled(index)),
    'no pilot of this test has them',
  ).toEqual([]);
  expect(await importFile(admins.full, file), 'here all of it is in place').toEqual({ created: 0, updated: 0 });
  expect(await importFile(admins.empty, file)).toEqual({ created: NAMES.length + 2, updated: 0 });
  expect(await exportFile(empty, admins.empty)).toBe(file);
});
