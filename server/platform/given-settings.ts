/** Settings as they are given: in the environment, and secrets also in files. */
import { readFileSync } from 'node:fs';

/** Settings whose values are never shown, and which may be in a file that `<name>_FILE` names, such as a Docker secret. */
export const SECRETS: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_PASSWORD',
  'ADMIN_PASSWORD',
  'DISCORD_TOKEN',
  'DISCORD_CLIENT_SECRET',
  'SMTP_URL',
  'BACKUP_S3_ACCESS_KEY',
  'BACKUP_S3_SECRET_KEY',
  'METRICS_TOKEN',
];

/** Taken as they are: spaces around other values are never meant. */
const UNTRIMMED = new Set(['ADMIN_PASSWORD', 'DATABASE_PASSWORD']);

const FILE = '_FILE';

/**
 * The settings of the environment, without empty ones, and with secrets read from their files.
 * @throws Error one sentence that names the variable
 */
export function takeGiven(source: Record<string, string | undefined>): Record<string, string> {
  const given = new Map<string, string>();
  for (const [name, value = ''] of Object.entries(source)) {
    const taken = UNTRIMMED.has(name) ? value : value.trim();
    if (taken !== '') given.set(name, taken);
  }
  for (const secret of SECRETS) {
    const path = given.get(secret + FILE);
    if (path === undefined) continue;
    if (given.has(secret)) throw new Error(`${secret} and ${secret}${FILE} are both set: remove one of them.`);
    given.set(secret, readSecret(secret, path));
  }
  return Object.fromEntries(given);
}

function readSecret(secret: string, path: string): string {
  const value = readText(secret + FILE, path);
  // editors and `echo` end a file with a line break
  const taken = UNTRIMMED.has(secret) ? value.replace(/\r?\n$/, '') : value.trim();
  if (taken === '') throw new Error(`${secret}${FILE} names ${path}, which is empty: write the secret into it.`);
  return taken;
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${name} names ${path}, which cannot be read (${code}).`, { cause });
  }
}
