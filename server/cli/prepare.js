// npm's `prepare` script, run after the packages are installed: provides the pinned Node.
import { runMain } from './bootstrap.js';
import { ensureNode, linkNode } from './pinned-node.js';

await runMain(async () => {
  await ensureNode();
  linkNode();
});
