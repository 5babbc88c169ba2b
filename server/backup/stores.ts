/** The places for backups: a folder, or a bucket of an S3-compatible object storage. */
import { createWriteStream, existsSync, openAsBlob, readdirSync, statSync } from 'node:fs';
import { access, constants, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import type { Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { StartError } from '#server/schema/failures.ts';

/** Attempts beyond the first, with growing pauses, when the storage is busy. */
const RETRIES = 3;
/** A server that does not answer must not keep the next backup waiting. */
const CALL_MS = 60_000;
const TRANSFER_MS = 60 * CALL_MS;

export interface StoredFile {
  name: string;
  bytes: number;
}

export interface Store {
  /** as people name it */
  says: string;
  /** all files */
  list(): Promise<StoredFile[]>;
  /** @param path the complete file, which stays */
  put(name: string, path: string): Promise<void>;
  /** @param path a new file */
  get(name: string, path: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The folder in which backups are written first: BACKUP_DIR, or one in DATA_DIR. */
export const folderOf = ({ BACKUP_DIR, DATA_DIR }: Env): string => BACKUP_DIR ?? join(DATA_DIR, 'backups');

/** Makes the folder, which only its owner can read, because backups have addresses of people and password hashes. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new StartError(`The folder ${folder} cannot be made: correct BACKUP_DIR, or give it to this user.`, {
      cause: error,
    });
  });
}

function listFolder(folder: string): StoredFile[] {
  try {
    return (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
      // one that retention has just deleted is left out
      const file = statSync(join(folder, name), { throwIfNoEntry: false });
      return file?.isFile() === true ? [{ name, bytes: file.size }] : [];
    });
  } catch (error) {
    throw new StartError(`The folder ${folder} cannot be read: correct BACKUP_DIR, or give it to this user.`, {
      cause: error,
    });
  }
}

/**
 * Looks at BACKUP_DIR when Marshal starts, because the first backup is made at night.
 * @throws StartError if it can never be a folder; one that cannot be written to now is logged, so that a disk that is not
 * mounted keeps nobody from flying
 */
export async function checkBackupFolder({ BACKUP_DIR: folder }: Pick<Env, 'BACKUP_DIR'>, log: Log): Promise<void> {
  if (folder === undefined) return;
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (error) {
    const { code } = ((error instanceof StartError ? error.cause : error) ?? {}) as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new StartError(`BACKUP_DIR is no folder (${folder}): move the file away, or name another folder.`, {
        cause: error,
      });
    log.warn(`backups cannot be made: BACKUP_DIR (${folder}) is not writable (${code})`);
  }
}

/** Lists and deletes files that are in their place already. */
function folderStore(folder: string): Store {
  return {
    says: folder,
    list: () => Promise.resolve(listFolder(folder)),
    put: () => Promise.resolve(),
    get: () => Promise.reject(new Error('A backup in a folder is read where it is.')),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  prefix: string;
};

/** The settings of the object storage; null without. They are set together. */
function readS3(env: Env): S3Settings | null {
  const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_BUCKET: bucket, BACKUP_S3_REGION: region } = env;
  const { BACKUP_S3_ACCESS_KEY: accessKey, BACKUP_S3_SECRET_KEY: secretKey, BACKUP_S3_PREFIX: prefix } = env;
  if (!endpoint || !bucket || !accessKey || !secretKey) return null;
  return { endpoint, bucket, region, accessKey, secretKey, prefix };
}

/** The text of each element of this name. Names of backups have nothing that XML escapes. */
const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);

/** One PUT for each backup, which S3 takes up to 5 GB. */
function s3Store({ endpoint, bucket, region, accessKey, secretKey, prefix }: S3Settings): Store {
  const says = `${endpoint}/${bucket}/${prefix}`;
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region,
    retries: RETRIES,
  });
  const fail = (words: string, cause?: unknown) =>
    new StartError(`The object storage at ${says} refuses or does not answer (${words}): check BACKUP_S3_*.`, {
      cause,
    });
  /** @param target an object, or the query of a list */
  const request = async (method: string, target: string, body?: Blob): Promise<Response> => {
    const signal = AbortSignal.timeout(target.startsWith('?') ? CALL_MS : TRANSFER_MS);
    const response = await client
      .fetch(`${endpoint}/${bucket}${target}`, { method, signal, ...(body && { body }) })
      .catch((error: unknown) => {
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        throw fail(cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause), error);
      });
    if (response.ok) return response;
    const [code = ''] = elements(await response.text(), 'Code');
    throw fail(`${response.status} ${code}`.trim());
  };
  const objectOf = (name: string) => `/${`${prefix}${name}`.split('/').map(encodeURIComponent).join('/')}`;
  return {
    says,
    async list() {
      const files: StoredFile[] = [];
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) });
        const xml = await (await request('GET', `?${query}`)).text();
        // each object has a size and a key, both in the order of the list
        const sizes = elements(xml, 'Size');
        files.push(
          ...elements(xml, 'Key').map((key, index) => ({
            name: key.slice(prefix.length),
            bytes: Number(sizes[index]),
          })),
        );
        [token] = elements(xml, 'NextContinuationToken');
      } while (token !== undefined);
      return files;
    },
    put: async (name, path) => void (await request('PUT', objectOf(name), await openAsBlob(path))),
    async get(name, path) {
      const { body } = await request('GET', objectOf(name));
      await pipeline(Readable.from(body ?? []), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    },
    remove: async (name) => void (await request('DELETE', objectOf(name))),
  };
}

/** All places where backups of these settings are kept; the folder is one unless there is only object storage. */
export function storesOf(env: Env): { folder: Store | null; bucket: Store | null } {
  const s3 = readS3(env);
  const bucket = s3 && s3Store(s3);
  return { folder: bucket !== null && env.BACKUP_DIR === undefined ? null : folderStore(folderOf(env)), bucket };
}

/** The same as a list. */
export function allStores(env: Env): Store[] {
  const { folder, bucket } = storesOf(env);
  return [folder, bucket].filter((store) => store !== null);
}
