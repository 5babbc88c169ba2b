// `npm run discord:sandbox`: install and build if needed, then the sandbox under the pinned Node. It does not read `.env`,
// whose settings are for the real Discord and the real database.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureClient, ensureInstalled, runMain, runNode, runsUnderPinnedNode } from '#server/cli/bootstrap.js';
import { forgetParent, ROOT } from '#server/cli/programs.js';

await runMain(async () => {
  await ensureInstalled();
  await ensureClient();
  const main = join(ROOT, 'tests', 'discord', 'sandbox', 'main.ts');
  if (!runsUnderPinnedNode()) return runNode([main]);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, forgetParent);
  await import(pathToFileURL(main).href);
});
