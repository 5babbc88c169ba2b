/**
 * The server under `npm run dev`. A process loads the packages and Marshal's own files, and waits for a save. Then it loads the
 * changed files again, and those that import them, and serves when the server before it has ended. `dev.ts` says when.
 */
import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Messages from `dev.ts`: first the paths of changed files to load again, then `serve`. */
export type Word = { load: string[] } | 'serve';

const ROOT = new URL('../../', import.meta.url);
const { dependencies, imports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  dependencies: Record<string, string>;
  imports: Record<string, string>;
};
const folders = Object.entries(imports).map(([name, path]) => ({
  start: name.replace('*', ''),
  folder: new URL(path.replace('*', ''), ROOT),
}));

/** The address of one of Marshal's own files, from an import of it; null for any other import. */
function addressOf(name: string, parent: string | undefined): string | null {
  if (!name.endsWith('.ts')) return null;
  if (name.startsWith('.')) return parent?.startsWith(ROOT.href) ? new URL(name, parent).href : null;
  const found = folders.find(({ start }) => name.startsWith(start));
  return found ? new URL(name.slice(found.start.length), found.folder).href : null;
}

/** Marshal's files that import a file, by its address. */
const importers = new Map<string, Set<string>>();
/** Files that have changed since they were loaded, and their importers; null: all files. */
let stale: Set<string> | null = new Set();

// Node keeps every loaded module, so a changed file is loaded under another address. Resolving own files here also saves a third
// of their loading time, because Node reads package.json again for each of their imports.
registerHooks({
  resolve(name, context, next) {
    const address = addressOf(name, context.parentURL);
    if (address === null) return next(name, context);
    const known = importers.get(address) ?? new Set();
    importers.set(address, known.add((context.parentURL ?? '').replace('?saved', '')));
    const isStale = stale === null || stale.has(address);
    return { url: isStale ? `${address}?saved` : address, format: 'module-typescript', shortCircuit: true };
  },
});

/** The files and all that import them, directly or not; null when nobody can tell what depends on one of them. */
function withImporters(paths: readonly string[]): Set<string> | null {
  if (paths.some((path) => !path.endsWith('.ts'))) return null;
  const found = new Set(paths.map((path) => pathToFileURL(path).href));
  for (const address of found) for (const importer of importers.get(address) ?? []) found.add(importer);
  return found;
}

/** The larger part of what main.ts needs. */
async function loadOwnFiles(): Promise<void> {
  await import('#server/http/http.ts');
  await import('#server/jobs/worker.ts');
}

// kept from the start, because both messages may come while this process still loads
const messages = on(process, 'message');

/** Packages with files for browsers only. */
const FOR_BROWSERS = /^(?:@fontsource\/|swagger-ui-dist$)/;
for (const name of Object.keys(dependencies)) {
  // some have parts only, which are loaded with the files that need them
  if (!FOR_BROWSERS.test(name)) await import(name).catch(() => undefined);
}
let hasFailed = false;
await loadOwnFiles().catch(() => (hasFailed = true));

const load = await messages.next();
const serve = messages.next();
const [{ load: paths }] = load.value as [{ load: string[] }];
stale = hasFailed ? null : withImporters(paths);
await loadOwnFiles();
await serve;
await messages.return?.();
process.disconnect?.();
await import('#server/main.ts');
