import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { useScratch } from '#tests/harness/scratch.ts';

useScratch();

/** A zone with odd offsets, so that a test which leans on the machine's zone fails everywhere. */
const ODD_ZONE = { TZ: 'Australia/Lord_Howe' };

/** `npm test` names the tests that needed it, and lets few have it. */
const SECOND_TRY = 1;

/**
 * The folders with the longest tests. A fresh clone has no recorded durations and sorts files by size, so that a long test in
 * a short file would run last.
 */
const isLong = ({ moduleId }: TestSpecification): boolean => /\/tests\/(?:fuzz|faults)\//.test(moduleId);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: 'node_modules/.cache/vitest',
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // one more than two cores: many files wait, for a clock or for a process that starts
    maxWorkers: Math.max(3, Math.min(4, availableParallelism())),
    projects: [
      {
        test: {
          name: 'unit',
          // most of these files run for less time than their imports take to load
          isolate: false,
          include: ['tests/unit/**/*.test.ts'],
          env: ODD_ZONE,
          retry: SECOND_TRY,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'machine',
          include: ['tests/machine/**/*.test.ts'],
          testTimeout: 420_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'api',
          // a worker loads the server once, not for every file; each file creates its own data
          isolate: false,
          include: ['tests/{api,discord,faults,security,fuzz}/**/*.test.ts'],
          // the answers of polled reads are compared with their schemas
          env: { ...ODD_ZONE, CHECK_ANSWERS: '1' },
          retry: SECOND_TRY,
          globalSetup: 'tests/harness/vitest-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // one second, as usual, is too short beside two other files on two cores
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'scanners',
          include: ['tests/scanners/**/*.test.ts'],
          env: ODD_ZONE,
          globalSetup: 'tests/harness/vitest-setup.ts',
        },
      },
      {
        test: {
          name: 'browsers',
          include: ['tests/browsers/**/*.test.ts'],
          env: ODD_ZONE,
          retry: SECOND_TRY,
          globalSetup: 'tests/harness/playwright-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
