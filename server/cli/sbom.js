// `npm run sbom`: the software bill of materials (SBOM, CycloneDX) of the packages that a start installs, on standard output:
// those that Marshal runs on, and those that its client is built from, marked as optional.
// npm writes it from a lock file without development packages, because `npm sbom --omit dev` also leaves out packages that
// development tools and Marshal share, such as zod.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMain } from './bootstrap.js';
import { ROOT, runNpm } from './programs.js';

await runMain(async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'marshal-sbom-'));
  // npm takes the name from the directory
  const directory = join(temporary, 'marshal');
  try {
    mkdirSync(directory);
    const { devDependencies: _, ...manifest } = read('package.json');
    const lock = read('package-lock.json');
    delete lock.packages[''].devDependencies;
    for (const [path, { dev }] of Object.entries(lock.packages)) {
      if (dev) delete lock.packages[path];
    }
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(lock));
    await runNpm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--prefix', directory]);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});

/** @param {string} name */
function read(name) {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}
