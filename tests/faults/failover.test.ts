/** A database that is read-only for a while (standby, demoted primary, full disk) only causes 503. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { choosePlace } from '#server/platform/postgres/embedded-place.ts';
import { type EmbeddedPostgres, startEmbedded } from '#server/platform/postgres/embedded.ts';
import { migrate } from '#server/schema/migrate.ts';
import { createLog } from '#server/platform/log.ts';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { type Answer, startService, type Service } from '#tests/harness/service.ts';

const log = createLog('silent');
const CARELESS = { fsync: 'off', full_page_writes: 'off' };
const AWAY = 'The database is not available right now. Please try again in a moment.';

let dataDir: string;
let cluster: EmbeddedPostgres;
let service: Service;
let pilot: Person;
let unmount: (() => void) | null = null;
let stop: () => Promise<void>;

async function startCluster(): Promise<void> {
  cluster = await startEmbedded({ dataDir, log, onState: () => undefined, settings: CARELESS });
}

beforeEach(async () => {
  // the unprivileged database user must pass
  dataDir = mkdtempSync(join(tmpdir(), 'marshal-failover-'));
  chmodSync(dataDir, 0o711);
  stop = async () => undefined;
});

afterEach(async () => {
  await stop();
  unmount?.();
  unmount = null;
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function serve(): Promise<void> {
  await startCluster();
  await migrate(cluster.url);
  service = await startService({ beside: { databaseUrl: cluster.url } });
  pilot = await givenPerson(service);
  stop = async () => {
    await service.stop();
    await cluster.stop();
  };
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new Client({ connectionString: cluster.superuserUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const write = (): Promise<Answer> => pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'available' });
const readiness = async () => (await fetch(`${service.url}/readyz`)).status;

async function expectRefused(): Promise<void> {
  const { status, body, headers } = await write();
  expect([status, body.message, headers.get('retry-after')]).toEqual([503, AWAY, '2']);
}

describe('a database that takes no writes', () => {
  test('as a standby: writes are 503, reads go on, and writes work right after its promotion', async () => {
    await serve();
    await cluster.stop();
    const { home } = choosePlace(dataDir, log);
    const signal = join(home, 'data', 'standby.signal');
    writeFileSync(signal, '');
    const { uid, gid } = statSync(join(home, 'data'));
    chownSync(signal, uid, gid);
    await startCluster();
    await vi.waitUntil(async () => (await pilot.client.call('GET', '/auth/me')).status === 200, { timeout: 10_000 });
    for (let turn = 0; turn < 5; turn += 1) await expectRefused();
    expect((await pilot.client.call('GET', `/users/${pilot.id}/status`)).status).toBe(200);
    expect(await readiness()).toBe(503);
    await asSuperuser('select pg_promote()');
    expect((await write()).status).toBe(200);
    expect(await readiness()).toBe(200);
  });

  test('as a demoted primary: a connection that failed a write is not used again', async () => {
    await serve();
    expect(await readiness()).toBe(200);
    // new connections stay read-only even after the setting changes, like those to a demoted server
    await asSuperuser('alter database marshal set default_transaction_read_only = on');
    await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'marshal'`);
    await vi.waitUntil(async () => (await pilot.client.call('GET', '/auth/me')).status === 200, { timeout: 10_000 });
    // several requests at once, to open several connections
    const refused = await Promise.all(Array.from({ length: 8 }, write));
    expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 503));
    await asSuperuser('alter database marshal reset default_transaction_read_only');
    const later: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) later.push((await write()).status);
    // a connection that has only read so far may not have noticed yet
    expect(later.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(later.slice(10)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});

/** A small separate disk; null if this process may not mount one. */
function mountSmallDisk(at: string, size: string): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'tmpfs', at], { stdio: 'ignore' });
  } catch {
    console.warn('Not tried here: a full disk needs root and the right to mount a tmpfs.');
    return null;
  }
  return () => execFileSync('umount', [at], { stdio: 'ignore' });
}

describe('a full disk', () => {
  test('makes the service not ready until there is space again', async () => {
    unmount = mountSmallDisk(dataDir, '160m');
    if (unmount === null) return;
    await serve();
    expect(await readiness()).toBe(200);
    const filler = join(dataDir, 'filler');
    const { bavail, bsize } = statfsSync(dataDir);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    await vi.waitFor(async () => expect(await readiness()).toBe(503), { timeout: 15_000 });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect((await pilot.client.call('GET', '/auth/me')).status).toBe(200);
    rmSync(filler);
    await vi.waitFor(async () => expect(await readiness()).toBe(200), { timeout: 15_000 });
    expect((await write()).status).toBe(200);
  });

  test('stops the first start with one sentence that names the remedy', async () => {
    unmount = mountSmallDisk(dataDir, '8m');
    if (unmount === null) return;
    await expect(startCluster()).rejects.toThrow(
      /^initdb failed \(could not .*No space left on device\): free some disk space, or set DATA_DIR to another disk\.$/,
    );
  });
});
