/** `npm run marshal -- doctor` on a PostgreSQL that a Marshal uses at the same time. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { runMarshal } from '#tests/harness/command-line.ts';
import { createTestDatabase, givenSuperuser } from '#tests/harness/database.ts';
import { givenAdmin, givenPerson } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'marshal-doctor-'));
let service: Service;
beforeAll(async () => {
  service = await startService();
  await givenAdmin(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => ({ DATABASE_URL: service.databaseUrl, DATA_DIR: folder, PORT: new URL(service.url).port });

interface Examined {
  findings: { state: string; about: string; says: string }[];
  faults: number;
}
async function examine(env: Record<string, string> = {}) {
  const { code, stdout } = await runMarshal(['doctor', '--json'], { ...settings(), PUBLIC_URL: service.url, ...env });
  const { findings } = JSON.parse(stdout) as Examined;
  return {
    code,
    findings: Object.fromEntries(findings.map(({ about, state, says }) => [about, `${state} ${says}`])),
  };
}

test('finds no fault in a Marshal that runs', async () => {
  const { code, findings } = await examine({ HOST: 'localhost' });
  expect(code).toBe(0);
  expect(findings).toMatchObject({
    Settings: 'ok All can be read.',
    Database: 'ok PostgreSQL 18 answers.',
    Clock: expect.stringMatching(/^ok /),
    Migrations: 'ok All are applied.',
    Port: `ok A Marshal answers at localhost:${new URL(service.url).port}.`,
    PUBLIC_URL: `ok A Marshal answers at ${service.url}.`,
    Bot: 'ok Off, because DISCORD_TOKEN is not set.',
    Role: 'ok It is no superuser.',
    Backups: expect.stringMatching(/^warning Marshal makes none: set BACKUP_DIR/),
  });
});

test('finds a role that may do everything, and takes the database in parts with any password', async () => {
  const password = 'ab/cd+ef=@#?% ';
  const superuser = await givenSuperuser(password);
  try {
    const { hostname, port, pathname } = new URL(service.databaseUrl);
    const parts = {
      DATABASE_URL: '',
      DATABASE_HOST: decodeURIComponent(hostname),
      DATABASE_PORT: port,
      DATABASE_NAME: pathname.slice(1),
      DATABASE_USER: superuser.name,
    };
    const { findings } = await examine({ ...parts, DATABASE_PASSWORD: password });
    expect(findings).toMatchObject({
      Database: 'ok PostgreSQL 18 answers.',
      Role: expect.stringMatching(/^warning .* is a superuser, which Marshal does not need/),
    });
    expect((await examine({ ...parts, DATABASE_PASSWORD: 'ab' })).findings['Database']).toMatch(/^fault .*password/);
  } finally {
    await superuser.drop();
  }
});

test('finds a wrong setting, a database that does not answer, and the port of another program', async () => {
  const wrong = await runMarshal(['doctor'], { ...settings(), PORT: 'high' });
  expect(wrong).toEqual({
    code: 1,
    stdout: 'FAULT    Settings: PORT must be a whole number from 0 to 65535 (it is "high").\n\nFaults: 1.\n',
    stderr: '',
  });
  const stranger = createServer((socket) => socket.end('hello\n'));
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const address = stranger.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { code, findings } = await examine({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/marshal',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
  });
  stranger.close();
  expect(code).toBe(1);
  expect(findings).toMatchObject({
    Database: 'fault The PostgreSQL at 127.0.0.1:1 does not answer: start it, or correct DATABASE_URL.',
    Port: `fault Another program uses 127.0.0.1:${port}: stop it, or set PORT to another number.`,
    PUBLIC_URL: expect.stringMatching(/^warning No Marshal answers/),
  });
});

test('finds missing migrations, unknown zones and a missing admin', async () => {
  const database = await createTestDatabase();
  const other = await startService({ beside: { databaseUrl: database.url } });
  try {
    const em = other.app.orm.em.fork();
    const pilot = await givenPerson(other);
    await query(em, sql`update app_user set time_zone = 'Mars/Olympus' where id = ${pilot.id}`);
    const before = await examine({ DATABASE_URL: database.url });
    expect(before.code).toBe(1);
    expect(before.findings['Time zones']).toMatch(/^fault .*lacks Mars\/Olympus/);
    expect(before.findings['Admins']).toMatch(/^warning There is none: make one/);
    await query(em, sql`delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)`);
    expect((await examine({ DATABASE_URL: database.url })).findings['Migrations']).toMatch(/^warning 1 is missing/);
    await query(em, sql`insert into mikro_orm_migrations (name) values ('Migration20990101000000')`);
    expect((await examine({ DATABASE_URL: database.url })).findings['Migrations']).toMatch(/^fault .*newer release/);
  } finally {
    await other.stop();
    await database.drop();
  }
});
