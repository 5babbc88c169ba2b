import { startTestServer } from './database.ts';

/** Vitest's global set-up; what it returns is the tear-down. */
export const setup = startTestServer;
