/** Backups as admins see them, and the one that they ask for. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { nameOf } from '#server/backup/rules/names.ts';
import type { BackupsDto } from '#shared/schemas/backups.ts';
import { withSql } from '#tests/harness/database-digest.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const HOUR_MS = 3_600_000;
const root = mkdtempSync(join(tmpdir(), 'marshal-backups-'));
const folder = join(root, 'kept');
mkdirSync(folder);
let service: Service;
let admin: Person;

const NONE = { state: 'none', error: null, retryAt: null };
const WAITING = { state: 'waiting', error: null, retryAt: null };
const list = async (person: Person): Promise<BackupsDto> => (await person.client.call('GET', '/admin/backups')).body;
const start = (person: Person) => person.client.call('POST', '/admin/backups');

/** A Marshal with these settings, and its admin. */
async function withService(
  options: Parameters<typeof startService>[0],
  work: (service: Service, admin: Person) => Promise<void>,
): Promise<void> {
  const one = await startService(options);
  try {
    await work(one, await givenAdmin(one));
  } finally {
    await one.stop();
  }
}

beforeAll(async () => {
  service = await startService({ env: { BACKUP_DIR: folder } });
  admin = await givenAdmin(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

test('the newest are listed first, with their sizes; one that is too old is late', async () => {
  expect(await list(admin)).toMatchObject({
    keep: 14,
    isLate: true,
    run: NONE,
    places: [{ place: folder, problem: null, backups: [] }],
  });
  const now = Math.floor(Date.now() / 1000) * 1000;
  const [old, new_] = [new Date(now - 31 * HOUR_MS), new Date(now - HOUR_MS)];
  writeFileSync(join(folder, nameOf(old)), 'old');
  writeFileSync(join(folder, 'notes.txt'), 'not ours');
  expect(await list(admin)).toMatchObject({ isLate: true });
  writeFileSync(join(folder, nameOf(new_)), 'newer');
  const listed = await list(admin);
  expect(listed.isLate).toBe(false);
  expect(listed.places[0]?.backups).toEqual([
    { name: nameOf(new_), madeAt: new_.toISOString(), bytes: 5 },
    { name: nameOf(old), madeAt: old.toISOString(), bytes: 3 },
  ]);
  expect(listed.nextAt).toMatch(/T03:17:00\.000Z$/);
  expect(Date.parse(String(listed.nextAt)) - Date.now()).toBeLessThanOrEqual(24 * HOUR_MS);
});

test('pilots and visitors see none and start none, and a token starts none', async () => {
  const pilot = await givenPerson(service);
  const expiresAt = new Date(Date.now() + 24 * HOUR_MS).toISOString();
  const token = { name: 'Watcher', scopes: ['admin'], expiresAt };
  const made = await admin.client.call('POST', `/users/${admin.id}/tokens`, token);
  const withToken = (method: string) =>
    fetch(`${service.url}/api/v1/admin/backups`, { method, headers: { authorization: `Bearer ${made.body.token}` } });
  for (const method of ['GET', 'POST']) {
    expect((await pilot.client.call(method, '/admin/backups')).body.code).toBe('ADMINS_ONLY');
    expect((await createClient(service).call(method, '/admin/backups')).body.code).toBe('NOT_AUTHENTICATED');
  }
  expect((await withToken('GET')).status).toBe(200);
  expect(await (await withToken('POST')).json()).toMatchObject({ code: 'SESSION_REQUIRED' });
});

test('one at a time: a second request is refused while the first waits, and while a backup is being made', async () => {
  await withSql(service.databaseUrl, async (ask) => {
    await ask('select pg_advisory_lock(7311931)');
    expect((await list(admin)).run.state).toBe('running');
    expect(await start(admin)).toMatchObject({ status: 409, body: { code: 'BACKUP_UNDER_WAY' } });
  });
  const answers = await Promise.all([start(admin), start(admin), start(admin)]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
  expect((await list(admin)).run).toEqual(WAITING);
  const jobs = await withSql(service.databaseUrl, (ask) =>
    ask(`select count(*)::int as count from graphile_worker.jobs where task_identifier = 'back_up'`),
  );
  expect(jobs).toEqual([{ count: 1 }]);
});

test('the worker makes it, the list has it, and the audit log has who asked', async () => {
  const place = join(root, 'made');
  await withService({ env: { BACKUP_DIR: place }, withJobs: true }, async (_service, boss) => {
    expect(await start(boss)).toMatchObject({ status: 200, body: WAITING });
    await vi.waitUntil(async () => (await list(boss)).places[0]?.backups.length === 1, WAIT);
    await vi.waitUntil(async () => (await list(boss)).run.state === 'none', WAIT);
    const listed = await list(boss);
    const [name = ''] = readdirSync(place);
    expect(listed.isLate).toBe(false);
    expect(listed.places[0]?.backups).toEqual([
      { name, madeAt: expect.any(String), bytes: statSync(join(place, name)).size },
    ]);
    const { body } = await boss.client.call('GET', '/admin/audit?action=backup_requested');
    expect(body.entries).toMatchObject([{ actor: { id: boss.id }, summary: 'Started a backup' }]);
  });
});

test('a failure is told with its reason, and may be tried again at once', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  await withService({ env: { BACKUP_DIR: file }, withJobs: true }, async (_service, boss) => {
    const reason = `The folder ${file} cannot be`;
    await start(boss);
    await vi.waitUntil(async () => (await list(boss)).run.state === 'failed', WAIT);
    const { run, places } = await list(boss);
    expect(run).toEqual({ state: 'failed', error: expect.stringContaining(reason), retryAt: expect.any(String) });
    expect(places).toEqual([{ place: file, problem: expect.stringContaining(reason), backups: [] }]);
    rmSync(file);
    expect((await start(boss)).status).toBe(200);
    await vi.waitUntil(async () => (await list(boss)).places[0]?.backups.length === 1, WAIT);
  });
});

test('without a place for backups there is nothing to start', async () => {
  await withService({ env: { DATA_DIR: root } }, async (_service, boss) => {
    expect(await list(boss)).toMatchObject({ nextAt: null, isLate: true });
    expect(await start(boss)).toMatchObject({ status: 409, body: { code: 'BACKUPS_OFF' } });
  });
});
