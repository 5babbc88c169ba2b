// `npm start`: install if needed, build the client if needed, serve under the pinned Node.
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ensureClient,
  ensureInstalled,
  loadDotEnv,
  NODE_COMPILE_CACHE,
  runMain,
  runNode,
  runsUnderPinnedNode,
} from './bootstrap.js';
import { forgetParent, ROOT } from './programs.js';

// Less memory at the same speed: a server that answers from few rows needs no large young generation, and the C library keeps
// less of what was freed when it has few arenas. The image has the same settings.
const SMALL_HEAP = ['--max-semi-space-size=4'];
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };

await runMain(async () => {
  await ensureInstalled();
  await ensureClient();
  loadDotEnv();
  const main = join(ROOT, 'server', 'main.ts');
  // Run in this process if possible, so that signals reach the server directly.
  if (!runsUnderPinnedNode()) return runNode([...SMALL_HEAP, main], { ...process.env, ...FEW_ARENAS });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, forgetParent);
  process.env['NODE_COMPILE_CACHE'] ??= NODE_COMPILE_CACHE;
  module.enableCompileCache?.(process.env['NODE_COMPILE_CACHE']);
  await import(pathToFileURL(main).href);
});
