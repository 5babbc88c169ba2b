/**
 * Reporter for Vitest: lists tests that passed only on the second try, with the fault of the first, as JSON in the file
 * SECOND_TRIES_FILE. Vitest's own JSON does not contain this.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class SecondTries {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => ({
          name: `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`,
          message: test.result().errors?.[0]?.message,
        })),
    );
    if (process.env.SECOND_TRIES_FILE) writeFileSync(process.env.SECOND_TRIES_FILE, JSON.stringify(tests));
  }
}
