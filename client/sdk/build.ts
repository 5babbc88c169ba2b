/** `npm run build:sdk`: the package `marshal-client`, ready for `npm publish`, in a folder that git ignores. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPEATABLE_CALLS } from './app-router.ts';
import { printRouterTypes } from './router-types.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, 'node_modules', '.cache', 'marshal-client');
const SOURCES = ['app-router.ts', 'marshal-client.ts'];
const COMPILER =
  '--ignoreConfig --strict --skipLibCheck --declaration --rewriteRelativeImportExtensions --module nodenext --target es2022 --lib es2023,dom';

function runTool(name: string, args: readonly string[], input?: string): string {
  const bin = join(ROOT, 'node_modules', name === 'tsc' ? 'typescript' : name, 'bin', name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: OUT, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} failed:\n${stdout}${stderr}`);
  return stdout;
}

function printManifest(): string {
  const { version, license, description, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'version' | 'license' | 'description', string> & { dependencies: Record<string, string> };
  const manifest = {
    name: 'marshal-client',
    version,
    description: `Typed client of Marshal: ${description.toLowerCase()}`,
    license,
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './marshal-client.d.ts', default: './marshal-client.js' } },
    files: ['*.js', '*.d.ts'],
    sideEffects: false,
    dependencies: Object.fromEntries(
      ['@trpc/client', '@trpc/server'].map((name) => [name, `^${dependencies[name] ?? ''}`]),
    ),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

async function printCalls(): Promise<string> {
  const calls = [...REPEATABLE_CALLS].map((name) => JSON.stringify(name)).join(', ');
  return `${await printRouterTypes()}
/** Calls that change something, but never twice. */
export const REPEATABLE_CALLS: ReadonlySet<string> = new Set([${calls}]);
`;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'package.json'), printManifest());
writeFileSync(join(OUT, 'app-router.ts'), runTool('oxfmt', ['--stdin-filepath', 'app-router.ts'], await printCalls()));
copyFileSync(join(import.meta.dirname, 'marshal-client.ts'), join(OUT, 'marshal-client.ts'));
copyFileSync(join(import.meta.dirname, 'README.md'), join(OUT, 'README.md'));
copyFileSync(join(ROOT, 'LICENSE'), join(OUT, 'LICENSE'));
runTool('tsc', [...COMPILER.split(' '), ...SOURCES]);
for (const name of SOURCES) {
  const declarations = join(OUT, name.replace(/ts$/, 'd.ts'));
  // the compiler keeps the names of sources in declarations
  writeFileSync(declarations, readFileSync(declarations, 'utf8').replaceAll(/'(\.\/[\w-]+)\.ts'/g, "'$1.js'"));
  rmSync(join(OUT, name));
}
console.log(`Built marshal-client in ${OUT}.`);
