/** A folder outside the repository with `marshal-client` installed from its tarball, and compilers for programs in it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '#server/cli/programs.js';

const MODULES = join(ROOT, 'node_modules');
export const SDK = join(MODULES, '.cache', 'marshal-client');

/**
 * Not in our own lock file, because two packages called typescript would both provide the command tsc. Downloaded once, by
 * npm, which compares it with the checksum.
 */
const OLDER_COMPILER = {
  version: '5.9.3',
  resolved: 'https://registry.npmjs.org/typescript/-/typescript-5.9.3.tgz',
  integrity: 'sha512-jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==',
};

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom'],
    types: [],
  },
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

async function findOlderCompiler(): Promise<string> {
  const folder = join(MODULES, '.cache', `typescript-${OLDER_COMPILER.version}`);
  const program = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const manifest = { name: 'older-compiler', dependencies: { typescript: OLDER_COMPILER.version } };
  const packages = { '': manifest, 'node_modules/typescript': OLDER_COMPILER };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  await npm(['ci', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  return program;
}

export interface Consumer {
  /** the folder */
  dir: string;
  /** everything of the tarball */
  files: string[];
  /** Type-checks programs by name. @returns the compiler's errors, except those in tRPC's own files */
  check(compiler: '5.9' | '7', programs: Record<string, string>): Promise<string[]>;
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
    async check(compiler, programs) {
      const files = Object.keys(programs).map((name) => `${name}.ts`);
      for (const [name, source] of Object.entries(programs)) writeFileSync(join(dir, `${name}.ts`), source);
      writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ ...TSCONFIG, files }));
      const program = compiler === '7' ? join(MODULES, 'typescript', 'bin', 'tsc') : await findOlderCompiler();
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
