/** Where backups are kept: a folder, or a bucket of an S3-compatible object storage. */
import { createWriteStream, existsSync, openAsBlob, readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3mini } from 's3mini';
import type { Env } from '#server/platform/env.ts';
import { StartError } from '#server/schema/failures.ts';

/** Object storage takes parts of 5 MiB or more, and at most 10,000 of them. */
const PART_BYTES = 16 * 1024 * 1024;

export interface Store {
  /** as people name it */
  says: string;
  /** names of all files */
  list(): Promise<string[]>;
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

/** Lists and deletes files that are in their place already. */
function folderStore(folder: string): Store {
  return {
    says: folder,
    list: () => Promise.resolve(existsSync(folder) ? readdirSync(folder) : []),
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

function s3Store({ endpoint, bucket, region, accessKey, secretKey, prefix }: S3Settings): Store {
  const says = `${endpoint}/${bucket}/${prefix}`;
  const s3 = new S3mini({
    endpoint: `${endpoint}/${bucket}`,
    region,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
  });
  const explain = (error: unknown): never => {
    const words = error instanceof Error ? error.message : String(error);
    throw new StartError(`The object storage at ${says} refuses or does not answer (${words}): check BACKUP_S3_*.`, {
      cause: error,
    });
  };
  const attempt = <T>(work: () => Promise<T>): Promise<T> => work().catch(explain);
  const upload = async (key: string, path: string): Promise<void> => {
    const file = await openAsBlob(path);
    const id = await s3.getMultipartUploadId(key, 'application/octet-stream');
    try {
      const parts: Awaited<ReturnType<typeof s3.uploadPart>>[] = [];
      for (let at = 0; at < file.size; at += PART_BYTES) {
        const body = Buffer.from(await file.slice(at, at + PART_BYTES).arrayBuffer());
        parts.push(await s3.uploadPart(key, id, body, parts.length + 1));
      }
      await s3.completeMultipartUpload(key, id, parts);
    } catch (error) {
      // parts without an end would be stored, and paid for
      await s3.abortMultipartUpload(key, id).catch(() => undefined);
      throw error;
    }
    const stored = await s3.getContentLength(key);
    if (stored !== file.size) throw new Error(`it has ${stored} of ${file.size} bytes`);
  };
  return {
    says,
    list: () =>
      attempt(async () => {
        const objects = (await s3.listObjects('/', prefix)) ?? [];
        return objects
          .map(({ Key }) => Key)
          .filter((key) => key.startsWith(prefix))
          .map((key) => key.slice(prefix.length));
      }),
    put: (name, path) => attempt(() => upload(`${prefix}${name}`, path)),
    get: (name, path) =>
      attempt(async () => {
        const response = await s3.getObjectResponse(`${prefix}${name}`);
        if (!response?.body) throw new Error(`there is no ${name}`);
        await pipeline(Readable.from(response.body), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      }),
    remove: (name) => attempt(async () => void (await s3.deleteObject(`${prefix}${name}`))),
  };
}

/** All places where backups of these settings are kept; the folder is one unless there is only object storage. */
export function storesOf(env: Env): { folder: Store | null; bucket: Store | null } {
  const s3 = readS3(env);
  const bucket = s3 && s3Store(s3);
  return { folder: bucket !== null && env.BACKUP_DIR === undefined ? null : folderStore(folderOf(env)), bucket };
}
