/** Size budget of every page: what it loads, compressed, must not grow by more than 3 % (`route-budgets.json`). */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest, Plugin } from 'vite';
import { toBrotli } from './brotli-files.ts';

const BUDGETS = fileURLToPath(new URL('route-budgets.json', import.meta.url));
/** A build with this environment variable set to 1 writes the budgets. */
export const ACCEPT_GROWTH = 'ACCEPT_ROUTE_BUDGETS';
const MOST_GROWTH = 1.03;

const ENTRY = 'index.html';
const ROUTE = /^src\/routes\/(.+)\.tsx\?tsr-split=component$/;
const SIGNED_IN = '_signed-in/';

/** Parts, by their file names, that load after the first render of every page in a folder of routes. */
const FOLDER_PARTS: Readonly<Record<string, readonly string[]>> = {
  '': ['toast-stack', 'offline-banner'],
  [SIGNED_IN]: ['crew-bars', 'live'],
  [`${SIGNED_IN}admin/`]: ['admin-rail'],
};
/** And those of single pages. Parts that only some data or a click needs are not counted, such as charts and dialogs. */
const PAGE_PARTS: Readonly<Record<string, readonly string[]>> = {
  '/': ['request-form'],
  '/home': ['open-seats-panel'],
};

/** The front page as a visitor first sees it: its prerendered markup and styles, before any script. */
const FIRST_SIGHT = '/ before its scripts';

/** Brotli bytes by address; addresses of a page with an id have its name, as in `/orders/$orderId`. */
type RouteBytes = Record<string, number>;

/** `/admin/users` for the route file `_signed-in/admin/users/index`. */
function addressOf(file: string): string {
  return `/${file.replace(SIGNED_IN, '').replace(/(^|\/)index$/, '')}`;
}

/** Names of the routes around a route file, `_signed-in` and `_signed-in/admin` for `_signed-in/admin/index`. */
function parentsOf(file: string): string[] {
  const folders = file.split('/').slice(0, -1);
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
}

/** @throws Error when the part is not in the build, or no part of its own */
function partKey(manifest: Manifest, name: string): string {
  const [key, ...others] = Object.keys(manifest).filter(
    (one) => manifest[one]?.name === name && manifest[one].file.endsWith('.js'),
  );
  if (key === undefined || others.length > 0) {
    throw new Error(
      `client/route-budgets.ts names ${name}: the build has ${others.length + (key ? 1 : 0)} parts of it.`,
    );
  }
  return key;
}

/**
 * The scripts and style sheets that each page loads, without fonts and pictures.
 * @returns their names in the folder of the build, by address
 * @throws Error when a part is not in the build
 */
export function routeFiles(manifest: Manifest): Record<string, string[]> {
  const routes = Object.keys(manifest).flatMap((key) => ROUTE.exec(key)?.[1] ?? []);
  return Object.fromEntries(
    routes.map((file) => {
      const address = addressOf(file);
      const files = new Set<string>();
      const seen = new Set<string>();
      const add = (key: string): void => {
        const chunk = manifest[key];
        if (chunk === undefined || seen.has(key)) return;
        seen.add(key);
        for (const name of [chunk.file, ...(chunk.css ?? [])]) files.add(name);
        for (const imported of chunk.imports ?? []) add(imported);
      };
      const chain = [...parentsOf(file), file].map((name) => `src/routes/${name}.tsx?tsr-split=component`);
      const ofFolders = Object.entries(FOLDER_PARTS).flatMap(([folder, names]) =>
        file.startsWith(folder) ? names : [],
      );
      const parts = [...ofFolders, ...(PAGE_PARTS[address] ?? [])];
      for (const key of [ENTRY, ...chain, ...parts.map((name) => partKey(manifest, name))]) add(key);
      return [address, ['boot.js', ...[...files].toSorted()]];
    }),
  );
}

/** @param dist folder of the build, with its manifest and compressed files */
async function routeBytes(dist: string): Promise<RouteBytes> {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const pageBytes = async (name: string): Promise<number> => (await toBrotli(readFileSync(join(dist, name)))).length;
  const bytes: RouteBytes = { [FIRST_SIGHT]: await pageBytes('landing.html') };
  const document = await pageBytes('index.html');
  for (const [address, files] of Object.entries(routeFiles(manifest))) {
    const sizes = files.map((name) => statSync(join(dist, `${name}.br`)).size);
    const page = address === '/' ? (bytes[FIRST_SIGHT] ?? 0) : document;
    bytes[address] = sizes.reduce((sum, size) => sum + size, page);
  }
  return Object.fromEntries(Object.entries(bytes).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** @returns a sentence for each page that is too large, or has no budget, or has one without being a page */
function overBudget(bytes: RouteBytes, budgets: RouteBytes): string[] {
  const grown = Object.entries(bytes).flatMap(([address, size]) => {
    const budget = budgets[address];
    if (budget === undefined) return [`${address} loads ${size} bytes and has no budget.`];
    if (size <= budget * MOST_GROWTH) return [];
    const growth = (((size - budget) / budget) * 100).toFixed(1);
    return [`${address} loads ${size} bytes, ${growth} % more than its budget of ${budget}.`];
  });
  const gone = Object.keys(budgets).filter((address) => bytes[address] === undefined);
  return [...grown, ...gone.map((address) => `${address} has a budget and is no page.`)];
}

/**
 * Compares a build with the budgets.
 * @param dist folder of the build, with its manifest and compressed files
 * @throws Error with a sentence for each page over its budget, and how to accept a growth that is wanted
 */
export async function checkRouteBudgets(dist: string): Promise<void> {
  const faults = overBudget(await routeBytes(dist), JSON.parse(readFileSync(BUDGETS, 'utf8')));
  if (faults.length === 0) return;
  const remedy = `Load less, or accept the sizes with \`${ACCEPT_GROWTH}=1 npm run build\` and say in the commit why.`;
  throw new Error(['Pages are over their budgets of Brotli bytes:', ...faults, remedy].join('\n'));
}

/** @param options.accept writes the sizes of this build as the budgets, instead of comparing */
export function routeBudgets({ accept }: { accept: boolean }): Plugin {
  return {
    name: 'marshal:route-budgets',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler({ dir = '' }) {
        if (accept) writeFileSync(BUDGETS, `${JSON.stringify(await routeBytes(dir), null, 2)}\n`);
        else await checkRouteBudgets(dir);
      },
    },
  };
}
