/** The claim of a dead server that cannot be removed, as on a disk that has become read-only. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeStaleClaim } from '#server/platform/postgres/embedded-cluster.ts';
import { StartError } from '#server/schema/failures.ts';

test('is told in a sentence with the remedy', () => {
  const home = mkdtempSync(join(tmpdir(), 'marshal-claim-'));
  try {
    // a folder in its place cannot be removed like a file either
    mkdirSync(join(home, 'data', 'postmaster.pid'), { recursive: true });
    const remove = () => removeStaleClaim({ home });
    expect(remove).toThrow(StartError);
    expect(remove).toThrow(/postmaster\.pid cannot be removed: make its disk writable .* and start again\.$/);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
