import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';

/** A run of tests that tells its folder for temporary files and then waits. */
async function startRun() {
  const script = `import { tmpdir } from 'node:os';
    import { useScratch } from '#tests/harness/scratch.ts';
    useScratch();
    console.log(tmpdir());
    process.stdin.on('data', () => process.exit());`;
  const { MARSHAL_TESTS_SCRATCH: _owner, TMPDIR: _folder, ...env } = process.env;
  const run = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(run.stdout, 'data');
  const folder = String(line).trim();
  const end = async (how: () => void) => {
    const ended = once(run, 'exit');
    how();
    await ended;
  };
  return { folder, stop: () => end(() => run.stdin.write('\n')), kill: () => end(() => run.kill('SIGKILL')) };
}

test('the configuration of this run has chosen its folder', () => {
  expect(process.env.MARSHAL_TESTS_SCRATCH).toMatch(/^\d+$/);
});

test('a folder in memory goes with its run, and with the next one if it was killed; others stay', async () => {
  const killed = await startRun();
  const other = await startRun();
  // without room in memory there is no folder of its own, and nothing to remove
  if (!killed.folder.startsWith('/dev/shm/')) {
    expect(killed.folder).not.toContain('marshal-tests-');
    await Promise.all([killed.kill(), other.kill()]);
    return;
  }
  writeFileSync(join(killed.folder, 'left'), 'over');
  await killed.kill();
  expect(existsSync(killed.folder)).toBe(true);
  const next = await startRun();
  expect(existsSync(killed.folder)).toBe(false);
  expect(existsSync(other.folder)).toBe(true);
  await Promise.all([next.stop(), other.stop()]);
  expect([next.folder, other.folder].filter((folder) => existsSync(folder))).toEqual([]);
});
