/**
 * The zip archive of a mission file or a recording: its entries, within limits, and a copy in which some are replaced. zip.js
 * reads the directory and writes the copy; entries that stay are copied as they are compressed.
 */
import { Readable } from 'node:stream';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import {
  configure,
  ERR_UNSAFE_FILENAME,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
  type FileEntry,
} from '@zip.js/zip.js';
configure({ useWebWorkers: false });

/** An archive that is refused; the message is the sentence for the person who sent it. */
export class BadArchive extends Error {}

/** Limits against bombs, and the sentences of refusals. */
export interface ArchiveRules {
  entriesMax: number;
  /** of all entries together, as they are declared */
  unpackedBytes: number;
  /** unpacked bytes for each byte of the file */
  ratioMax: number;
  notZip: string;
  tooLarge: string;
  encrypted: string;
  names: string;
}

export interface Archive {
  readonly names: readonly string[];
  /**
   * An entry's content, inflated up to the limit.
   * @returns null when there is none
   * @throws BadArchive
   */
  read(name: string, bytesMax: number): Promise<Buffer | null>;
  /** The same in pieces, for an entry that is too large for the memory. */
  stream(name: string, bytesMax: number): AsyncGenerator<Buffer, void>;
  /** A copy with other contents for these entries; those that are new come last. */
  replace(contents: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array>;
}

const STORED = 0;
const DEFLATED = 8;
/** The date of new entries: equal exports have equal bytes. It is the earliest that a zip archive knows. */
const EPOCH = new Date(1980, 0, 1);

const isOutsideArchive = (name: string): boolean => /(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[A-Za-z]:|\0/.test(name);

/** Refuses what the directory says already; sizes are counted again where an entry is inflated. */
function checkEntries(entries: readonly FileEntry[], fileBytes: number, rules: ArchiveRules): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > rules.unpackedBytes || unpacked > fileBytes * rules.ratioMax) throw new BadArchive(rules.tooLarge);
  if (entries.some(({ encrypted }) => encrypted)) throw new BadArchive(rules.encrypted);
  const names = entries.map(({ filename }) => filename);
  // Windows, on which the simulator runs, knows no upper and lower case in names
  const isRepeated = new Set(names.map((name) => name.toLowerCase())).size < names.length;
  if (isRepeated || names.some(isOutsideArchive)) throw new BadArchive(rules.names);
}

async function listEntries(reader: ZipReader<Uint8Array>, rules: ArchiveRules): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  let count = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    count += 1;
    if (count > rules.entriesMax) throw new BadArchive(rules.tooLarge);
    if (!entry.directory) entries.push(entry);
    else if (isOutsideArchive(entry.filename)) throw new BadArchive(rules.names);
  }
  return entries;
}

/** Refuses entries that share bytes, also those that nobody reads: two programs would read two different archives. */
async function checkOverlaps(entries: readonly FileEntry[]): Promise<void> {
  for (const entry of entries) {
    await entry.getData(new Uint8ArrayWriter(), { passThrough: true, checkOverlappingEntryOnly: true });
  }
}

/** The bytes of an entry as they are compressed. */
const readRaw = (entry: FileEntry): Promise<Uint8Array> =>
  entry.getData(new Uint8ArrayWriter(), { passThrough: true, useWebWorkers: false });

/** The most that an entry may unpack to. */
const bytesMaxOf = (raw: Uint8Array, bytesMax: number, { ratioMax }: ArchiveRules): number =>
  Math.min(bytesMax, Math.max(raw.length, 1) * ratioMax);

function inflate(entry: FileEntry, raw: Uint8Array, bytesMax: number, rules: ArchiveRules): Buffer {
  if (entry.compressionMethod === STORED) {
    if (raw.length > bytesMax) throw new BadArchive(rules.tooLarge);
    return Buffer.from(raw);
  }
  if (entry.compressionMethod !== DEFLATED) throw new BadArchive(rules.notZip);
  const maxOutputLength = bytesMaxOf(raw, bytesMax, rules);
  try {
    return inflateRawSync(raw, { maxOutputLength, finishFlush: constants.Z_FINISH });
  } catch (error) {
    throw new BadArchive(error instanceof RangeError ? rules.tooLarge : rules.notZip);
  }
}

/** The pieces of an entry, counted and summed as they come. */
async function* inflateInPieces(
  entry: FileEntry,
  raw: Uint8Array,
  bytesMax: number,
  rules: ArchiveRules,
): AsyncGenerator<Buffer, void> {
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) throw new BadArchive(rules.notZip);
  const slices = slicesOf(raw);
  const pieces: AsyncIterable<Buffer> =
    entry.compressionMethod === STORED
      ? Readable.from(slices)
      : Readable.from(slices).pipe(createInflateRaw({ chunkSize: SLICE_BYTES }));
  const most = entry.compressionMethod === STORED ? bytesMax : bytesMaxOf(raw, bytesMax, rules);
  let [length, sum] = [0, 0];
  try {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > most) throw new BadArchive(rules.tooLarge);
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    // only zlib's errors have a number
    if (error instanceof Error && 'errno' in error) throw new BadArchive(rules.notZip);
    throw error;
  }
  if (length !== entry.uncompressedSize || sum !== entry.crc32) throw new BadArchive(rules.notZip);
}

const SLICE_BYTES = 256 * 1024;

/** Copies of parts of a file: decoders do not read memory that threads share. */
export function* slicesOf(file: Uint8Array): Generator<Buffer, void> {
  for (let from = 0; from < file.length; from += SLICE_BYTES)
    yield Buffer.from(file.subarray(from, from + SLICE_BYTES));
}

/** zip.js's errors are about the archive; its sentences are for programmers. */
async function asArchive<T>(rules: ArchiveRules, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadArchive) throw error;
    const isName = error instanceof Error && error.message === ERR_UNSAFE_FILENAME;
    throw new BadArchive(isName ? rules.names : rules.notZip);
  }
}

/** @throws BadArchive for anything that is no zip archive within the limits */
export async function openArchive(file: Uint8Array, rules: ArchiveRules): Promise<Archive> {
  const entries = await asArchive(rules, () => listEntries(new ZipReader(new Uint8ArrayReader(file)), rules));
  checkEntries(entries, file.length, rules);
  await asArchive(rules, () => checkOverlaps(entries));

  return {
    names: entries.map(({ filename }) => filename),
    async read(name, bytesMax) {
      const entry = entries.find(({ filename }) => filename === name);
      if (!entry) return null;
      const content = inflate(entry, await asArchive(rules, () => readRaw(entry)), bytesMax, rules);
      if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) {
        throw new BadArchive(rules.notZip);
      }
      return content;
    },
    async *stream(name, bytesMax) {
      const entry = entries.find(({ filename }) => filename === name);
      if (!entry) return;
      yield* inflateInPieces(entry, await asArchive(rules, () => readRaw(entry)), bytesMax, rules);
    },
    replace: (contents) =>
      asArchive(rules, async () => {
        const writer = new ZipWriter(new Uint8ArrayWriter(), {
          extendedTimestamp: false,
          keepOrder: true,
          zip64: false,
        });
        for (const entry of entries) {
          const { filename, filenameUTF8, rawFilename, version } = entry;
          const replaced = contents.get(filename);
          const same = {
            entry,
            version,
            useUnicodeFileNames: filenameUTF8,
            // names keep their bytes, whatever their encoding
            encodeText: (text: string) => (text === filename ? rawFilename : undefined),
            dataDescriptor: false,
          };
          if (replaced) await writer.add(filename, new Uint8ArrayReader(replaced), same);
          else await writer.add(filename, new Uint8ArrayReader(await readRaw(entry)), { ...same, passThrough: true });
        }
        const known = new Set(entries.map(({ filename }) => filename));
        for (const [name, content] of contents) {
          if (known.has(name)) continue;
          await writer.add(name, new Uint8ArrayReader(content), { dataDescriptor: false, lastModDate: EPOCH });
        }
        return writer.close();
      }),
  };
}
