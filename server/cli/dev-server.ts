/**
 * The server under `npm run dev`. It loads the packages, which takes most of a start, and waits for a save; it then loads
 * Marshal's own files, and serves when the server before it has ended. `dev.ts` says when.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const ROOT = new URL('../../', import.meta.url);
const { dependencies, imports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  dependencies: Record<string, string>;
  imports: Record<string, string>;
};

const folders = Object.entries(imports).map(([name, path]) => ({
  start: name.replace('*', ''),
  folder: new URL(path.replace('*', ''), ROOT),
}));
// Node looks for package.json anew at each import of an own file, which takes a third of their loading
registerHooks({
  resolve(name, context, next) {
    const found = name.endsWith('.ts') ? folders.find(({ start }) => name.startsWith(start)) : undefined;
    if (!found) return next(name, context);
    const { href: url } = new URL(name.slice(found.start.length), found.folder);
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});

/** @returns when `dev.ts` has said this word; never, when it has gone */
async function told(word: 'load' | 'serve'): Promise<void> {
  for (;;) {
    const [heard] = (await once(process, 'message')) as unknown[];
    if (heard === word) return;
  }
}

/** Packages with files for browsers only. */
const FOR_BROWSERS = /^(?:@fontsource\/|swagger-ui-dist$)/;
for (const name of Object.keys(dependencies)) {
  // some have parts only, which are loaded with the files that need them
  if (!FOR_BROWSERS.test(name)) await import(name).catch(() => undefined);
}
await told('load');
const mayServe = told('serve');
// the larger part of what main.ts needs
await import('#server/http/http.ts');
await import('#server/jobs/worker.ts');
await mayServe;
process.disconnect?.();
await import('#server/main.ts');
