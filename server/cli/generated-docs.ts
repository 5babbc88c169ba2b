/** The generated parts of the READMEs: settings, entity diagrams, REST table, error codes; and the list of operations. `npm run docs` writes them. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { readEnv, type Env } from '#server/platform/env.ts';
import { createOpenApi } from '#server/http/rest/openapi.ts';
import { entities } from '#server/schema/entities.ts';
import { connect } from '#server/schema/orm.ts';
import { REFUSALS } from '#shared/refusals.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** A part of a file between `<!-- generated: name -->` and `<!-- end: name -->`. */
interface GeneratedPart {
  name: string;
  /** path from the project's root */
  file: string;
  write: () => string | Promise<string>;
}

export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { name: 'settings', file: 'docker/README.md', write: writeSettings },
  { name: 'entities', file: 'server/schema/README.md', write: writeEntities },
  { name: 'calls', file: 'server/http/rest/README.md', write: writeCalls },
  { name: 'refusals', file: 'server/http/rest/README.md', write: writeRefusals },
];

/** A line per operation of the REST API, so that a review shows what changes for callers. */
export const OPERATIONS_FILE = 'server/http/rest/operations.txt';

/**
 * @param text of the file that contains the part
 * @returns the text with the part regenerated
 * @throws Error when the file lacks the markers
 */
export async function withPart(text: string, { name, file, write }: GeneratedPart): Promise<string> {
  const [start, end] = [`<!-- generated: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} lacks the markers of "${name}".`);
  return `${before}${start}\n${await write()}\n\n${end}${after}`;
}

/** The meaning of each setting; `unset` describes a default that is not a plain value. Programs set NODE_ENV themselves. */
const SETTINGS: Record<Exclude<keyof Env, 'NODE_ENV'>, { does: string; unset?: string }> = {
  HOST: { does: 'The address to listen on.' },
  PORT: { does: 'The port to listen on.' },
  PUBLIC_URL: {
    does: 'The public address: for links, cookies, and the origin that may write. https, or a loopback address.',
    unset: '`http://localhost:PORT`',
  },
  ALLOW_INSECURE_HTTP: {
    does: 'Allows a public address over plain http, where sign-in cookies can be read in transit.',
  },
  TRUST_PROXY: {
    does: 'The number of reverse proxies in front, or their addresses, so that limits use the address of the caller. The compose file sets 1.',
  },
  DATABASE_URL: {
    does: 'A PostgreSQL of your own. Marshal is tested with version 18.',
    unset: 'an embedded PostgreSQL in `DATA_DIR`',
  },
  DATABASE_HOST: {
    does: 'Its machine, with the four below instead of `DATABASE_URL`: they take any character as it is.',
    unset: 'none',
  },
  DATABASE_PORT: { does: 'Its port.', unset: '`5432`' },
  DATABASE_NAME: { does: 'Its name.', unset: '`marshal`' },
  DATABASE_USER: { does: 'The role that owns it, without any other right.', unset: '`marshal`' },
  DATABASE_PASSWORD: { does: 'The password of that role.', unset: 'none' },
  DATABASE_REPLICA_URL: {
    does: 'A streaming replica of that database, which answers the lists of admins when it has everything that was committed before. See [Scaling](#scaling).',
    unset: 'all reads go to the database itself',
  },
  DATABASE_REPLICA_HOST: {
    does: 'The machine of the replica, with `DATABASE_HOST`; name, user and password are the same.',
    unset: '`DATABASE_HOST`, with another port',
  },
  DATABASE_REPLICA_PORT: { does: 'The port of the replica.', unset: '`DATABASE_PORT`, on another machine' },
  DATA_DIR: { does: 'The folder of the embedded database.', unset: '`.data`' },
  ADMIN_EMAIL: { does: 'The first admin, created when there is none.', unset: '`admin@marshal.local`' },
  ADMIN_PASSWORD: { does: 'The password of the first admin.', unset: 'random, printed once' },
  SAMPLE_COMMUNITY: {
    does: 'Fills a *new* database with a sample community.',
    unset: 'on with the embedded database, otherwise off',
  },
  REQUIRE_ADMIN_2FA: {
    does: 'Refuses the calls of admins until they have a second factor. Their calls as pilots go on working.',
  },
  AUTH_ATTEMPTS_PER_MINUTE: {
    does: 'Sign-in attempts for one account from one address. 0 turns all limits on attempts off.',
  },
  WRITES_PER_MINUTE: {
    does: 'Calls of one account that change something; each replica counts its own. 0 turns the limit off.',
  },
  BACKGROUND_JOBS: { does: '`off` on replicas that only serve requests.' },
  DISCORD_TOKEN: { does: "The bot's token. See [bot/README.md](../bot/README.md).", unset: 'no bot' },
  DISCORD_CLIENT_ID: { does: "The application's number, for the install link and sign-in.", unset: 'none' },
  DISCORD_CLIENT_SECRET: { does: "The application's secret.", unset: 'no sign-in with Discord' },
  DISCORD_API_URL: { does: "Another Discord API, such as the tests' emulator." },
  SMTP_URL: {
    does: 'The server that sends email, such as `smtp://user:password@mail.example.org:587`. See [server/delivery/mail/README.md](../server/delivery/mail/README.md).',
    unset: 'no email',
  },
  AUDIT_KEEP_DAYS: {
    does: 'The days that the audit log keeps entries about changes. See [what is kept how long](#what-is-kept-how-long).',
    unset: 'for good',
  },
  BACKUP_DIR: {
    does: 'The folder for backups: with it Marshal makes one every day at 03:17 UTC.',
    unset: '`backups` in `DATA_DIR`, for those made by hand',
  },
  BACKUP_KEEP: { does: 'The number of backups to keep: a good new one deletes older ones.' },
  BACKUP_S3_ENDPOINT: {
    does: 'S3-compatible object storage for the daily backups, such as `https://s3.eu-central-1.amazonaws.com`.',
    unset: 'none',
  },
  BACKUP_S3_BUCKET: { does: 'Its bucket.', unset: 'none' },
  BACKUP_S3_REGION: { does: 'Its region, if it has regions.' },
  BACKUP_S3_ACCESS_KEY: { does: 'The name of the key that may write there.', unset: 'none' },
  BACKUP_S3_SECRET_KEY: { does: 'The key itself.', unset: 'none' },
  BACKUP_S3_PREFIX: { does: 'What the names of objects begin with, such as `marshal/`.', unset: 'nothing' },
  MAIL_FROM: { does: 'The sender of email, such as `Marshal <marshal@example.org>`.', unset: 'none' },
  DEV_TOKENS: {
    does: 'Allows `POST /api/v1/users/dev-token`, which signs in without a password. Never in production.',
  },
  WEBHOOKS_ALLOW_PRIVATE: {
    does: 'Allows webhooks to private addresses, and over plain http to this machine: for development. Never where admins must not reach your network.',
  },
  CALENDARS_ALLOW_PRIVATE: {
    does: 'Allows busy calendars at private addresses, and over plain http on this machine: for development, or for calendars in your own network. Then every pilot can make Marshal call addresses there.',
  },
  PUSH_EXTRA_ORIGINS: {
    does: 'Additional push services, beyond those of the known browsers: comma-separated origins.',
    unset: 'none',
  },
  CORS_ORIGINS: {
    does: 'Other sites whose pages may call the API with an access token: comma-separated origins. Never with cookies.',
    unset: 'none',
  },
  METRICS_TOKEN: {
    does: 'Whoever sends it as a bearer token may read `GET /metrics`; nobody else. At least 16 characters.',
    unset: 'programs on this machine may, but not through a proxy',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    does: 'A collector that takes OpenTelemetry traces by HTTP, such as `http://localhost:4318`; `OTEL_EXPORTER_OTLP_HEADERS` holds its key, if it wants one.',
    unset: 'no traces',
  },
  LOG_LEVEL: { does: 'trace, debug, info, warn, error, fatal or silent. Logs are JSON lines, readable on a terminal.' },
};

function writeSettings(): string {
  const defaults: Record<string, unknown> = readEnv({});
  const rows = Object.entries(SETTINGS).map(([name, { does, unset }]) => {
    const value = defaults[name];
    const shown = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
    return `| \`${name}\` | ${unset ?? `\`${shown}\``} | ${does} |`;
  });
  return ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** One diagram per file of entities, with their columns and references. */
async function writeEntities(): Promise<string> {
  // Never connects: the driver does so with the first query, and there is none.
  const orm = await connect('postgresql://localhost/none');
  try {
    const found = new Map([...orm.getMetadata().getAll().values()].map((meta) => [meta.className, meta]));
    const inOrder = entities.flatMap(({ name }) => found.get(name) ?? []);
    const saved = inOrder.filter(({ readonly }) => !readonly).map(({ tableName }) => `\`${tableName}\``);
    const drawings = [...Map.groupBy(inOrder, ({ className }) => fileOf(className))].map(
      ([file, own]) => `### ${file}\n\n${drawEntities(own)}`,
    );
    return [`Written by the ORM: ${saved.join(', ')}. All others: by the query builder.`, ...drawings].join('\n\n');
  } finally {
    await orm.close();
  }
}

/** @returns the name of the file in server/schema that declares the entity */
function fileOf(className: string): string {
  const files = globSync('server/schema/*.ts', { cwd: ROOT });
  const declares = (file: string) => readFileSync(join(ROOT, file), 'utf8').includes(`export class ${className} `);
  return basename(files.find(declares) ?? '');
}

const columnsOf = (props: readonly EntityProperty[]) => props.filter(({ kind }) => kind !== ReferenceKind.ONE_TO_MANY);

function drawEntities(found: readonly EntityMetadata[]): string {
  const boxes = found.flatMap(({ tableName, props }) => [
    `  ${tableName} {`,
    ...columnsOf(props).flatMap(({ columnTypes, fieldNames, primary, kind, unique }) =>
      fieldNames.map((column, index) => {
        const keys = [primary && 'PK', kind !== ReferenceKind.SCALAR && 'FK', unique && !primary && 'UK'];
        return `    ${columnTypes[index]} ${column} ${keys.filter(Boolean).join(', ')}`.trimEnd();
      }),
    ),
    '  }',
  ]);
  const lines = found.flatMap(({ tableName, props }) =>
    columnsOf(props).flatMap(({ name, kind, nullable, targetMeta }) => {
      if (targetMeta === undefined) return [];
      const many = kind === ReferenceKind.ONE_TO_ONE ? 'o|' : 'o{';
      return [`  ${targetMeta.tableName} ${nullable ? '|o' : '||'}--${many} ${tableName} : ${name}`];
    }),
  );
  return ['```mermaid', 'erDiagram', ...boxes, ...lines, '```'].join('\n');
}

type Operation = { operationId: string; summary: string; 'x-procedure'?: string; 'x-access': string };
type Calls = Record<string, Record<string, Operation>>;

/** Parts of the document that say nothing about the shape of a call. */
const WORDS: ReadonlySet<string> = new Set(['summary', 'description', 'tags', 'example', 'examples', 'x-access']);

/** A part of the document with what it refers to in place of the references, without words. */
function shapeOf(part: unknown, components: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((one) => shapeOf(one, components, within));
  if (typeof part !== 'object' || part === null) return part;
  const reference: unknown = Reflect.get(part, '$ref');
  if (typeof reference === 'string') {
    // a shape that contains itself
    if (within.includes(reference)) return reference;
    const steps = reference.split('/').slice(2);
    const target = steps.reduce<unknown>((found, step) => Reflect.get(Object(found), step), components);
    return shapeOf(target, components, [...within, reference]);
  }
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key, value]) => !(WORDS.has(key) && (typeof value === 'string' || Array.isArray(value))))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, value]) => [key, shapeOf(value, components, within)]),
  );
}

/** Method, path, id, guard, and a hash of the shapes of input and answers, for each operation. */
export function writeOperations(): string {
  const { paths, components } = createOpenApi();
  const rows = Object.entries(paths as Calls).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const shape = JSON.stringify(shapeOf(operation, components));
      const hash = createHash('sha256').update(shape).digest('hex').slice(0, 8);
      const guard = operation['x-access'].replace(/\.$/, '');
      return `${method.toUpperCase().padEnd(6)} ${path}  ${operation.operationId}  [${guard}]  ${hash}`;
    }),
  );
  return `${rows.join('\n')}\n`;
}

/** Every call of /api/v1, from the OpenAPI document. */
function writeCalls(): string {
  const paths = createOpenApi().paths as Calls;
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, 'x-procedure': procedure, 'x-access': access }]) => {
      const names = `\`${operationId}\` | ${procedure === undefined ? '' : `\`${procedure}\``}`;
      return `| ${method.toUpperCase()} | \`${path}\` | ${names} | ${access} | ${summary} |`;
    }),
  );
  return [
    '| method | path | operation | procedure | who may call | what it does |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The error codes, from the list of refusals. */
function writeRefusals(): string {
  const rows = Object.entries(REFUSALS).map(([code, [status, meaning]]) => `| \`${code}\` | ${status} | ${meaning} |`);
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}
