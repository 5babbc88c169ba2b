/** The order of the rooms: imports go down these lists only. `tests/unit/rooms.test.ts` reads every import against them. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';

/** Rooms of `server/` by layer, top first; those on one line may import each other. Files outside folders count as `cli`. */
export const SERVER_LAYERS = {
  doors: [['cli'], ['http', 'jobs']],
  evening: [['discord'], ['delivery'], ['missions'], ['board'], ['orders'], ['planning']],
  people: [['availability'], ['accounts']],
  ground: [['backup'], ['signals'], ['platform'], ['schema'], ['time']],
} as const;

export const SERVER_ROOMS: readonly (readonly string[])[] = Object.values(SERVER_LAYERS).flat();

/** The order inside rooms: their parts, top first; `.` are the files outside parts. Parts that are not listed may import each other. */
const PARTS: Record<string, readonly string[]> = {
  cli: ['.', 'sample'],
  delivery: ['mail', 'webhooks', 'push', '.'],
  missions: ['series', 'cockpit', '.', 'briefing', 'reminders', 'attendance', 'mission-file'],
  orders: ['.', 'seating', 'seats'],
  availability: ['spreadsheet', '.'],
};

/** Folders of `client/src/`, top first. A feature imports no other, except from these lists. */
export const CLIENT_ROOMS = [
  ['routes'],
  ['features/home', 'features/missions/day'],
  ['features/order', 'features/missions/edit', 'features/missions/plan', 'features/missions/board'],
  ['features/missions/create'],
  ['features/missions/week-plan', 'features/missions/series'],
  ['features/missions/seats'],
  ['features/missions'],
  ['features'],
  ['domain-ui'],
  ['components'],
  ['lib'],
  ['theme'],
] as const;

/** Features that may import those lower in the list. */
const FAMILIES = [['home', 'order'], ['missions']];

/** Import prefixes `#name/` of package.json, with their folders. */
const ALIASES: Record<string, string> = Object.fromEntries(
  Object.entries(
    (
      JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
        imports: Record<string, string>;
      }
    ).imports,
  ).map(([alias, folder]) => [alias.slice(0, -1), folder.slice(2, -1)]),
);

const IMPORT = /(?:from|import)\s*\(?\s*['"]((?:#[a-z]+|\.{1,2})\/[^'"]+)['"]/g;

/** @returns the files of ours that a file's text imports, by their paths from the root; other packages are left out */
export function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, target = '']) => {
    const alias = Object.keys(ALIASES).find((name) => target.startsWith(name));
    if (alias !== undefined) return `${ALIASES[alias]}${target.slice(alias.length)}`;
    return normalize(join(dirname(file), target));
  });
}

/** @returns the position of a room, 0 at the top, or -1 when it is in no list */
const levelOf = (rooms: readonly (readonly string[])[], room: string) => rooms.findIndex((line) => line.includes(room));

function serverRoom(file: string): string {
  const [, room = '', inRoom] = file.split('/');
  return inRoom === undefined ? 'cli' : room;
}

/** @returns the position of a file's part in its room, 0 at the top; -1 without an order */
function partLevel(room: string, file: string): number {
  const parts = PARTS[room] ?? [];
  const [, , part = ''] = file.split('/');
  return parts.indexOf(parts.includes(part) ? part : '.');
}

function clientRoom(file: string): string {
  const path = dirname(file).replace(/^client\/src\/?/, '');
  const known = CLIENT_ROOMS.flat().filter((room) => path === room || path.startsWith(`${room}/`));
  return known.reduce((longest, room) => (room.length > longest.length ? room : longest), '');
}

const featureOf = (file: string) => /^client\/src\/features\/([^/]+)/.exec(file)?.[1];

/** @returns why the import is not allowed; null when it is */
export function judgeImport(from: string, to: string): string | null {
  if (from.startsWith('server/') && to.startsWith('server/')) {
    const [own, other] = [serverRoom(from), serverRoom(to)];
    const [level, below] = [levelOf(SERVER_ROOMS, own), levelOf(SERVER_ROOMS, other)];
    if (level === -1) return `server/${own} is in no list of rooms`;
    if (below < level) return `server/${own} stands below server/${other}`;
    if (own === other && partLevel(own, to) < partLevel(own, from)) return `${from} stands below ${to}`;
    const isPure = (file: string) => /^server\/(?:time|(?:[\w-]+\/){1,2}rules)\//.test(file);
    return isPure(from) && !isPure(to) ? 'rules import other rules only' : null;
  }
  if (from.startsWith('client/src/') && to.startsWith('client/src/') && dirname(from) !== 'client/src') {
    const [own, other] = [featureOf(from), featureOf(to)];
    if (own !== undefined && other !== undefined && own !== other) {
      const isFamily = FAMILIES.some((family) => family.includes(own) && family.includes(other));
      if (!isFamily) return `features meet in a route: ${own} imports ${other}`;
    }
    if (own !== undefined && own === other && !FAMILIES.flat().includes(own)) return null;
    const [level, below] = [levelOf(CLIENT_ROOMS, clientRoom(from)), levelOf(CLIENT_ROOMS, clientRoom(to))];
    return level !== -1 && below < level ? `${clientRoom(from)} stands below ${clientRoom(to) || 'client/src'}` : null;
  }
  return null;
}
