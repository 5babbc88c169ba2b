/** Worker thread that reads mission files and recordings, and writes mission files with changes: nothing of it may block the event loop. */
import { yieldThread } from '#server/platform/thread-priority.ts';
import { copy, notLuaDataSentence } from '#shared/copy.ts';
import { MISSION_FILE } from '#shared/limits.ts';
import type { FoundMission } from '#shared/schemas/mission-file.ts';
import { BadArchive, openArchive, slicesOf, type Archive, type ArchiveRules } from './archive.ts';
import { AcmiReader, BadRecording, type Recording } from './rules/acmi.ts';
import { changeMission, type GroupChange } from './rules/change-mission.ts';
import { createResolver, findMission, FORGOTTEN_TABLES, TooManySeats } from './rules/find-seats.ts';
import { isTable, NotLuaData, parseLuaData, type LuaKey, type LuaTable } from './rules/lua-data.ts';
import { RECORDING } from '#shared/presence.ts';

yieldThread();

export type FileTask =
  | { readonly kind: 'read'; readonly file: Uint8Array }
  | { readonly kind: 'recording'; readonly file: Uint8Array }
  | {
      readonly kind: 'write';
      readonly file: Uint8Array;
      readonly changes: readonly GroupChange[];
      /** further entries by name, such as kneeboard pages */
      readonly entries: ReadonlyMap<string, Uint8Array>;
    };
/** A refusal as data: errors lose their class when they are passed between threads. */
export type FileReply = { answer: FoundMission | Recording | Uint8Array } | { refusal: string };

/** A mission file that is refused; the message is the sentence for the person who sent it. */
class BadMissionFile extends Error {}

const MISSION_ARCHIVE: ArchiveRules = {
  ...MISSION_FILE,
  notZip: copy.missionFileNotZip,
  tooLarge: copy.missionFileUnpacksTooLarge,
  encrypted: copy.missionFileEncrypted,
  names: copy.missionFileNames,
};
/** The same limits, for an archive with one text in it. */
const RECORDING_ARCHIVE: ArchiveRules = {
  ...MISSION_FILE,
  unpackedBytes: RECORDING.textBytes,
  notZip: copy.recordingNotAcmi,
  tooLarge: copy.recordingUnpacksTooLarge,
  encrypted: copy.recordingEncrypted,
  names: copy.missionFileNames,
};

const MISSION = 'mission';
const DICTIONARY = /^l10n\/([^/]+)\/dictionary$/;
/** An export tells unit names apart from the names of all kinds of units. */
const FORGOTTEN_IN_EXPORT = new Set(
  [...FORGOTTEN_TABLES].filter((key) => !['ship', 'static', 'vehicle'].includes(String(key))),
);

async function readData(archive: Archive, entry: string, bytesMax: number, forgotten: ReadonlySet<LuaKey> = new Set()) {
  const content = await archive.read(entry, bytesMax);
  const text = content?.toString('latin1') ?? '';
  const table = parseLuaData(text, forgotten).get(entry.split('/').at(-1) ?? '');
  return { text, table: isTable(table) ? table : null };
}

async function readMission(archive: Archive, forgotten: ReadonlySet<LuaKey>) {
  const { text, table } = await readData(archive, MISSION, MISSION_FILE.missionBytes, forgotten);
  if (table === null) throw new BadMissionFile(copy.missionFileNoMission);
  return { text, mission: table };
}

/** The texts that the mission refers to: DEFAULT first, then its languages. */
async function readDictionaries(archive: Archive): Promise<LuaTable[]> {
  const languages = archive.names.flatMap((name) => DICTIONARY.exec(name)?.[1] ?? []);
  const inOrder = languages.toSorted((a, b) => Number(b === 'DEFAULT') - Number(a === 'DEFAULT') || (a < b ? -1 : 1));
  const tables: LuaTable[] = [];
  let room: number = MISSION_FILE.dictionaryBytes;
  for (const language of inOrder) {
    const { text, table } = await readData(archive, `l10n/${language}/dictionary`, room);
    room -= text.length;
    if (table !== null) tables.push(table);
  }
  return tables;
}

async function read(file: Uint8Array): Promise<FoundMission> {
  const archive = await openArchive(file, MISSION_ARCHIVE);
  const { mission } = await readMission(archive, FORGOTTEN_TABLES);
  const found = findMission(mission, createResolver(await readDictionaries(archive)));
  if (found.groups.length === 0) throw new BadMissionFile(copy.missionFileNoSeats);
  return found;
}

async function write({ file, changes, entries }: Extract<FileTask, { kind: 'write' }>): Promise<Uint8Array> {
  const archive = await openArchive(file, MISSION_ARCHIVE);
  const { text, mission } = await readMission(archive, FORGOTTEN_IN_EXPORT);
  const changed = changeMission(text, mission, await readDictionaries(archive), changes);
  const contents = new Map(entries);
  if (changed !== text) contents.set(MISSION, Buffer.from(changed, 'latin1'));
  return archive.replace(contents);
}

const ZIP = Buffer.from('PK\x03\x04');
const RECORDING_ENTRY = /\.(?:acmi|txt)$/i;

/** The text of a recording in pieces, from a zip archive with one such text, or as it is. */
async function* textOf(file: Uint8Array): AsyncGenerator<Buffer, void> {
  if (!ZIP.equals(file.subarray(0, ZIP.length))) {
    yield* slicesOf(file);
    return;
  }
  const archive = await openArchive(file, RECORDING_ARCHIVE);
  const [name, ...others] = archive.names.filter((one) => RECORDING_ENTRY.test(one));
  if (name === undefined || others.length > 0) throw new BadArchive(copy.recordingNotAcmi);
  yield* archive.stream(name, RECORDING.textBytes);
}

async function readRecording(file: Uint8Array): Promise<Recording> {
  const decoder = new TextDecoder();
  const reader = new AcmiReader();
  for await (const piece of textOf(file)) reader.feed(decoder.decode(piece, { stream: true }));
  reader.feed(decoder.decode());
  return reader.end();
}

function answer(task: FileTask): Promise<FoundMission | Recording | Uint8Array> {
  if (task.kind === 'read') return read(task.file);
  return task.kind === 'recording' ? readRecording(task.file) : write(task);
}

const REFUSALS = [BadArchive, BadMissionFile, BadRecording];

export async function run(task: FileTask): Promise<FileReply> {
  try {
    return { answer: await answer(task) };
  } catch (error) {
    if (error instanceof Error && REFUSALS.some((kind) => error instanceof kind)) return { refusal: error.message };
    if (error instanceof TooManySeats) return { refusal: copy.missionFileTooManySeats };
    if (error instanceof NotLuaData) return { refusal: notLuaDataSentence(error.message) };
    throw error;
  }
}
