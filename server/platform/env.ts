/** The configuration from environment variables, validated at startup. */

import { resolve } from 'node:path';
import { z } from 'zod';
import { isPlaceholder } from '#shared/email-domain.ts';
import { PASSWORD_LENGTH, WRITES_PER_MINUTE } from '#shared/limits.ts';
import { countCharacters } from '#shared/schemas/common.ts';
import { isCommonPassword } from './common-passwords.ts';
import { checkDatabase, databaseAddresses, type Fail, findBareCharacter } from './database-address.ts';
import { SECRETS, takeGiven } from './given-settings.ts';
import { OFF, trustProxy } from './trust-proxy.ts';

const DISCORD_API_URL = 'https://discord.com/api';

/** pino's log levels, plus `silent`. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Hosts that a browser treats as a secure context even over plain http. */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const ON = ['on', '1', 'true', 'yes'];

/** `on` or `off` (also 1/0, true/false, yes/no) as a boolean. */
const onOff = z
  .string()
  .toLowerCase()
  .refine((value) => [...ON, ...OFF].includes(value), 'must be on or off')
  .transform((value) => ON.includes(value));

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://marshal.example' })
  .transform((value) => value.replace(/\/+$/, ''));

/** Comma-separated origins; plain http for loopback only. */
const originList = z
  .string()
  .transform((value) => value.split(',').map((one) => one.trim()))
  .refine(
    (list) => list.every((one) => URL.canParse(one) && new URL(one).origin === one && isSecureOrigin(one)),
    'must be comma-separated origins such as https://other.example',
  );

/** True if the parts of an address can be read: a password with a bare % , /, # or space makes another address of it. */
function isReadable(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password, hostname, pathname } = new URL(value);
  return [username, password, hostname, pathname].every((part) => {
    try {
      return !decodeURIComponent(part).includes('\0');
    } catch {
      return false;
    }
  });
}

/** Names the character, because nobody finds it in a generated password; never the password. */
const withoutBareCharacter = (remedy: string) => (value: string, ctx: z.RefinementCtx<string>) => {
  const bare = findBareCharacter(value);
  if (bare === null) return;
  const named = /\s/.test(bare) ? 'a space' : `the character ${bare}`;
  const encoded = bare === '%' ? '%25' : encodeURIComponent(bare);
  ctx.addIssue({
    code: 'custom',
    message: `has ${named} in its user or password, where it must be written as ${encoded}${remedy}`,
  });
};

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/.+/, 'must be a PostgreSQL address such as postgresql://user:password@host:5432/marshal')
  .superRefine(withoutBareCharacter('; or set DATABASE_HOST, DATABASE_USER and DATABASE_PASSWORD instead'))
  .refine(
    isReadable,
    'must be an address such as postgresql://user:password@host:5432/marshal; special characters in user and password are percent-encoded',
  );

/** Address of an SMTP server, with a user and password or without both. */
const smtpUrl = z
  .string()
  .superRefine(withoutBareCharacter(''))
  .refine(
    (value) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== '',
    'must be an address such as smtp://user:password@mail.example.org:587',
  )
  .refine(
    isReadable,
    'must be an address such as smtp://user:password@mail.example.org:587; special characters in user and password are percent-encoded',
  )
  .refine(
    (value) => !URL.canParse(value) || (new URL(value).username === '') === (new URL(value).password === ''),
    'must have a user and a password, or neither; special characters in them are percent-encoded',
  );

/** A mailbox: `marshal@example.org` or `Marshal <marshal@example.org>`. */
const mailbox = z
  .string()
  .regex(/^[^<>\r\n]*<[^<>\r\n]+>$|^[^<>\r\n]+$/, 'must be an email address, or a name and an address in <>')
  .refine(
    (value) => z.email().safeParse(addressOf(value)).success,
    'must be an email address such as Marshal <marshal@example.org>',
  );

/** A name or an address of a machine, or the folder of its socket. */
const host = z
  .string()
  .regex(/^[\w.-]+$|^[\da-f:.]+$|^\//i, 'must be a host name, an IP address, or the folder of a socket');

/** A folder. Only shells read `~` as the home directory. */
const folder = z
  .string()
  .refine((path) => !path.startsWith('~'), 'must be a path without ~: write the home directory out');

const schema = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test'], 'must be development, production or test').optional(),
    HOST: z.string().default('127.0.0.1'),
    PORT: wholeNumber(0, 65535).default(3000),
    PUBLIC_URL: origin.optional(),
    ALLOW_INSECURE_HTTP: onOff.default(false),
    TRUST_PROXY: trustProxy.default(false),
    DATABASE_URL: databaseUrl.optional(),
    DATABASE_HOST: host.optional(),
    DATABASE_PORT: wholeNumber(1, 65535).optional(),
    DATABASE_NAME: z.string().optional(),
    DATABASE_USER: z.string().optional(),
    DATABASE_PASSWORD: z.string().optional(),
    DATABASE_REPLICA_URL: databaseUrl.optional(),
    DATABASE_REPLICA_HOST: host.optional(),
    DATABASE_REPLICA_PORT: wholeNumber(1, 65535).optional(),
    DATA_DIR: folder.default('.data'),
    ADMIN_EMAIL: z
      .email('must be an email address')
      .refine((email) => !isPlaceholder(email), 'must be an address that receives email')
      .optional(),
    ADMIN_PASSWORD: z
      .string()
      .refine(
        (password) => countCharacters(password) >= PASSWORD_LENGTH.min,
        `must have at least ${PASSWORD_LENGTH.min} characters`,
      )
      .refine(
        (password) => countCharacters(password) <= PASSWORD_LENGTH.max,
        `must have at most ${PASSWORD_LENGTH.max} characters`,
      )
      .refine((password) => !isCommonPassword(password), 'must not be one of the common passwords')
      .optional(),
    SAMPLE_COMMUNITY: onOff.optional(),
    REQUIRE_ADMIN_2FA: onOff.default(false),
    AUTH_ATTEMPTS_PER_MINUTE: wholeNumber(0, 100_000).default(10),
    WRITES_PER_MINUTE: wholeNumber(0, 100_000).default(WRITES_PER_MINUTE),
    BACKGROUND_JOBS: onOff.default(true),
    DISCORD_TOKEN: z.string().optional(),
    DISCORD_CLIENT_ID: z
      .string()
      .regex(/^\d{5,25}$/, 'must be the number of a Discord application')
      .optional(),
    DISCORD_CLIENT_SECRET: z.string().optional(),
    DISCORD_API_URL: origin.default(DISCORD_API_URL),
    SMTP_URL: smtpUrl.optional(),
    MAIL_FROM: mailbox.optional(),
    AUDIT_KEEP_DAYS: wholeNumber(1, 36_500).optional(),
    BACKUP_DIR: folder.optional(),
    BACKUP_KEEP: wholeNumber(1, 10_000).default(14),
    BACKUP_S3_ENDPOINT: origin.optional(),
    BACKUP_S3_BUCKET: z
      .string()
      .regex(/^[\w.-]+$/, 'must be the name of a bucket')
      .optional(),
    BACKUP_S3_REGION: z.string().optional(),
    BACKUP_S3_ACCESS_KEY: z.string().optional(),
    BACKUP_S3_SECRET_KEY: z.string().optional(),
    BACKUP_S3_PREFIX: z.string().optional(),
    DEV_TOKENS: onOff.default(false),
    PUSH_EXTRA_ORIGINS: originList.default([]),
    WEBHOOKS_ALLOW_PRIVATE: onOff.default(false),
    CALENDARS_ALLOW_PRIVATE: onOff.default(false),
    CORS_ORIGINS: originList.default([]),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'must be an address such as http://localhost:4318' })
      .optional(),
    METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
    LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  })
  .superRefine((env, ctx) => {
    const fail: Fail = (name, message) => ctx.addIssue({ code: 'custom', path: [name], message });
    if (!env.PUBLIC_URL || !URL.canParse(env.PUBLIC_URL)) {
      // Unset, or already refused by its own schema.
    } else if (!env.ALLOW_INSECURE_HTTP && !isSecureOrigin(env.PUBLIC_URL)) {
      fail(
        'PUBLIC_URL',
        'must be https or a loopback address, because sign-in cookies are only safe there; ALLOW_INSECURE_HTTP=1 accepts the risk',
      );
    } else if (new URL(env.PUBLIC_URL).href !== `${new URL(env.PUBLIC_URL).origin}/`) {
      fail('PUBLIC_URL', 'must be a bare origin without a path');
    }
    if (env.PORT === 0 && !env.PUBLIC_URL)
      fail('PUBLIC_URL', 'must be set together with PORT=0, with which the address is not known before');
    checkDatabase(env, fail);
    if (env.DISCORD_CLIENT_SECRET && !env.DISCORD_CLIENT_ID)
      fail('DISCORD_CLIENT_ID', 'must be set together with DISCORD_CLIENT_SECRET');
    if (env.ADMIN_EMAIL && !env.ADMIN_PASSWORD) fail('ADMIN_PASSWORD', 'must be set together with ADMIN_EMAIL');
    if (env.ADMIN_PASSWORD && !env.ADMIN_EMAIL) fail('ADMIN_EMAIL', 'must be set together with ADMIN_PASSWORD');
    if (env.SMTP_URL && !env.MAIL_FROM) fail('MAIL_FROM', 'must be set together with SMTP_URL');
    const storage = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY', 'SECRET_KEY'].map(
      (name) => `BACKUP_S3_${name}` as keyof typeof env,
    );
    const unset = storage.find((name) => env[name] === undefined);
    const isUsed = [...storage, 'BACKUP_S3_REGION', 'BACKUP_S3_PREFIX'].some(
      (name) => env[name as keyof typeof env] !== undefined,
    );
    if (unset && isUsed) fail(unset, 'must be set together with the other settings of BACKUP_S3');
    if (env.MAIL_FROM && !env.SMTP_URL) fail('SMTP_URL', 'must be set together with MAIL_FROM');
  })
  .transform((env) => ({ ...env, ...databaseAddresses(env) }))
  .transform((env) => ({
    ...env,
    DATA_DIR: resolve(env.DATA_DIR),
    ...(env.BACKUP_DIR !== undefined && { BACKUP_DIR: resolve(env.BACKUP_DIR) }),
    PUBLIC_URL: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : `http://localhost:${env.PORT}`,
    BACKUP_S3_REGION: env.BACKUP_S3_REGION ?? 'us-east-1',
    BACKUP_S3_PREFIX: env.BACKUP_S3_PREFIX ?? '',
    SAMPLE_COMMUNITY: env.SAMPLE_COMMUNITY ?? env.DATABASE_URL === undefined,
  }));

/** The checked configuration of one process. Paths are absolute, PUBLIC_URL is an origin as browsers send it. */
export type Env = z.output<typeof schema>;

/** Set by the configuration of the API tests: answers that are sent unparsed are compared with their schemas. */
export const CHECKS_ANSWERS = process.env.CHECK_ANSWERS === '1';

/**
 * Read the configuration, once per process, at startup.
 * An empty value counts as unset, so that `.env` files and compose files may list every name.
 * @throws Error one sentence that names the variable and says what it must be
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = takeGiven(source);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'The configuration');
  throw new Error(`${name} ${issue?.message ?? 'is wrong'}${shown(name, given[name])}.`);
}

/** The address of a mailbox such as `Marshal <marshal@example.org>`. */
export function addressOf(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
}

/** True if browsers keep `Secure` cookies for this origin: https, or plain http on a loopback host. */
export function isSecureOrigin(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

/**
 * The environment for a child process (PostgreSQL's programs, the bot): the variables that any program needs, without
 * the caller's `PG*` and `LC_*`, which would change how the database behaves.
 */
export function childEnv(): Record<string, string> {
  const wanted = [
    'PATH',
    'SystemRoot',
    'ComSpec',
    'TEMP',
    'TMP',
    'USERPROFILE',
    'LD_LIBRARY_PATH',
    'NODE_EXTRA_CA_CERTS',
  ];
  const kept = wanted.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/** The invalid value in brackets, unless it is a secret. */
function shown(name: string, value: string | undefined): string {
  if (value === undefined || SECRETS.includes(name)) return '';
  return ` (it is "${value}")`;
}
