/** The address of the database: as a whole, or in parts that are written as they are. */

const POSTGRES_PORT = 5432;
/** Of the database and of its user, if none are given. */
const DATABASE_NAME = 'marshal';

interface Parts {
  DATABASE_URL?: string | undefined;
  DATABASE_HOST?: string | undefined;
  DATABASE_PORT?: number | undefined;
  DATABASE_NAME?: string | undefined;
  DATABASE_USER?: string | undefined;
  DATABASE_PASSWORD?: string | undefined;
  DATABASE_REPLICA_URL?: string | undefined;
  DATABASE_REPLICA_HOST?: string | undefined;
  DATABASE_REPLICA_PORT?: number | undefined;
}

const PARTS = ['DATABASE_HOST', 'DATABASE_PORT', 'DATABASE_NAME', 'DATABASE_USER', 'DATABASE_PASSWORD'] as const;
const REPLICA_PARTS = ['DATABASE_REPLICA_HOST', 'DATABASE_REPLICA_PORT'] as const;

/** Says that a variable is wrong. */
export type Fail = (name: string, message: string) => void;

/** Calls `fail` for settings that contradict each other, or lack another one. */
export function checkDatabase(env: Parts, fail: Fail): void {
  const part = PARTS.find((name) => env[name] !== undefined);
  const replicaPart = REPLICA_PARTS.find((name) => env[name] !== undefined);
  if (part && env.DATABASE_URL) fail(part, 'must not be set together with DATABASE_URL, which has it already');
  else if (replicaPart && env.DATABASE_REPLICA_URL)
    fail(replicaPart, 'must not be set together with DATABASE_REPLICA_URL, which has it already');
  else if ((part ?? replicaPart) && !env.DATABASE_HOST)
    fail('DATABASE_HOST', `must be set together with ${part ?? replicaPart}`);
  else if (env.DATABASE_REPLICA_URL && !env.DATABASE_URL && !env.DATABASE_HOST)
    fail('DATABASE_URL', 'must be set together with DATABASE_REPLICA_URL');
}

/** The addresses of the database and its replica, for those that are given in parts. */
export function databaseAddresses(env: Parts): Pick<Parts, 'DATABASE_URL' | 'DATABASE_REPLICA_URL'> {
  const { DATABASE_HOST: host, DATABASE_REPLICA_HOST, DATABASE_REPLICA_PORT } = env;
  if (host === undefined) return {};
  const port = env.DATABASE_PORT ?? POSTGRES_PORT;
  const hasReplica = DATABASE_REPLICA_HOST !== undefined || DATABASE_REPLICA_PORT !== undefined;
  return {
    DATABASE_URL: toAddress(env, host, port),
    ...(hasReplica && {
      DATABASE_REPLICA_URL: toAddress(env, DATABASE_REPLICA_HOST ?? host, DATABASE_REPLICA_PORT ?? port),
    }),
  };
}

/** With special characters percent-encoded. */
function toAddress(env: Parts, host: string, port: number): string {
  const { DATABASE_NAME: name = DATABASE_NAME, DATABASE_USER: user = DATABASE_NAME, DATABASE_PASSWORD: password } = env;
  const credentials = [user, ...(password === undefined ? [] : [password])].map(encodeURIComponent).join(':');
  // PostgreSQL's clients read the folder of a socket from the place of the host
  const place = host.startsWith('/') ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host;
  return `postgresql://${credentials}@${place}:${port}/${encodeURIComponent(name)}`;
}

/** A character that ends user or password too early, or a % without its two digits. */
const BARE = /[/?#@\s]|%(?![\dA-Fa-f]{2})/;

/**
 * The first character of an address's user or password that has to be percent-encoded: generated passwords have them often,
 * and the address is then another one.
 * @returns null if there is none
 */
export function findBareCharacter(address: string): string | null {
  const rest = address.replace(/^\w+:\/\//, '');
  const credentials = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  // without user and password, a parameter may have an @: db:5432/marshal?application_name=a@b
  if (!/^[^/?#]+:/.test(credentials) || /^[^:]+:\d+\/[^?]*\?/.test(credentials)) return null;
  return BARE.exec(credentials)?.[0] ?? null;
}
