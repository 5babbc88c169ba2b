/**
 * The zip archive of a mission file: its entries, within limits, and a copy in which some are replaced. zip.js reads the
 * directory and writes the copy; entries that stay are copied as they are compressed.
 */
import { constants, crc32, inflateRawSync } from 'node:zlib';
import {
  configure,
  ERR_UNSAFE_FILENAME,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
  type FileEntry,
} from '@zip.js/zip.js';
import { copy } from '#shared/copy.ts';
import { MISSION_FILE } from '#shared/limits.ts';

configure({ useWebWorkers: false });

/** A file that is refused; the message is the sentence for the person who sent it. */
export class BadMissionFile extends Error {}

export interface Archive {
  readonly names: readonly string[];
  /**
   * An entry's content, inflated up to the limit.
   * @returns null when there is none
   * @throws BadMissionFile
   */
  read(name: string, bytesMax: number): Promise<Buffer | null>;
  /** A copy with other contents for these entries; those that are new come last. */
  replace(contents: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array>;
}

const STORED = 0;
const DEFLATED = 8;
/** The date of new entries: equal exports have equal bytes. It is the earliest that a zip archive knows. */
const EPOCH = new Date(1980, 0, 1);

const isOutsideArchive = (name: string): boolean => /(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[A-Za-z]:|\0/.test(name);

/** Refuses what the directory says already; sizes are counted again where an entry is inflated. */
function checkEntries(entries: readonly FileEntry[], fileBytes: number): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > MISSION_FILE.unpackedBytes || unpacked > fileBytes * MISSION_FILE.ratioMax) {
    throw new BadMissionFile(copy.missionFileUnpacksTooLarge);
  }
  if (entries.some(({ encrypted }) => encrypted)) throw new BadMissionFile(copy.missionFileEncrypted);
  const names = entries.map(({ filename }) => filename);
  // Windows, on which the simulator runs, knows no upper and lower case in names
  const isRepeated = new Set(names.map((name) => name.toLowerCase())).size < names.length;
  if (isRepeated || names.some(isOutsideArchive)) throw new BadMissionFile(copy.missionFileNames);
}

async function listEntries(reader: ZipReader<Uint8Array>): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  let count = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    count += 1;
    if (count > MISSION_FILE.entriesMax) throw new BadMissionFile(copy.missionFileUnpacksTooLarge);
    if (!entry.directory) entries.push(entry);
    else if (isOutsideArchive(entry.filename)) throw new BadMissionFile(copy.missionFileNames);
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

function inflate(entry: FileEntry, raw: Uint8Array, bytesMax: number): Buffer {
  if (entry.compressionMethod === STORED) {
    if (raw.length > bytesMax) throw new BadMissionFile(copy.missionFileUnpacksTooLarge);
    return Buffer.from(raw);
  }
  if (entry.compressionMethod !== DEFLATED) throw new BadMissionFile(copy.missionFileNotZip);
  const ratioBytes = Math.max(raw.length, 1) * MISSION_FILE.ratioMax;
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.min(bytesMax, ratioBytes), finishFlush: constants.Z_FINISH });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw new BadMissionFile(isTooLarge ? copy.missionFileUnpacksTooLarge : copy.missionFileNotZip);
  }
}

/** zip.js's errors are about the archive; its sentences are for programmers. */
async function asMissionFile<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadMissionFile) throw error;
    const isName = error instanceof Error && error.message === ERR_UNSAFE_FILENAME;
    throw new BadMissionFile(isName ? copy.missionFileNames : copy.missionFileNotZip);
  }
}

/** @throws BadMissionFile for anything that is no zip archive within the limits */
export async function openArchive(file: Uint8Array): Promise<Archive> {
  const entries = await asMissionFile(() => listEntries(new ZipReader(new Uint8ArrayReader(file))));
  checkEntries(entries, file.length);
  await asMissionFile(() => checkOverlaps(entries));

  return {
    names: entries.map(({ filename }) => filename),
    async read(name, bytesMax) {
      const entry = entries.find(({ filename }) => filename === name);
      if (!entry) return null;
      const content = inflate(entry, await asMissionFile(() => readRaw(entry)), bytesMax);
      if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) {
        throw new BadMissionFile(copy.missionFileNotZip);
      }
      return content;
    },
    replace: (contents) =>
      asMissionFile(async () => {
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
