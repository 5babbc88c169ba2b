// `npm run build`: build the client, whatever stands there already.
import { ensureClient, ensureInstalled, runMain } from './bootstrap.js';

await runMain(async () => {
  await ensureInstalled();
  await ensureClient({ force: true });
});
