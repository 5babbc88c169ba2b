/**
 * Reporter for Vitest: lists tests that passed only on the second try, as JSON in the file SECOND_TRIES_FILE. Vitest's own
 * JSON does not contain this.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class SecondTries {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`),
    );
    if (process.env.SECOND_TRIES_FILE) writeFileSync(process.env.SECOND_TRIES_FILE, JSON.stringify(names));
  }
}
