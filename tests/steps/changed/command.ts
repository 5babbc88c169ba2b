/** The short loop of a developer: `npm test -- --changed`, `npm run test:watch`, and the standing server below them. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '#server/cli/bootstrap.js';
import { ROOT } from '#server/cli/programs.js';
import { endTogether, runLoudly } from '#tests/steps/programs.js';
import { envOf, runChanged } from './run.ts';
import { ask, endStanding, ensureStanding } from './standing-state.ts';

const PING_MS = 600_000;

process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'node');

async function up(): Promise<void> {
  const state = await ensureStanding();
  const [, { error }] = await Promise.all([ask(state, 'types'), ask(state, 'client')]);
  if (error !== null) throw new Error(error);
  console.log(
    'PostgreSQL, TypeScript and Vite stay for the next runs, until `npm run test:down` or an hour without one.',
  );
}

async function watch(args: readonly string[]): Promise<number> {
  const project = args.some((arg) => arg.startsWith('tests/unit/')) ? 'unit' : 'api';
  if (args.length === 0 || args.some((arg) => /^tests\/(?:ui|e2e)\//.test(arg))) {
    throw new Error(
      'Name a test file of Vitest, such as tests/unit/env.test.ts; `npm test -- --changed` runs screens.',
    );
  }
  const state = await ensureStanding();
  setInterval(() => void ask(state, 'ping').catch(() => undefined), PING_MS).unref();
  const cli = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const config = join('tests', 'vitest.config.ts');
  return runLoudly([cli, 'watch', ...args, '--config', config, '--project', project], envOf(state));
}

endTogether();
await runMain(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  if (name === 'changed') {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { for: { type: 'string' } } });
    return runChanged(positionals[0], values.for === undefined ? undefined : Number(values.for));
  }
  if (name === 'up') return up();
  if (name === 'watch') return watch(args);
  if (name !== 'down') throw new Error(`There is no command ${name}.`);
  console.log((await endStanding()) ? 'The standing server has ended.' : 'There was no standing server.');
});
