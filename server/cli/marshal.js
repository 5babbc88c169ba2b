// `npm run marshal`: install if needed, then the command line under the pinned Node, with the settings of `npm start`.
import { join } from 'node:path';
import { ensureInstalled, runMain, runNode } from './bootstrap.js';
import { loadDotEnv } from './dot-env.js';
import { ROOT } from './programs.js';

await runMain(async () => {
  await ensureInstalled({ onlyToStart: true });
  loadDotEnv();
  return runNode([join(ROOT, 'server', 'cli', 'marshal.ts'), ...process.argv.slice(2)]);
});
