/** `npm run marshal` as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '#server/cli/programs.js';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command with these settings only. @param input what it reads */
export async function runMarshal(args: readonly string[], env: Record<string, string>, input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [join(ROOT, 'server', 'cli', 'marshal.ts'), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: Number(code), stdout, stderr };
}
