// `npm run dev`: install if needed, then the development server under the pinned Node.
import { join } from 'node:path';
import { ensureInstalled, runMain, runNode } from './bootstrap.js';
import { loadDotEnv } from './dot-env.js';
import { ROOT } from './programs.js';

await runMain(async () => {
  await ensureInstalled();
  loadDotEnv();
  return runNode([join(ROOT, 'server', 'cli', 'dev.ts')]);
});
