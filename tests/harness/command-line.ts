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

/** Starts a command with these settings only. */
export function startMarshal(args: readonly string[], env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [join(ROOT, 'server', 'cli', 'marshal.ts'), ...args], {
    cwd: ROOT,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs a command to its end. @param input what it reads */
export async function runMarshal(args: readonly string[], env: Record<string, string>, input = ''): Promise<Ran> {
  const child = startMarshal(args, env);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: Number(code), stdout, stderr };
}
