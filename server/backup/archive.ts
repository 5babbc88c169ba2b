/**
 * The file format of a backup: a tar archive compressed by zstd. It has the rows of each table in the text format of
 * PostgreSQL's COPY, in entries of bounded size, and at its end a manifest with counts and checksums.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';

/** Raised when an older Marshal could no longer read the file. */
const FORMAT = 1;
/** The most that is held in memory of a table. */
const ENTRY_BYTES = 4 * 1024 * 1024;
/** Fewer and larger steps between the threads of zlib and this one. */
const CHUNK_BYTES = 1024 * 1024;
const MANIFEST = 'manifest.json';
/** Far more than the names of any database's tables take; the rest of a file is never held in memory. */
const MANIFEST_BYTES = 16 * 1024 * 1024;
/** The entries with the rows of one part. */
const PART = /^(tables\/\w+|jobs)\/\d{6}\.copy$/;

const part = z.object({ rows: z.int(), bytes: z.int(), sha256: z.string() });

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** the release that wrote it */
  marshal: z.string(),
  /** such as `18.4` */
  postgres: z.string(),
  /** the moment that it shows */
  madeAt: z.iso.datetime(),
  /** names of the migrations that made its tables, in their order */
  migrations: z.array(z.string()),
  tables: z.array(part.extend({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  /** queued background jobs */
  jobs: part,
});
export type Manifest = z.infer<typeof manifestSchema>;
export type Part = z.infer<typeof part>;

/** A file that is not a backup, or no longer a whole one. */
export class DamagedError extends Error {}

/** The name of a table's part; `null` names the part with the jobs. */
export const partOf = (table: string | null): string => (table === null ? 'jobs' : `tables/${table}`);

export interface ArchiveWriter {
  /** Adds the rows of a part. @param rows a stream of COPY @returns their bytes and checksum */
  add(name: string, rows: AsyncIterable<Buffer>): Promise<Omit<Part, 'rows'>>;
  /** Ends the archive with its manifest, and waits until the disk has it. */
  finish(manifest: Manifest): Promise<void>;
  /** Gives up an archive that will not be complete. */
  abort(): Promise<void>;
}

/** Begins an archive in a new file that only its owner can read. */
export async function createArchive(path: string): Promise<ArchiveWriter> {
  const file = await open(path, 'wx', 0o600);
  const tar = pack();
  const compress = createZstdCompress({
    chunkSize: CHUNK_BYTES,
    params: { [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const written = pipeline(Readable.from(tar), compress, file.createWriteStream({ flush: true }));
  written.catch(() => undefined);
  const write = (name: string, body: Buffer): Promise<void> => {
    const entry = new Promise<void>((resolve, reject) => {
      tar.entry({ name, size: body.length }, (error) => (error ? reject(error) : resolve())).end(body);
    });
    // a full disk ends the streams, and then nobody takes the entry
    return Promise.race([entry, written.then(() => entry)]);
  };
  return {
    async add(name, rows) {
      const hash = createHash('sha256');
      let bytes = 0;
      let entries = 0;
      let [waiting, size]: [Buffer[], number] = [[], 0];
      const flush = async () => {
        entries += 1;
        await write(`${name}/${String(entries).padStart(6, '0')}.copy`, Buffer.concat(waiting, size));
        [waiting, size] = [[], 0];
      };
      for await (const chunk of rows) {
        hash.update(chunk);
        bytes += chunk.length;
        waiting.push(chunk);
        size += chunk.length;
        if (size >= ENTRY_BYTES) await flush();
      }
      if (size > 0) await flush();
      return { bytes, sha256: hash.digest('hex') };
    },
    async finish(manifest) {
      await write(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 1)));
      tar.finalize();
      await written;
    },
    async abort() {
      tar.destroy();
      await written.catch(() => undefined);
    },
  };
}

/** Receives the rows of an archive, part by part, in the order of the file. */
export interface PartReader {
  /** @returns where the rows go; null if nobody needs them */
  begin(name: string): Writable | null;
  /** all rows of the part have been written, and the stream has ended */
  end(): Promise<void>;
}

/** The entries of an archive. @throws DamagedError when the file breaks off or cannot be decompressed */
async function* entriesOf(path: string): AsyncGenerator<{ name: string; body: AsyncIterable<Buffer> }> {
  const tar = extract();
  const decompress = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const read = pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), decompress, tar);
  // its error also ends the loop
  read.catch(() => undefined);
  for await (const entry of tar) yield { name: entry.header.name, body: entry };
  // the checksum comes after the last entry
  await read;
}

/** Errors of the file itself; all others are of the disk or of the reader. */
function explain(error: unknown, path: string): unknown {
  const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? '') : '';
  if (code === 'ENOENT') return new DamagedError(`There is no file ${path}.`);
  if (code === 'EISDIR') return new DamagedError(`${path} is a folder, not a backup.`);
  const words = error instanceof Error ? error.message : '';
  if (
    /^ZSTD_|^Z_|ERR_/.test(code) ||
    /tar header|Unexpected end of data|Premature|Writable stream closed/.test(words)
  ) {
    return new DamagedError(`${path} is damaged or not a backup of Marshal: use another one.`);
  }
  return error;
}

/**
 * Reads a whole archive and compares it with its manifest.
 * @param reader also gets the rows
 * @throws DamagedError one sentence about what is missing or changed
 */
export async function readArchive(path: string, reader: PartReader | null = null): Promise<Manifest> {
  const found = new Map<string, { bytes: number; hash: Hash }>();
  let manifest: unknown = null;
  let [current, rows]: [string, Writable | null] = ['', null];
  const endPart = async () => {
    if (rows === null) return;
    rows.end();
    rows = null;
    await reader?.end();
  };
  try {
    for await (const { name, body } of entriesOf(path)) {
      if (name === MANIFEST) {
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of body) {
          chunks.push(chunk);
          size += chunk.length;
          if (size > MANIFEST_BYTES)
            throw new DamagedError(`${path} has a manifest that is too long to be one: use another one.`);
        }
        manifest = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        continue;
      }
      const [, whole = ''] = PART.exec(name) ?? [];
      if (whole === '') throw new DamagedError(`${path} has something that no backup has (${name}): use another one.`);
      if (current !== whole) {
        await endPart();
        [current, rows] = [whole, reader?.begin(whole) ?? null];
      }
      const sum = found.get(whole) ?? { bytes: 0, hash: createHash('sha256') };
      found.set(whole, sum);
      for await (const chunk of body) {
        sum.bytes += chunk.length;
        sum.hash.update(chunk);
        if (rows !== null && !rows.write(chunk)) await drained(rows);
      }
    }
    await endPart();
  } catch (error) {
    throw explain(error, path);
  }
  return judge(path, manifest, found);
}

/** Resolves when a stream takes more, or has failed, which its reader finds out at the end of the part. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) stream.once(event, done);
  });
}

function judge(path: string, given: unknown, found: Map<string, { bytes: number; hash: Hash }>): Manifest {
  if (given === null) throw new DamagedError(`${path} breaks off before its end: use another one.`);
  if (Reflect.get(Object(given), 'format') !== FORMAT) {
    throw new DamagedError(`${path} was written by a newer release of Marshal: use that release or a later one.`);
  }
  const { success, data: manifest } = manifestSchema.safeParse(given);
  if (!success) throw new DamagedError(`${path} has a manifest that cannot be read: use another one.`);
  const parts = [
    ...manifest.tables.map((table) => [partOf(table.name), table] as const),
    ['jobs', manifest.jobs] as const,
  ];
  for (const [name, { bytes, sha256 }] of parts) {
    const sum = found.get(name) ?? { bytes: 0, hash: createHash('sha256') };
    found.delete(name);
    if (sum.bytes === bytes && sum.hash.digest('hex') === sha256) continue;
    const fault = sum.bytes === 0 ? 'lacks' : 'has other rows than it was written with in';
    throw new DamagedError(
      `${path} is damaged: it ${fault} ${name.replace('tables/', 'the table ')}. Use another one.`,
    );
  }
  const [extra] = found.keys();
  if (extra !== undefined)
    throw new DamagedError(`${path} is damaged: its manifest does not name ${extra}. Use another one.`);
  return manifest;
}
