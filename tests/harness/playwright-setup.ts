import { ensureClient, ensureInstalled } from '#server/cli/bootstrap.js';
import { startTestServer } from './database.ts';

/** Playwright's global set-up: the built client, unless TEST_CLIENT names another build, and a database server. @returns the tear-down */
export default async function setUp(): Promise<() => Promise<void>> {
  await ensureInstalled();
  if (!process.env.TEST_CLIENT) await ensureClient();
  return startTestServer();
}
