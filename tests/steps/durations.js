// Duration of each file of tests of a whole Marshal in its short form, kept with the project, so that a fresh clone can choose among them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/cli/programs.js';

/** `tests`: each row of a table counts as one. @typedef {{ seconds: number, tests: number }} Duration */
/** By the path of the file; one without a duration is new. @typedef {Partial<Record<string, Duration>>} Durations */

const KEPT = join(ROOT, 'tests', 'steps', 'durations.json');
/** Suites that always run as a whole. */
const WHOLE = /^tests\/(?:unit|machine|browsers|bench|scanners)\//;

/** @returns {Durations} */
export const readDurations = () => JSON.parse(readFileSync(KEPT, 'utf8'));

/**
 * Keep what files took in this run, beside those that it left out.
 * @param {Iterable<[string, Duration]>} measured
 */
export function keepDurations(measured) {
  const lines = Object.entries({ ...readDurations(), ...Object.fromEntries(measured) })
    .filter(([file]) => !WHOLE.test(file) && existsSync(join(ROOT, file)))
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(
      ([file, { seconds = 0, tests = 0 } = {}]) =>
        `  "${file}": { "seconds": ${seconds.toFixed(1)}, "tests": ${tests} }`,
    );
  writeFileSync(KEPT, `{\n${lines.join(',\n')}\n}\n`);
}
