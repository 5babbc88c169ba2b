// `npm start`: install if needed, build the client if needed, serve under the pinned Node.
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ensureClient,
  ensureInstalled,
  FEW_ARENAS,
  NODE_COMPILE_CACHE,
  runMain,
  runNode,
  runsUnderPinnedNode,
  SMALL_HEAP,
} from './bootstrap.js';
import { loadDotEnv } from './dot-env.js';
import { isNewEnough } from './pinned-node.js';
import { forgetParent, ROOT } from './programs.js';

// These settings only count from the start of a process. A process can become another program with the same id, input and
// output, except on Windows, so that signals still reach the server directly.
if (isNewEnough() && !process.execArgv.includes(SMALL_HEAP[0] ?? '') && process.platform !== 'win32') {
  const [node = process.execPath, ...args] = process.argv;
  process.execve?.(node, [node, ...process.execArgv, ...SMALL_HEAP, ...args], { ...process.env, ...FEW_ARENAS });
}

await runMain(async () => {
  await ensureInstalled({ onlyToStart: true });
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
