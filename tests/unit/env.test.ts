import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnv, isSecureOrigin, readEnv } from '#server/platform/env.ts';
import { SECRETS } from '#server/platform/given-settings.ts';
import { createLog } from '#server/platform/log.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);

describe('the settings', () => {
  const checked = [...new Set(namesIn(read('server/platform/env.ts'), /^ {4}([A-Z_]+): /gm))];
  const offered = namesIn(read('.env.example'), /^#?([A-Z_]+)=/gm);
  const documented = namesIn(read('docker/README.md'), /^\| `([A-Z_]+)`/gm);
  /** files that list every setting without using it */
  const lists = ['server/platform/env.ts', 'server/platform/given-settings.ts', 'server/cli/generated-docs.ts'];
  const code = globSync('{server,bot}/**/*.{ts,js}', { cwd: ROOT, exclude: lists }).map(read).join('\n');
  /** settings that only env.ts uses */
  const checks = new Set(['ALLOW_INSECURE_HTTP']);
  const isRead = (name: string): boolean => checks.has(name) || new RegExp(`\\b${name}\\b`).test(code);

  test('are all in .env.example, validated, and read', () => {
    expect(checked.length).toBeGreaterThan(15);
    expect([...checked, ...offered].filter((name) => !isRead(name))).toEqual([]);
    expect(offered.filter((name) => !checked.includes(name))).toEqual([]);
  });

  test('are documented and in .env.example, except NODE_ENV, which programs set', () => {
    const settings = checked.filter((name) => name !== 'NODE_ENV').toSorted();
    expect(documented.toSorted()).toEqual(settings);
    expect(offered.toSorted()).toEqual(settings);
  });

  test('an unread setting is found', () => expect(isRead('TRACES_TOKEN')).toBe(false));
});

describe('a setting that is not set', () => {
  test('has the documented default', () => {
    expect(readEnv({})).toEqual({
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
      ALLOW_INSECURE_HTTP: false,
      TRUST_PROXY: false,
      DATA_DIR: resolve('.data'),
      SAMPLE_COMMUNITY: true,
      AUTH_ATTEMPTS_PER_MINUTE: 10,
      WRITES_PER_MINUTE: 120,
      BACKGROUND_JOBS: true,
      DISCORD_API_URL: 'https://discord.com/api',
      DEV_TOKENS: false,
      PUSH_EXTRA_ORIGINS: [],
      REQUIRE_ADMIN_2FA: false,
      WEBHOOKS_ALLOW_PRIVATE: false,
      CALENDARS_ALLOW_PRIVATE: false,
      CORS_ORIGINS: [],
      BACKUP_KEEP: 14,
      BACKUP_S3_REGION: 'us-east-1',
      BACKUP_S3_PREFIX: '',
      LOG_LEVEL: 'info',
    });
  });

  test('is the same as an empty one', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '', DATA_DIR: ' ' })).toEqual(readEnv({}));
  });

  test.each([
    ['the public address follows the port', { PORT: '8080' }, { PUBLIC_URL: 'http://localhost:8080' }],
    ['a database of one’s own gets no sample', { DATABASE_URL: 'postgres://a/b' }, { SAMPLE_COMMUNITY: false }],
    ['unless it is asked for', { DATABASE_URL: 'postgres://a/b', SAMPLE_COMMUNITY: 'on' }, { SAMPLE_COMMUNITY: true }],
  ])('%s', (_rule, given, expected) => expect(readEnv(given)).toMatchObject(expected));
});

test.each([
  ['on', true],
  ['1', true],
  ['TRUE', true],
  ['yes', true],
  ['off', false],
  ['0', false],
  ['false', false],
  ['No', false],
])('a switch reads %s as %s', (text, value) => expect(readEnv({ DEV_TOKENS: text }).DEV_TOKENS).toBe(value));

test.each([
  ['off', false],
  ['1', 1],
  ['0', 0],
  ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ['fd00::/8,10.0.0.0/255.0.0.0,::1', 'fd00::/8,10.0.0.0/255.0.0.0,::1'],
])('TRUST_PROXY reads %s as %j', (text, value) => expect(readEnv({ TRUST_PROXY: text }).TRUST_PROXY).toBe(value));

test.each([
  ['https://marshal.example/', 'https://marshal.example'],
  ['HTTPS://Marshal.Example:443', 'https://marshal.example'],
  ['http://localhost:3001', 'http://localhost:3001'],
])('the public address %s becomes the origin that browsers send: %s', (given, origin) => {
  expect(readEnv({ PUBLIC_URL: given }).PUBLIC_URL).toBe(origin);
});

test('spaces and line ends around a value are not part of it, except in a password', () => {
  const given = { HOST: '0.0.0.0 ', PORT: ' 4000', BACKUP_DIR: '/srv/backups\r', METRICS_TOKEN: 'sixteen-letters!\n' };
  expect(readEnv(given)).toMatchObject({
    HOST: '0.0.0.0',
    PORT: 4000,
    BACKUP_DIR: '/srv/backups',
    METRICS_TOKEN: 'sixteen-letters!',
  });
  const ADMIN_PASSWORD = ' long enough ';
  expect(readEnv({ ADMIN_EMAIL: 'co@a.example', ADMIN_PASSWORD })).toMatchObject({ ADMIN_PASSWORD });
});

describe('a wrong value stops the start with one sentence that begins with the variable', () => {
  test.each<[name: string, given: Record<string, string>, message: string | RegExp]>([
    ['PORT', { PORT: 'http' }, 'PORT must be a whole number from 0 to 65535 (it is "http").'],
    ['PORT', { PORT: '65536' }, 'PORT must be a whole number from 0 to 65535 (it is "65536").'],
    ['PORT', { PORT: '-1' }, 'PORT must be a whole number from 0 to 65535 (it is "-1").'],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of trace, .* \(it is "loud"\)\.$/],
    ['DEV_TOKENS', { DEV_TOKENS: 'maybe' }, 'DEV_TOKENS must be on or off (it is "maybe").'],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:pw@db/x' }, /^DATABASE_URL must be a PostgreSQL address such as/],
    ['PUBLIC_URL', { PUBLIC_URL: 'marshal.example' }, /^PUBLIC_URL must be an address such as/],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://marshal.example' }, /^PUBLIC_URL must be an address such as/],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://a.example/app' }, /^PUBLIC_URL must be a bare origin/],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://marshal.example' }, /^PUBLIC_URL must be https or a loopback address/],
    [
      'BACKUP_S3_SECRET_KEY',
      { BACKUP_S3_ENDPOINT: 'https://s3.example', BACKUP_S3_BUCKET: 'marshal', BACKUP_S3_ACCESS_KEY: 'key' },
      'BACKUP_S3_SECRET_KEY must be set together with the other settings of BACKUP_S3.',
    ],
    ['ADMIN_PASSWORD', { ADMIN_EMAIL: 'co@a.example' }, 'ADMIN_PASSWORD must be set together with ADMIN_EMAIL.'],
    ['ADMIN_EMAIL', { ADMIN_PASSWORD: 'long enough' }, 'ADMIN_EMAIL must be set together with ADMIN_PASSWORD.'],
    [
      'ADMIN_PASSWORD',
      { ADMIN_EMAIL: 'co@a.example', ADMIN_PASSWORD: 'short' },
      'ADMIN_PASSWORD must have at least 8 characters.',
    ],
    [
      'ADMIN_PASSWORD',
      { ADMIN_EMAIL: 'co@a.example', ADMIN_PASSWORD: '🛩️🛫🛬🚀' },
      'ADMIN_PASSWORD must have at least 8 characters.',
    ],
    [
      'ADMIN_PASSWORD',
      { ADMIN_EMAIL: 'co@a.example', ADMIN_PASSWORD: 'x'.repeat(257) },
      'ADMIN_PASSWORD must have at most 256 characters.',
    ],
    ...['$(id)', 'true', 'on', 'banana', '1.5', '21', '300.1.1.1', '10.0.0.0/99', '10.0.0.1 10.0.0.2', ','].map(
      (TRUST_PROXY): [string, Record<string, string>, RegExp] => [
        'TRUST_PROXY',
        { TRUST_PROXY },
        /^TRUST_PROXY must be off, the number of proxies \(at most 20\), or /,
      ],
    ),
    ...['?a=1', '#a', '/?'].map((rest): [string, Record<string, string>, RegExp] => [
      'PUBLIC_URL',
      { PUBLIC_URL: `https://a.example${rest}` },
      /^PUBLIC_URL must be a bare origin/,
    ]),
    ['PUBLIC_URL', { PUBLIC_URL: 'https://co@a.example' }, /^PUBLIC_URL must be a bare origin/],
    ['PUBLIC_URL', { PORT: '0' }, /^PUBLIC_URL must be set together with PORT=0/],
    ...['h:port/db', 'a b/db'].map((rest): [string, Record<string, string>, RegExp] => [
      'DATABASE_URL',
      { DATABASE_URL: `postgresql://${rest}` },
      /^DATABASE_URL must be an address such as /,
    ]),
    ...[
      ['u:100%@h/db', 'the character %', '%25'],
      ['u:ab/cd+ef=@h/db', 'the character /', '%2F'],
      ['u:p@ss#word@h/db', 'the character @', '%40'],
      ['u:ss#word@h/db', 'the character #', '%23'],
      ['u:w?rd@h:5433/db?sslmode=require', 'the character ?', '%3F'],
      ['u:two words@h/db', 'a space', '%20'],
    ].map(([rest, named, encoded]): [string, Record<string, string>, string] => [
      'DATABASE_URL',
      { DATABASE_URL: `postgresql://${rest}` },
      `DATABASE_URL has ${named} in its user or password, where it must be written as ${encoded}; or set DATABASE_HOST, DATABASE_USER and DATABASE_PASSWORD instead.`,
    ]),
    ['DATABASE_HOST', { DATABASE_PASSWORD: 'hush' }, 'DATABASE_HOST must be set together with DATABASE_PASSWORD.'],
    ['DATABASE_HOST', { DATABASE_HOST: 'db/marshal' }, /^DATABASE_HOST must be a host name, an IP address,/],
    ['DATABASE_HOST', { DATABASE_REPLICA_PORT: '1' }, 'DATABASE_HOST must be set together with DATABASE_REPLICA_PORT.'],
    [
      'DATABASE_HOST',
      { DATABASE_HOST: 'db', DATABASE_URL: 'postgres://a/b' },
      'DATABASE_HOST must not be set together with DATABASE_URL, which has it already (it is "db").',
    ],
    [
      'DATABASE_URL',
      { DATABASE_REPLICA_URL: 'postgres://a/b' },
      'DATABASE_URL must be set together with DATABASE_REPLICA_URL.',
    ],
    [
      'DISCORD_CLIENT_ID',
      { DISCORD_CLIENT_SECRET: 'hush' },
      'DISCORD_CLIENT_ID must be set together with DISCORD_CLIENT_SECRET.',
    ],
    ['DATA_DIR', { DATA_DIR: '~/marshal' }, /^DATA_DIR must be a path without ~/],
    ['BACKUP_DIR', { BACKUP_DIR: '~/backups' }, /^BACKUP_DIR must be a path without ~/],
    [
      'BACKUP_S3_ENDPOINT',
      { BACKUP_S3_PREFIX: 'marshal/' },
      'BACKUP_S3_ENDPOINT must be set together with the other settings of BACKUP_S3.',
    ],
  ])('%s %j', (_name, given, message) => expect(() => readEnv(given)).toThrow(message));

  test.each(['DATABASE_URL', 'ADMIN_PASSWORD', 'SMTP_URL'])('without the value of %s', (name) => {
    expect(() => readEnv({ [name]: 'hush:é', ADMIN_EMAIL: 'co@a.example' })).toThrow(/^(?!.*hush)/);
  });
});

describe('the address of the database', () => {
  test('in parts takes every character as it is', () => {
    const parts = {
      DATABASE_HOST: 'db.example',
      DATABASE_USER: 'wing 104',
      DATABASE_NAME: 'ops',
      DATABASE_PORT: '5433',
    };
    const { DATABASE_URL = '' } = readEnv({ ...parts, DATABASE_PASSWORD: ' a:b/c+d=@#?%25& ' });
    // as PostgreSQL's client reads it
    expect(new Client(DATABASE_URL)).toMatchObject({
      host: 'db.example',
      port: 5433,
      user: 'wing 104',
      database: 'ops',
      password: ' a:b/c+d=@#?%25& ',
    });
  });

  test('needs no more than the host', () => {
    const env = readEnv({ DATABASE_HOST: '::1' });
    expect(env).toMatchObject({ DATABASE_URL: 'postgresql://marshal@[::1]:5432/marshal', SAMPLE_COMMUNITY: false });
    expect(env).not.toHaveProperty('DATABASE_REPLICA_URL');
  });

  test('can be the folder of a socket', () => {
    const { DATABASE_URL = '' } = readEnv({ DATABASE_HOST: '/var/run/postgresql', DATABASE_USER: 'ops' });
    expect(new Client(DATABASE_URL)).toMatchObject({ host: '/var/run/postgresql', user: 'ops', database: 'marshal' });
  });

  test.each([
    [{ DATABASE_REPLICA_PORT: '5433' }, 'postgresql://marshal:a@db:5433/marshal'],
    [{ DATABASE_REPLICA_HOST: 'db-2' }, 'postgresql://marshal:a@db-2:5432/marshal'],
    [{ DATABASE_REPLICA_URL: 'postgres://other/x' }, 'postgres://other/x'],
  ])('and of its replica: %j', (given, address) => {
    const env = readEnv({ DATABASE_HOST: 'db', DATABASE_PASSWORD: 'a', ...given });
    expect(env.DATABASE_REPLICA_URL).toBe(address);
  });

  test.each(['u@h/db', 'u:a%2Fb+c=@h/db', 'h:5432/db?application_name=a@b', 'h/db?application_name=a@b'])(
    'as a whole is taken: %s',
    (rest) => expect(readEnv({ DATABASE_URL: `postgres://${rest}` }).DATABASE_URL).toBe(`postgres://${rest}`),
  );
});

describe('a secret in a file', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'marshal-secrets-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const given = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return { [`${name}_FILE`]: path };
  };

  test('is read without its last line break', () => {
    const files = { ...given('DISCORD_TOKEN', 'hush\n'), ...given('DATABASE_PASSWORD', ' a/b#c@d \r\n') };
    const env = readEnv({ ...files, DATABASE_HOST: 'db' });
    expect(env.DISCORD_TOKEN).toBe('hush');
    expect(new Client(env.DATABASE_URL).password).toBe(' a/b#c@d ');
  });

  test.each(SECRETS)('can be %s', (name) => {
    expect(() => readEnv({ [`${name}_FILE`]: '/none' })).toThrow(`${name}_FILE names /none, which cannot be read`);
  });

  test.each<[what: string, given: () => Record<string, string>, message: RegExp]>([
    ['given twice', () => ({ ...given('SMTP_URL', 'a'), SMTP_URL: 'b' }), /^SMTP_URL and SMTP_URL_FILE are both set/],
    ['without a text', () => given('METRICS_TOKEN', ' \n'), /^METRICS_TOKEN_FILE names .* which is empty/],
    ['that is missing', () => ({ METRICS_TOKEN_FILE: '/none' }), /^METRICS_TOKEN_FILE names \/none, .* \(ENOENT\)\.$/],
    ['that is a folder', () => ({ METRICS_TOKEN_FILE: folder }), /^METRICS_TOKEN_FILE names .* \(EISDIR\)\.$/],
    ['that is wrong', () => given('METRICS_TOKEN', 'short'), /^METRICS_TOKEN must have at least 16 characters\.$/],
  ])('%s stops the start', (_what, make, message) => expect(() => readEnv(make())).toThrow(message));

  test('is every setting with a telling name', () => {
    const telling = namesIn(read('.env.example'), /^#?([A-Z_\d]+)=/gm).filter((name) =>
      /PASSWORD|TOKEN|SECRET|KEY|DATABASE_.*URL|SMTP/.test(name),
    );
    expect(telling.filter((name) => !SECRETS.includes(name))).toEqual(['DEV_TOKENS']);
  });
});

describe('email', () => {
  const SMTP_URL = 'smtps://marshal:p%40ss@mail.example.org';
  test.each(['marshal@example.org', 'Marshal <marshal@example.org>', '"Wing, 104th" <ops@wing.example.org>'])(
    'is sent from %s',
    (MAIL_FROM) => expect(readEnv({ SMTP_URL, MAIL_FROM })).toMatchObject({ SMTP_URL, MAIL_FROM }),
  );

  const MAIL_FROM = 'marshal@example.org';
  test.each([
    [{ SMTP_URL }, 'MAIL_FROM must be set together with SMTP_URL.'],
    [{ MAIL_FROM }, 'SMTP_URL must be set together with MAIL_FROM.'],
    [
      { SMTP_URL: 'mail.example.org', MAIL_FROM },
      'SMTP_URL must be an address such as smtp://user:password@mail.example.org:587.',
    ],
    [
      { SMTP_URL: 'https://mail.example.org', MAIL_FROM },
      'SMTP_URL must be an address such as smtp://user:password@mail.example.org:587.',
    ],
    [
      { SMTP_URL: 'smtp://marshal@mail.example.org', MAIL_FROM },
      'SMTP_URL must have a user and a password, or neither; special characters in them are percent-encoded.',
    ],
    [
      { SMTP_URL, MAIL_FROM: 'Marshal' },
      'MAIL_FROM must be an email address such as Marshal <marshal@example.org> (it is "Marshal").',
    ],
    [
      { SMTP_URL: 'smtp://marshal:100%@mail.example.org', MAIL_FROM },
      'SMTP_URL has the character % in its user or password, where it must be written as %25.',
    ],
    [{ SMTP_URL, MAIL_FROM: 'Marshal <a@b.example>\nBcc: c@d.example' }, /^MAIL_FROM must be an email address/],
  ])('with %o does not start', (given, message) => expect(() => readEnv(given)).toThrow(message));
});

test('a host name over plain http is accepted with ALLOW_INSECURE_HTTP', () => {
  const url = 'http://marshal.example';
  expect(readEnv({ PUBLIC_URL: url, ALLOW_INSECURE_HTTP: '1' }).PUBLIC_URL).toBe(url);
});

test.each([
  ['https://marshal.example', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://127.8.8.8', true],
  ['http://[::1]:3000', true],
  ['http://marshal.localhost', true],
  ['http://192.168.0.2', false],
  ['http://localhost.example', false],
  ['http://127.0.0.1.example', false],
])('browsers keep secure cookies for %s: %s', (url, secure) => expect(isSecureOrigin(url)).toBe(secure));

test("other programs do not inherit the caller's PostgreSQL settings", () => {
  expect(Object.keys(childEnv()).filter((name) => name.startsWith('PG'))).toEqual([]);
  expect(childEnv()).toMatchObject({ LC_ALL: 'C', TZ: 'UTC' });
});

describe('a log line', () => {
  /** The line that one call writes, as text and parsed. */
  function write(event: object, level = 'info'): { line: string; fields: Record<string, unknown> } {
    let line = '';
    createLog(level, { write: (text) => (line += text) }).info(event, 'sign-in');
    return { line, fields: line === '' ? {} : (JSON.parse(line) as Record<string, unknown>) };
  }

  test.each([
    ['at the top', { password: 'hush' }],
    ['in a body', { body: { email: 'a@b.example', currentPassword: 'hush', newPassword: 'hush' } }],
    ['in a request’s headers', { req: { headers: { cookie: 'session=hush', authorization: 'Bearer hush' } } }],
    ['in an answer’s headers', { res: { headers: { 'set-cookie': 'session=hush' } } }],
    ['of a token', { user: { token: 'hush' } }],
  ])('never holds a secret %s', (_where, event) => {
    const { line } = write(event);
    expect(line).not.toContain('hush');
    expect(line).toContain('[redacted]');
  });

  test('is one JSON object with level, ISO time and message', () => {
    const { line, fields } = write({ requestId: 'r1' });
    expect(line.trimEnd()).not.toContain('\n');
    expect(fields).toEqual({ level: 30, time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'sign-in', requestId: 'r1' });
  });

  test('below the level is not written', () => expect(write({}, 'warn').line).toBe(''));
});
