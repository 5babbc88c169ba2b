/** Backups in a folder and in object storage: retention, the list, the way back. The S3 server checks signatures. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeBackup } from '#server/backup/backups.ts';
import { backupsAmong } from '#server/backup/rules/names.ts';
import { storesOf, type Store } from '#server/backup/stores.ts';
import { readEnv } from '#server/platform/env.ts';
import { runMarshal } from '#tests/harness/command-line.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';
import { digestRows } from '#tests/harness/database-digest.ts';

const BUCKET = 'marshal';
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 10, 20, 3, 17);

const root = mkdtempSync(join(tmpdir(), 'marshal-stores-'));
const s3 = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(root, 's3'),
  configureBuckets: [{ name: BUCKET }, { name: 'other' }],
});
let storage: Record<string, string>;
let database: TestDatabase;
let folder: string;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const { port } = await s3.run();
  storage = {
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    BACKUP_S3_BUCKET: BUCKET,
    BACKUP_S3_REGION: 'us-east-1',
    BACKUP_S3_ACCESS_KEY: 'S3RVER',
    BACKUP_S3_SECRET_KEY: 'S3RVER',
  };
});

afterAll(async () => {
  await s3.close();
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

beforeEach(() => {
  count += 1;
  folder = join(root, `folder-${count}`);
  mkdirSync(folder);
});

/** One backup a day. @returns names of the files, by what was there after each */
async function makeBackups(settings: Record<string, string>, days: number, list: () => Promise<string[]>) {
  const seen: string[][] = [];
  for (let day = 0; day < days; day += 1) {
    await makeBackup(readEnv(settings), database.url, new Date(FIRST + day * DAY_MS));
    seen.push((await list()).toSorted());
  }
  return seen;
}

const namesIn = async (store: Store | null) => ((await store?.list()) ?? []).map(({ name }) => name);
const nameOn = (day: number) => `marshal-2026-11-${day}T031700Z.backup`;

test('in a folder the newest stay, and files of others', async () => {
  const others = [
    'marshal-2026-11-01T000000Z-before-restore.backup',
    'marshal-2026-11-01T000000Z.backup.txt',
    'notes.backup',
  ];
  for (const name of others) writeFileSync(join(folder, name), '');
  const settings = { BACKUP_DIR: folder, BACKUP_KEEP: '2' };
  const seen = await makeBackups(settings, 3, () => Promise.resolve(readdirSync(folder)));
  expect(seen.at(-1)).toEqual([...others, nameOn(21), nameOn(22)].toSorted());
});

test('a backup that fails deletes nothing and leaves nothing', async () => {
  writeFileSync(join(folder, nameOn(10)), '');
  const env = readEnv({ BACKUP_DIR: folder, BACKUP_KEEP: '1' });
  const empty = await createEmptyDatabase();
  await expect(makeBackup(env, empty.url, new Date(FIRST))).rejects.toThrow(/no tables of Marshal/);
  await empty.drop();
  expect(readdirSync(folder)).toEqual([nameOn(10)]);
});

test('two backups in one second have two names', async () => {
  const env = readEnv({ BACKUP_DIR: folder });
  const first = await makeBackup(env, database.url, new Date(FIRST));
  const second = await makeBackup(env, database.url, new Date(FIRST));
  expect(readdirSync(folder).toSorted()).toEqual([first.name, second.name]);
});

test('in object storage the newest stay, below the prefix, and one is restored from there', async () => {
  const settings = { DATA_DIR: folder, ...storage, BACKUP_KEEP: '2', BACKUP_S3_PREFIX: 'squadron/' };
  const { bucket } = storesOf(readEnv(settings));
  const { bucket: outside } = storesOf(readEnv({ ...settings, BACKUP_S3_PREFIX: '' }));
  writeFileSync(join(folder, 'file'), 'somebody else');
  await outside?.put(nameOn(10), join(folder, 'file'));
  const seen = await makeBackups(settings, 3, async () => namesIn(bucket));
  expect(seen.at(-1)).toEqual([nameOn(21), nameOn(22)]);
  expect(backupsAmong(await namesIn(outside))).toEqual([nameOn(10)]);
  expect(readdirSync(join(folder, 'backups'))).toEqual([]);

  const empty = await createEmptyDatabase();
  const marshal = (...args: string[]) => runMarshal(args, { ...settings, DATABASE_URL: empty.url });
  const listed = await marshal('backup', '--list', '--json');
  expect(JSON.parse(listed.stdout)).toEqual([{ place: expect.any(String), names: [nameOn(22), nameOn(21)] }]);
  expect(await marshal('restore', 'latest')).toMatchObject({ code: 0, stderr: '' });
  expect(await digestRows(empty.url)).toEqual(await digestRows(database.url));
  expect(readdirSync(join(folder, 'backups'))).toEqual([]);
  await empty.drop();
});

test('with both, a backup is in both', async () => {
  const settings = { BACKUP_DIR: folder, ...storage, BACKUP_S3_PREFIX: 'both/' };
  const made = await makeBackup(readEnv(settings), database.url, new Date(FIRST));
  expect(made.kept).toHaveLength(2);
  expect(readdirSync(folder)).toEqual([made.name]);
  expect(await storesOf(readEnv(settings)).bucket?.list()).toEqual([{ name: made.name, bytes: made.bytes }]);
});

test('a large file comes back as it was', async () => {
  const { bucket } = storesOf(readEnv({ DATA_DIR: folder, ...storage, BACKUP_S3_BUCKET: 'other' }));
  const [path, back] = [join(folder, 'large'), join(folder, 'back')];
  writeFileSync(path, randomBytes(40 * 1024 * 1024 + 1));
  await bucket?.put('large', path);
  await bucket?.get('large', back);
  const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(hash(back)).toBe(hash(path));
});

test.for([
  ['a wrong key', { BACKUP_S3_SECRET_KEY: 'wrong' }],
  ['a missing bucket', { BACKUP_S3_BUCKET: 'nobodys' }],
  ['no server', { BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9' }],
] as const)('%s is one sentence, and the local file goes', async ([, change]) => {
  const settings = { DATA_DIR: folder, ...storage, ...change, DATABASE_URL: database.url };
  const { code, stdout, stderr } = await runMarshal(['backup'], settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The object storage at http:.* refuses or does not answer \(.*\): check BACKUP_S3_\*\.\n$/);
  expect(stderr).not.toContain('wrong\n');
  expect(readdirSync(join(folder, 'backups'))).toEqual([]);
});
