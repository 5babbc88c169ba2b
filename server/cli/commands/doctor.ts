/** `marshal doctor`: checks the installation and says how to mend it. */
import { readEnv, type Env } from '#server/platform/env.ts';
import { EXIT, type Command } from '#server/cli/command.ts';

const MARKS = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' } as const;

function readSettings(): Env | Error {
  try {
    return readEnv();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export const doctor: Command = {
  name: 'doctor',
  description:
    'Check settings, database, migrations, clock, time zones, disk, port, public address and bot. Changes nothing; exit code 1 for a fault.',
  options: [],
  examples: ['doctor', 'doctor --json'],
  async run() {
    const { findAll } = await import('#server/cli/doctor-checks.ts');
    const findings = await findAll(readSettings());
    const faults = findings.filter(({ state }) => state === 'fault').length;
    const lines = findings.map(({ state, about, says }) => `${MARKS[state]}  ${about}: ${says}`);
    const verdict = faults === 0 ? 'No fault was found.' : `Faults: ${faults}.`;
    return {
      text: [...lines, '', verdict].join('\n'),
      data: { findings, faults },
      code: faults === 0 ? EXIT.done : EXIT.failed,
    };
  },
};
