/** Worker thread that reads mission files and writes them with changes: neither may block the event loop. */
import { yieldThread } from '#server/platform/thread-priority.ts';
import { copy, notLuaDataSentence } from '#shared/copy.ts';
import { MISSION_FILE } from '#shared/limits.ts';
import type { FoundMission } from '#shared/schemas/mission-file.ts';
import { BadMissionFile, openArchive, type Archive } from './archive.ts';
import { changeMission, type GroupChange } from './rules/change-mission.ts';
import { createResolver, findMission, FORGOTTEN_TABLES, TooManySeats } from './rules/find-seats.ts';
import { isTable, NotLuaData, parseLuaData, type LuaKey, type LuaTable } from './rules/lua-data.ts';

yieldThread();

export type FileTask =
  | { readonly kind: 'read'; readonly file: Uint8Array }
  | {
      readonly kind: 'write';
      readonly file: Uint8Array;
      readonly changes: readonly GroupChange[];
      /** further entries by name, such as kneeboard pages */
      readonly entries: ReadonlyMap<string, Uint8Array>;
    };
/** A refusal as data: errors lose their class when they are passed between threads. */
export type FileReply = { answer: FoundMission | Uint8Array } | { refusal: string };

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
  const archive = await openArchive(file);
  const { mission } = await readMission(archive, FORGOTTEN_TABLES);
  const found = findMission(mission, createResolver(await readDictionaries(archive)));
  if (found.groups.length === 0) throw new BadMissionFile(copy.missionFileNoSeats);
  return found;
}

async function write({ file, changes, entries }: Extract<FileTask, { kind: 'write' }>): Promise<Uint8Array> {
  const archive = await openArchive(file);
  const { text, mission } = await readMission(archive, FORGOTTEN_IN_EXPORT);
  const changed = changeMission(text, mission, await readDictionaries(archive), changes);
  const contents = new Map(entries);
  if (changed !== text) contents.set(MISSION, Buffer.from(changed, 'latin1'));
  return archive.replace(contents);
}

export async function run(task: FileTask): Promise<FileReply> {
  try {
    return { answer: task.kind === 'read' ? await read(task.file) : await write(task) };
  } catch (error) {
    if (error instanceof BadMissionFile) return { refusal: error.message };
    if (error instanceof TooManySeats) return { refusal: copy.missionFileTooManySeats };
    if (error instanceof NotLuaData) return { refusal: notLuaDataSentence(error.message) };
    throw error;
  }
}
