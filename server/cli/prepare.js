// What npm runs after it has installed the packages: brings the Node that runs them.
import { runMain } from './bootstrap.js';
import { ensureNode, linkNode } from './pinned-node.js';

await runMain(async () => {
  await ensureNode();
  linkNode();
});
