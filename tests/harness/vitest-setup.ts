import { startTestServer } from './database.ts';

/** Vitest's global set-up, which returns the tear-down. */
export const setup = startTestServer;
