// `npm run build`: build the client, even if it is up to date.
import { ensureClient, ensureInstalled, runMain } from './bootstrap.js';

await runMain(async () => {
  await ensureInstalled({ onlyToStart: true });
  await ensureClient({ force: true });
});
