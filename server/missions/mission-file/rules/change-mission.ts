/** Changes of a mission file for an export: pilots' names as unit names, and the frequencies of Marshal's plan. */
import { field, listAt } from './dcs-words.ts';
import { createResolver, groupIdOf, listGroups, unitIdOf, type Resolve } from './find-seats.ts';
import { isTable, quoteLua, readText, type LuaScalar, type LuaTable, type LuaValue } from './lua-data.ts';

/** What an export says about a group of the file. */
export interface GroupChange {
  readonly groupId: number;
  /** in MHz; null leaves the file's own */
  readonly megahertz: number | null;
  readonly units: readonly { readonly unitId: number; readonly name: string }[];
}

interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly source: string;
}

/** Longer than two call signs and a number, so that a longer name of the file is none of them. */
const NAME_LENGTH = 1_000;
const KINDS = ['plane', 'helicopter', 'vehicle', 'ship', 'static'];

const scalar = (value: LuaValue | undefined): LuaScalar | null =>
  value === undefined || isTable(value) ? null : value;

function nameOf(unit: LuaTable, resolve: Resolve): string {
  const name = scalar(unit.get('name'))?.value;
  return typeof name === 'string' ? readText(resolve(name), NAME_LENGTH) : '';
}

/** Names of all units in the mission, which the simulator tells apart by them. */
function namesInUse(mission: LuaTable, resolve: Resolve, changed: ReadonlySet<LuaTable>): Set<string> {
  const units = ['blue', 'red', 'neutrals'].flatMap((coalition) =>
    listAt(mission, 'coalition', coalition, 'country').flatMap((country) =>
      KINDS.flatMap((kind) => listAt(country, kind, 'group').flatMap((group) => listAt(group, 'units'))),
    ),
  );
  return new Set(units.filter((unit) => !changed.has(unit)).map((unit) => nameOf(unit, resolve)));
}

function uniqueName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} (${number})`;
    if (!taken.has(name)) return name;
  }
}

function retune(group: LuaTable, clients: readonly LuaTable[], megahertz: number): Replacement[] {
  const own = scalar(group.get('frequency'));
  if (typeof own?.value !== 'number' || own.value === megahertz) return [];
  const presets = clients.flatMap((unit) =>
    listAt(unit, 'Radio').flatMap((radio) => {
      const channels = field(radio, 'channels');
      return isTable(channels) ? [...channels.values()] : [];
    }),
  );
  // presets with the frequency of the flight are the flight's; the others belong to somebody else
  const same = presets.flatMap((preset) => scalar(preset) ?? []).filter(({ value }) => value === own.value);
  return [own, ...same].map(({ from, to }) => ({ from, to, source: String(megahertz) }));
}

/**
 * The text of a mission with these changes. All bytes stay, except of the names and frequencies that change.
 * @param mission as the parser read it from `text`, with the units of all kinds
 */
export function changeMission(
  text: string,
  mission: LuaTable,
  dictionaries: readonly LuaTable[],
  changes: readonly GroupChange[],
): string {
  const resolve = createResolver(dictionaries);
  const changeOf = new Map(changes.map((change) => [change.groupId, change]));
  const groups = listGroups(mission).flatMap((group) => {
    const change = changeOf.get(groupIdOf(group.table) ?? Number.NaN);
    return change ? [{ ...group, change }] : [];
  });
  const renamed = groups.flatMap(({ clients, change }) =>
    clients.flatMap((unit) => {
      const wanted = change.units.find(({ unitId }) => unitId === unitIdOf(unit));
      const name = scalar(unit.get('name'));
      return wanted && name ? [{ unit, name, wanted: wanted.name }] : [];
    }),
  );
  const taken = namesInUse(mission, resolve, new Set(renamed.map(({ unit }) => unit)));
  const replacements = groups.flatMap(({ table, clients, change }) =>
    change.megahertz === null ? [] : retune(table, clients, change.megahertz),
  );
  for (const { unit, name, wanted } of renamed) {
    const unique = uniqueName(wanted, taken);
    taken.add(unique);
    if (unique !== nameOf(unit, resolve)) replacements.push({ from: name.from, to: name.to, source: quoteLua(unique) });
  }
  return splice(text, replacements);
}

function splice(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, source } of replacements.toSorted((a, b) => a.from - b.from)) {
    parts.push(text.slice(at, from), source);
    at = to;
  }
  return [...parts, text.slice(at)].join('');
}
