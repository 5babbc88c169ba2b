/** Damaged, cut and foreign files: one sentence each, exit code 1, and a database as it was. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createArchive, DamagedError, readArchive, type Manifest } from '#server/backup/archive.ts';
import { backUp } from '#server/backup/back-up.ts';
import { runMarshal } from '#tests/harness/command-line.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';
import { digestRows, tablesOf, withSql } from '#tests/harness/database-digest.ts';

const folder = mkdtempSync(join(tmpdir(), 'marshal-damage-'));
const whole = join(folder, 'whole.backup');
const file = join(folder, 'file.backup');
/** Bytes to change: all over the file. */
const PLACES = 40;
let database: TestDatabase;
let manifest: Manifest;

beforeAll(async () => {
  database = await createTestDatabase();
  await withSql(database.url, (ask) =>
    ask(`insert into app_user (id, email, email_key, roles, created_at, updated_at)
      select gen_random_uuid(), n || '@example.org', n || '@example.org', '{user}', now(), now() from generate_series(1, 2000) n`),
  );
  manifest = await backUp(database.url, whole, '0.1.0');
});

afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const check = () => runMarshal(['backup', '--check', file], { DATA_DIR: folder });

/** Writes an archive by hand. @param rows of app_user */
async function write(rows: string, change: (manifest: Manifest) => unknown): Promise<void> {
  rmSync(file, { force: true });
  const archive = await createArchive(file);
  const sum = await archive.add('tables/app_user', Readable.from([Buffer.from(rows)]));
  const table = { name: 'app_user', columns: ['id'], rows: 1, ...sum };
  await archive.finish(change({ ...manifest, tables: [table], jobs: { ...manifest.jobs } }) as Manifest);
}

test('the whole file is whole', async () => {
  copyFileSync(whole, file);
  expect(await check()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The backup is whole: 2,\d{3} rows of /),
  });
});

test('a file that ends early is damaged, wherever it ends', async () => {
  const { length } = readFileSync(whole);
  for (const size of [0, 1, 10, length / 2, length - 1_000, length - 4, length - 1]) {
    copyFileSync(whole, file);
    truncateSync(file, Math.floor(size));
    await expect(readArchive(file), `${size} bytes`).rejects.toThrow(DamagedError);
  }
  const { code, stdout, stderr } = await check();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(`${file} is damaged or not a backup of Marshal: use another one.\n`);
});

test('a changed byte is found, wherever it is', async () => {
  const bytes = readFileSync(whole);
  const unnoticed: number[] = [];
  for (let place = 0; place < PLACES; place += 1) {
    const at = Math.floor(((bytes.length - 1) * place) / (PLACES - 1));
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x40;
    writeFileSync(file, changed);
    const read = await readArchive(file).catch((error: unknown) => error);
    if (read instanceof DamagedError) continue;
    // zstd can write the same in several ways
    expect(zstdDecompressSync(changed).equals(zstdDecompressSync(bytes)), `byte ${at}`).toBe(true);
    unnoticed.push(at);
  }
  expect(unnoticed.length).toBeLessThan(PLACES / 10);
});

describe('an archive that was changed by somebody who can write one', () => {
  test('is read if nothing is wrong', async () => {
    await write('row\n', (made) => made);
    expect((await readArchive(file)).tables).toHaveLength(1);
  });

  test.for([
    [
      'a table with other rows',
      (made: Manifest) => ({ ...made, tables: made.tables.map((one) => ({ ...one, sha256: 'x' })) }),
      /is damaged: it has other rows/,
    ],
    [
      'a missing table',
      (made: Manifest) => ({ ...made, tables: [...made.tables, { ...made.tables[0], name: 'seat' }] }),
      /is damaged: it lacks the table seat/,
    ],
    ['missing jobs', (made: Manifest) => ({ ...made, jobs: { ...made.jobs, bytes: 5 } }), /is damaged: it lacks jobs/],
    [
      'a table that is not named',
      (made: Manifest) => ({ ...made, tables: [] }),
      /its manifest does not name tables\/app_user/,
    ],
    ['a newer format', (made: Manifest) => ({ ...made, format: 2 }), /was written by a newer release of Marshal/],
    ['a manifest without its list', () => ({ format: 1 }), /has a manifest that cannot be read/],
  ] as const)('%s is refused', async ([, change, sentence]) => {
    await write('row\n', change);
    await expect(readArchive(file)).rejects.toThrow(sentence);
  });
});

test.for([
  ['a missing file', 'nowhere.backup', /^There is no backup nowhere\.backup, also not in .*\.\n$/],
  ['a folder', '.', /is a folder, not a backup\.\n$/],
  ['another file', 'package.json', /is damaged or not a backup of Marshal: use another one\.\n$/],
] as const)('%s is one sentence', async ([, name, sentence]) => {
  const { code, stderr } = await runMarshal(['backup', '--check', name], { DATA_DIR: folder });
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
});

describe('a restore refuses', () => {
  const restore = (url: string, ...args: string[]) =>
    runMarshal(['restore', ...args], { DATA_DIR: folder, DATABASE_URL: url });

  async function refused(url: string, sentence: RegExp, ...args: string[]): Promise<void> {
    const state = async () => ((await tablesOf(url)).length > 0 ? digestRows(url) : {});
    const before = await state();
    const { code, stdout, stderr } = await restore(url, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(await state()).toEqual(before);
  }

  test('a damaged file', async () => {
    copyFileSync(whole, file);
    truncateSync(file, 5_000);
    const empty = await createEmptyDatabase();
    await refused(empty.url, /is damaged/, file);
    await empty.drop();
  });

  test('a backup of a newer release', async () => {
    await write('row\n', (made) => ({ ...made, migrations: [...made.migrations, 'Migration20990101000000'] }));
    await refused(
      database.url,
      /newer release of Marshal \(0\.1\.0, with Migration20990101000000\)/,
      file,
      '--replace',
      '--yes',
    );
  });

  test('rows that do not fit the schema', async () => {
    await write('row\n', (made) => made);
    await refused(database.url, /uuid/, file, '--replace', '--yes');
  });

  test('existing accounts without --replace, and without the answer yes', async () => {
    await refused(database.url, /^This database has accounts: add --replace/, whole);
    await refused(database.url, /Type yes: Nothing was changed/, whole, '--replace');
  });

  test('a database that others use', async () => {
    await withSql(database.url, () =>
      refused(database.url, /is connected to this database: stop it first/, whole, '--replace', '--yes'),
    );
  });

  test('a database with tables of others', async () => {
    await withSql(database.url, (ask) => ask('create table diary (line text)'));
    await refused(database.url, /tables that are not Marshal's \(diary\)/, whole, '--replace', '--yes');
    await withSql(database.url, (ask) => ask('drop table diary'));
  });
});
