/** A folder outside the repository with `marshal-client` installed from its tarball, and compilers for programs in it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '#server/cli/programs.js';

const MODULES = join(ROOT, 'node_modules');
export const SDK = join(MODULES, '.cache', 'marshal-client');

/** The compilers by version: TypeScript 7, and the older one, which is installed under another name. */
const COMPILERS = { '5.9': 'typescript-5', '7': 'typescript' } as const;

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom'],
  types: [],
};

export interface Ended {
  code: number;
  output: string;
}

/** Runs a program to its end. @returns its exit code and everything it printed */
export async function runProgram(file: string, args: readonly string[], cwd: string, env = {}): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, { cwd, env: { ...process.env, ...env } });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, output: stdout + stderr };
  }
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { code, output } = await runProgram('npm', [...args, '--loglevel=error', '--ignore-scripts'], cwd);
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`);
  return output;
}

export interface Consumer {
  /** the folder */
  dir: string;
  /** everything of the tarball */
  files: string[];
  /** Type-checks programs by name. @returns the compiler's errors, except those in tRPC's own files */
  check(
    compiler: keyof typeof COMPILERS,
    programs: Record<string, string>,
    options?: Record<string, unknown>,
  ): Promise<string[]>;
  /** Runs a program that reads the address and the token from its environment. */
  run(source: string, env: Record<string, string>): Promise<Ended>;
  remove(): void;
}

/** Builds the package, packs it, and installs it with tRPC's packages from node_modules, without a network. */
export async function installSdk(): Promise<Consumer> {
  const built = await runProgram(process.execPath, [join(ROOT, 'client', 'sdk', 'build.ts')], ROOT);
  if (built.code !== 0) throw new Error(built.output);
  const dir = mkdtempSync(join(tmpdir(), 'marshal-sdk-'));
  await npm(['pack', SDK, join(MODULES, '@trpc', 'client'), join(MODULES, '@trpc', 'server')], dir);
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'sample', private: true, type: 'module' }));
  const tarballs = readdirSync(dir).filter((name) => name.endsWith('.tgz'));
  await npm(
    ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', ...tarballs.map((name) => `./${name}`)],
    dir,
  );
  const sample = join(dir, 'sample.ts');
  return {
    dir,
    files: readdirSync(join(dir, 'node_modules', 'marshal-client')).toSorted(),
    async check(compiler, programs, options = {}) {
      const files = Object.keys(programs).map((name) => `${name}.ts`);
      for (const [name, source] of Object.entries(programs)) writeFileSync(join(dir, `${name}.ts`), source);
      writeFileSync(
        join(dir, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, ...options }, files }),
      );
      const program = join(MODULES, COMPILERS[compiler], 'bin', 'tsc');
      const { output } = await runProgram(process.execPath, [program, '--pretty', 'false', '-p', '.'], dir);
      return output.split('\n').filter((line) => line !== '' && !line.startsWith('node_modules/@trpc/'));
    },
    async run(source, env) {
      writeFileSync(sample, source);
      return runProgram(process.execPath, [sample], dir, env);
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** One file of the installed package. */
export function readSdkFile({ dir }: Consumer, name: string): string {
  return readFileSync(join(dir, 'node_modules', 'marshal-client', name), 'utf8');
}
