// `npm run dev`: install if needed, then the development server under the pinned Node.
import { join } from 'node:path';
import { ensureInstalled, loadDotEnv, ROOT, runMain, runNode } from './bootstrap.js';

await runMain(async () => {
  await ensureInstalled();
  loadDotEnv();
  return runNode([join(ROOT, 'server', 'cli', 'dev.ts')]);
});
