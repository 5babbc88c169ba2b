// `npm start`: install if needed, build the client if needed, serve under the pinned Node.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureClient, ensureInstalled, loadDotEnv, runMain, runNode, runsUnderPinnedNode } from './bootstrap.js';
import { forgetParent, ROOT } from './programs.js';

await runMain(async () => {
  await ensureInstalled();
  await ensureClient();
  loadDotEnv();
  const main = join(ROOT, 'server', 'main.ts');
  // Run in this process if possible, so that signals reach the server directly.
  if (!runsUnderPinnedNode()) return runNode([main]);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, forgetParent);
  await import(pathToFileURL(main).href);
});
