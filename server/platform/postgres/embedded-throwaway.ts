/** A temporary embedded PostgreSQL, for tests and for comparing schemas. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Log } from '#server/platform/log.ts';
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts';

/** The data does not outlive the process, so it need not reach the disk. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

const makeFolder = (): string => mkdtempSync(join(openTmpdir(), 'marshal-throwaway-'));

/**
 * Start a PostgreSQL in a temporary directory: fast, and not durable.
 * @param dataDir a directory that others can enter, with what a killed process left there, if any; default: a new one
 * @returns as `startEmbedded`; `stop` also deletes the directory
 */
export async function startThrowaway(log: Log, dataDir = makeFolder()): Promise<EmbeddedPostgres> {
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
  const database = await startEmbedded({ dataDir, log, settings: CARELESS });
  return {
    ...database,
    stop: async () => {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The unprivileged database user has to get in; root's own temporary directory may be closed to others. */
function openTmpdir(): string {
  return process.getuid?.() !== 0 || mayEnter(tmpdir()) ? tmpdir() : '/tmp';
}

/** True if all users may enter this directory and its parents. */
function mayEnter(directory: string): boolean {
  const above = dirname(directory);
  return (statSync(directory).mode & 0o001) !== 0 && (above === directory || mayEnter(above));
}
