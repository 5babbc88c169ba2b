/**
 * A reporter for Vitest: which tests passed at their second try only, as a JSON list in the file that
 * SECOND_TRIES_FILE names. Vitest's own JSON does not tell.
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
