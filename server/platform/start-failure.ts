/** Startup errors: one sentence each, ending with the remedy. */
import { causesOf, StartError } from '#server/schema/failures.ts';
import type { Env } from './env.ts';

/** The code (PostgreSQL's or the system's) and message of the innermost error that has a code. */
function readCause(error: unknown): { code: string; words: string } {
  const causes = [...causesOf(error)].filter((cause) => cause instanceof Error);
  const coded = causes.findLast((cause) => typeof Reflect.get(cause, 'code') === 'string');
  const found = coded ?? causes.at(-1);
  const words = (found?.message || String(found ?? error)).split('\n')[0] ?? '';
  return { code: coded === undefined ? '' : String(Reflect.get(coded, 'code')), words };
}

/** Patterns for `code message`, tried in order. */
type Remedies = readonly (readonly [what: RegExp, sentence: string])[];

function explain(error: unknown, remedies: Remedies, otherwise: (words: string) => string): StartError {
  if (error instanceof StartError) return error;
  const { code, words } = readCause(error);
  const sentence = remedies.find(([what]) => what.test(`${code} ${words}`))?.[1] ?? otherwise(words);
  return new StartError(sentence, { cause: error });
}

/** The error for startup failures without a specific sentence. */
export function explainStart(error: unknown): StartError {
  return explain(
    error,
    [],
    (words) =>
      `Marshal could not start (${words}): start it with LOG_LEVEL=debug to see more, and report the lines above if they do not help.`,
  );
}

/** Error for a DATA_DIR that cannot hold a database. */
export function explainDataDir(error: unknown, dataDir: string): StartError {
  return explain(
    error,
    [
      [
        // Node makes a folder on a read-only disk with ENOENT, and removes a file there without a code
        /^(EACCES|EPERM|EROFS) |^ENOENT .*mkdir|read-only file system/i,
        `${dataDir} cannot be written to: give it to the user who starts Marshal, or set DATA_DIR to another directory.`,
      ],
      [
        /^(ENOTDIR|EEXIST) /,
        `${dataDir} is not a directory: move the file away, or set DATA_DIR to another directory.`,
      ],
      [/^(ENOSPC|EDQUOT) /, `The disk of ${dataDir} is full: free some space, or set DATA_DIR to another disk.`],
    ],
    (words) =>
      `The embedded PostgreSQL in ${dataDir} does not start (${words}): set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL of your own.`,
  );
}

/** Error for a database that cannot be reached or upgraded. @param url its address; the sentence leaves out the password */
export function explainDatabase(error: unknown, url: string, isEmbedded: boolean): StartError {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const host = decodeURIComponent(hostname) || (searchParams.get('host') ?? 'localhost');
  const [user, database] = [decodeURIComponent(username), decodeURIComponent(pathname.slice(1))];
  const where = isEmbedded ? 'The embedded database' : `The PostgreSQL at ${host}:${port || '5432'}`;
  return explain(
    error,
    [
      [
        /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOENT) |timeout|terminated/,
        `${where} does not answer: start it, or correct DATABASE_URL.`,
      ],
      [/^(ENOTFOUND|EAI_AGAIN) /, `The host ${host} is not known on this machine: correct DATABASE_URL.`],
      [
        /^28/,
        `${where} refuses the user ${user}: correct the name and the password in DATABASE_URL, or allow this machine in its pg_hba.conf.`,
      ],
      [
        /^3D000 |permission denied to create database/,
        `${where} has no database ${database}: create it (createdb --owner=${user} ${database}), or correct DATABASE_URL.`,
      ],
      [
        /^42501 /,
        `The user ${user} may not create tables in ${database}: make it the owner (ALTER DATABASE "${database}" OWNER TO "${user}").`,
      ],
      [/^25006 /, `${where} is read-only, like a standby: set DATABASE_URL to the primary.`],
      [/^(53100|58030) /, `The disk of the database is full or failing: free some space there, and start again.`],
      [/^53300 /, `${where} has no connections left: raise its max_connections, or stop other programs that use it.`],
      [/^57P/, `${where} is starting or stopping: start Marshal again in a moment.`],
    ],
    (words) =>
      `The database could not be upgraded to this release (${words}): go back to the previous release, which can still use it, and report the lines above.`,
  );
}

/** Error for an address that the server cannot listen on. */
export function explainListen(error: unknown, { HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): StartError {
  return explain(
    error,
    [
      [
        /^EADDRINUSE /,
        `Port ${PORT} is in use. Stop the program that uses it, or choose another port: PORT=3001 npm start`,
      ],
      [/^EACCES /, `Port ${PORT} is not for ordinary users. Choose one above 1023: PORT=3000 npm start`],
      [
        /^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EINVAL) /,
        `${HOST} is not an address of this machine: set HOST to 127.0.0.1, or to 0.0.0.0 to be reached from other machines.`,
      ],
    ],
    (words) => `Marshal cannot listen on ${HOST}:${PORT} (${words}): set HOST and PORT to an address of this machine.`,
  );
}
