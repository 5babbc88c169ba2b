import { ensureClient, ensureInstalled } from '#server/cli/bootstrap.js';
import { startTestServer } from './database.ts';

/** Playwright's global set-up: the built client and a database server. @returns the tear-down */
export default async function setUp(): Promise<() => Promise<void>> {
  await ensureInstalled();
  await ensureClient();
  return startTestServer();
}
