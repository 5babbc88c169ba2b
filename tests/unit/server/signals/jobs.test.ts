/** The job catalogue is the only place that adds jobs to the queue. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

test('graphile_worker.add_job appears in one file, and where a restore puts queued jobs back', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') });
  const adding = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('graphile_worker.add_job'));
  expect(adding.map((file) => file.replaceAll('\\', '/')).toSorted()).toEqual([
    'server/backup/catalogue.queries.ts',
    'server/signals/jobs.ts',
  ]);
});
