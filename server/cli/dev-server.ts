/**
 * The server under `npm run dev`. A process loads the packages and Marshal's own files, and waits for a save. Then it loads the
 * changed files again, and those that import them, and serves when the server before it has ended. `dev.ts` says when.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/** What `dev.ts` says: load these files again, by their paths, and later: serve. */
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

/** The address of an own file as another file names it, without a version; null for all else. */
function addressOf(name: string, parent: string | undefined): string | null {
  if (!name.endsWith('.ts')) return null;
  if (name.startsWith('.')) return parent?.startsWith(ROOT.href) ? new URL(name, parent).href : null;
  const found = folders.find(({ start }) => name.startsWith(start));
  return found ? new URL(name.slice(found.start.length), found.folder).href : null;
}

const withoutVersion = (address: string): string => address.replace(/\?.*/, '');

/** The own files that import a file, by its address. */
const importers = new Map<string, Set<string>>();
/** Files whose code in memory is that of before; null: all. */
let stale: Set<string> | null = new Set();

// Node has no way to forget a module, so a file that is loaded again has another address. It also saves a third of the time to
// answer here, because Node looks for package.json anew at each import of an own file.
registerHooks({
  resolve(name, context, next) {
    const address = addressOf(name, context.parentURL);
    if (address === null) return next(name, context);
    const known = importers.get(address) ?? new Set();
    importers.set(address, known.add(withoutVersion(context.parentURL ?? '')));
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

async function hear(): Promise<Word> {
  const [word] = (await once(process, 'message')) as [Word];
  return word;
}

/** The larger part of what main.ts needs. */
async function loadOwnFiles(): Promise<void> {
  await import('#server/http/http.ts');
  await import('#server/jobs/worker.ts');
}

/** Packages with files for browsers only. */
const FOR_BROWSERS = /^(?:@fontsource\/|swagger-ui-dist$)/;
for (const name of Object.keys(dependencies)) {
  // some have parts only, which are loaded with the files that need them
  if (!FOR_BROWSERS.test(name)) await import(name).catch(() => undefined);
}
let hasFailed = false;
await loadOwnFiles().catch(() => (hasFailed = true));

const word = await hear();
const mayServe = word === 'serve' ? Promise.resolve() : hear();
if (word !== 'serve') stale = hasFailed ? null : withImporters(word.load);
await loadOwnFiles();
await mayServe;
process.disconnect?.();
await import('#server/main.ts');
