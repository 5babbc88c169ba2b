/** Backups that somebody has made by hand: refused with one sentence, in bounded memory, and the database stays as it was. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { pack, type Headers } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArchive, DamagedError, readArchive, type Manifest } from '#server/backup/archive.ts';
import { backUp } from '#server/backup/back-up.ts';
import { restore } from '#server/backup/restore.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';
import { digestRows, withSql } from '#tests/harness/database-digest.ts';

const folder = mkdtempSync(join(tmpdir(), 'marshal-forged-'));
const whole = join(folder, 'whole.backup');
const file = join(folder, 'forged.backup');
let database: TestDatabase;
let manifest: Manifest;
const parts = new Map<string, Buffer>();

beforeAll(async () => {
  database = await createTestDatabase();
  await withSql(database.url, (ask) =>
    ask(`insert into app_user (id, email, email_key, roles, created_at, updated_at)
      select gen_random_uuid(), n || '@example.org', n || '@example.org', '{user}', now(), now() from generate_series(1, 20) n`),
  );
  await backUp(database.url, whole, '0.1.0');
  manifest = await readArchive(whole, {
    begin: (name) =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          parts.set(name, Buffer.concat([parts.get(name) ?? Buffer.alloc(0), chunk]));
          done();
        },
      }),
    end: () => Promise.resolve(),
  });
});

afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the backup anew, with checksums that fit. @param rows by part, in place of the right ones */
async function forge(change: (manifest: Manifest) => Manifest, rows: Record<string, string> = {}): Promise<void> {
  rmSync(file, { force: true });
  const archive = await createArchive(file);
  const forged = change(structuredClone(manifest));
  for (const [name, right] of parts) {
    const text = rows[name] === undefined ? right : Buffer.from(rows[name]);
    const sum = await archive.add(name, Readable.from([text]));
    const part = name === 'jobs' ? forged.jobs : forged.tables.find((table) => `tables/${table.name}` === name);
    if (part) Object.assign(part, sum);
  }
  await archive.finish(forged);
}

const restoreFile = async () => restore(database.url, file, await readArchive(file));

const MIGRATIONS = 'tables/mikro_orm_migrations';

test('the same backup, written by hand, is restored', async () => {
  await forge((made) => made);
  expect(await restoreFile()).toMatchObject({ skipped: [], migrated: [] });
});

interface Forgery {
  what: string;
  change?: (manifest: Manifest) => Manifest;
  /** by part, in place of the right ones */
  rows?: () => Record<string, string>;
  sentence: RegExp;
}

const eachTable =
  (change: (table: Manifest['tables'][number]) => Partial<Manifest['tables'][number]>) => (made: Manifest) => ({
    ...made,
    tables: made.tables.map((table) => ({ ...table, ...change(table) })),
  });
const MISFIT = /forged\.backup does not fit Marshal's tables \(.+\): nothing was changed\. Use another one\.$/;
const OTHER_MIGRATIONS = /The backup names other migrations than its rows: nothing was changed\. Use another one\.$/;

const FORGERIES: Forgery[] = [
  { what: 'without migrations', change: (made) => ({ ...made, migrations: [] }), sentence: OTHER_MIGRATIONS },
  {
    what: 'with rows that name a later migration',
    change: eachTable(({ name, rows }) => (name.startsWith('mikro') ? { rows: rows + 1 } : {})),
    rows: () => ({
      [MIGRATIONS]: `${String(parts.get(MIGRATIONS))}9999\tMigration20990101000000\t2026-11-27 00:00:00+00\n`,
    }),
    sentence: OTHER_MIGRATIONS,
  },
  {
    what: 'with a migration left out',
    change: (made) => ({ ...made, migrations: made.migrations.slice(0, -1) }),
    sentence: OTHER_MIGRATIONS,
  },
  {
    what: 'with SQL as a column',
    change: eachTable(({ columns }) => ({ columns: [...columns, 'x") from program $$id$$ --'] })),
    sentence: MISFIT,
  },
  { what: 'with tables without columns', change: eachTable(() => ({ columns: [] })), sentence: MISFIT },
  {
    what: 'with SQL as the value of a sequence',
    change: (made) => ({
      ...made,
      sequences: made.sequences.map((one) => ({ ...one, value: '1); drop table seat; --' })),
    }),
    sentence: MISFIT,
  },
  {
    what: 'with a command of psql as a row',
    rows: () => ({ 'tables/app_user': '\\! touch /tmp/marshal-forged\n' }),
    sentence: MISFIT,
  },
  {
    what: 'with an end of the data before the rows',
    rows: () => ({ 'tables/app_user': `\\.\n${String(parts.get('tables/app_user'))}` }),
    sentence: /: nothing was changed\./,
  },
];

test.for(FORGERIES)('$what is refused, and the database stays as it was', async ({ change, rows, sentence }) => {
  const before = await digestRows(database.url);
  await forge(change ?? ((made) => made), rows?.());
  const refusal: unknown = await restoreFile().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DamagedError);
  expect(String(refusal)).toMatch(sentence);
  expect(await digestRows(database.url)).toEqual(before);
});

/** Writes an archive of one entry. */
async function writeEntry(headers: Headers, body?: Buffer): Promise<void> {
  const tar = pack();
  if (body === undefined) tar.entry(headers);
  else tar.entry(headers, body);
  tar.finalize();
  writeFileSync(file, zstdCompressSync(Buffer.concat(await Array.fromAsync(Readable.from(tar)))));
}

test.each<[string, Headers, Buffer | undefined, RegExp]>([
  ['outside of the folder', { name: '../../etc/marshal' }, Buffer.from('x'), /has something that no backup has \(\.\./],
  [
    'that is a link',
    { name: 'tables/seat/000001.copy', type: 'symlink', linkname: '/etc/passwd' },
    undefined,
    /breaks off/,
  ],
  [
    'that never ends',
    { name: 'manifest.json' },
    Buffer.alloc(64 * 1024 * 1024, ' '),
    /manifest that is too long to be one/,
  ],
])('an entry %s is refused', async (_what, headers, body, sentence) => {
  await writeEntry(headers, body);
  await expect(readArchive(file)).rejects.toThrow(sentence);
});
