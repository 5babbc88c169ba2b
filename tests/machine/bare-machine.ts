/**
 * A bare machine: a directory with a minimal Debian 12 from debootstrap, Node 20, npm and a copy of this project. Programs
 * run there with isolated mounts and processes, but with the network, mirror, registry and npm cache of this machine.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '#server/cli/programs.js';

const SUITE = 'bookworm';
const NODE = '20.20.2';
const NPM = '10.9.9';
const PROJECT = '/srv/marshal';
const CERTIFICATES = '/etc/registry.crt';
/** Paths that exist in a used checkout but not in a fresh clone. */
const MADE_HERE = new Set([
  '.git',
  '.data',
  '.env',
  'node_modules',
  'client/dist',
  'tests/.results',
  'server/cli/node/node_modules',
]);

export type Program = { process: ChildProcess; output: () => string; ended: Promise<number | null> };
type Options = { env?: Record<string, string>; cwd?: string };

export interface BareMachine {
  /** its root directory, seen from outside */
  root: string;
  /** the project there */
  folder: string;
  /** the same, seen from outside */
  project: string;
  /** Start a program there. */
  start: (command: readonly string[], options?: Options) => Program;
  /** Run a program there to its end. */
  run: (command: readonly string[], options?: Options) => Promise<{ code: number | null; output: string }>;
  /** Put another Node there. @returns its path there */
  addNode: (version: string) => string;
  remove: () => void;
}

export function makeBareMachine(): BareMachine {
  const root = mkdtempSync('/var/tmp/marshal-machine-');
  // The database's user must pass.
  chmodSync(root, 0o755);
  makeDebian(root);
  copyProject(join(root, PROJECT));
  const cache = npmCache();
  mkdirSync(join(root, 'root', '.npm'));
  installNode(join(root, '/usr/local'), NODE);
  const network = networkSettings(root);
  const programs = new Set<ChildProcess>();

  const start = (command: readonly string[], { env = {}, cwd = PROJECT }: Options = {}): Program => {
    const inside = ['chroot', root, 'sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command];
    const mounts = 'mount -t proc proc "$0/proc" && mount --bind "$1" "$0/root/.npm" && shift && exec "$@"';
    const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts, root, cache, ...inside];
    const child = spawn('unshare', isolated, {
      // in its own process group, so that the test can end it like Ctrl-C
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', ...network, ...env },
    });
    programs.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const ended = once(child, 'close').then(() => {
      programs.delete(child);
      return child.exitCode;
    });
    return { process: child, output: () => output, ended };
  };

  return {
    root,
    folder: PROJECT,
    project: join(root, PROJECT),
    start,
    async run(command, options) {
      const program = start(command, options);
      return { code: await program.ended, output: program.output() };
    },
    addNode(version) {
      const prefix = `/opt/node-${version}`;
      installNode(join(root, prefix), version);
      return `${prefix}/bin/node`;
    },
    remove() {
      for (const program of programs) program.kill('SIGKILL');
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A minimal Debian in a directory. @param packages further ones */
export function makeDebian(root: string, ...packages: string[]): void {
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
  execFileSync('debootstrap', ['--variant=minbase', ...include, SUITE, root, ...mirror()], { stdio: 'ignore' });
}

/** Node and npm below a prefix, such as `/usr/local` of a machine. */
export function installNode(prefix: string, version: string, npm = NPM): void {
  const packages = [`node-linux-${process.arch}@${version}`, `npm@${npm}`];
  const args = ['install', '--global', '--prefix', prefix, '--prefer-offline', ...packages];
  execFileSync('npm', args, { stdio: 'ignore' });
}

/** The folder in which npm keeps what it fetched, which exists. */
export function npmCache(): string {
  const cache = npmConfig('cache');
  mkdirSync(cache, { recursive: true });
  return cache;
}

function copyProject(target: string): void {
  cpSync(ROOT, target, { recursive: true, filter: (path) => !MADE_HERE.has(relative(ROOT, path)) });
}

/** The mirror that this machine's apt has for Debian; none on other systems, where debootstrap knows one. */
function mirror(): string[] {
  const format = '$(ORIGIN) $(COMPONENT) $(CODENAME) $(REPO_URI)';
  const args = ['indextargets', '--format', format, 'Created-By: Packages'];
  const lines = execFileSync('apt-get', args, { encoding: 'utf8' }).split('\n');
  return lines
    .flatMap((line) => (line.startsWith(`Debian main ${SUITE} `) ? [line.split(' ')[3] ?? ''] : []))
    .slice(0, 1);
}

function npmConfig(name: string): string {
  const value = execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: ROOT }).trim();
  return value === 'null' || value === 'undefined' ? '' : value;
}

/** Environment that gives programs there the registry, certificates and proxies of this machine. */
export function networkSettings(root: string): Record<string, string> {
  const settings: Record<string, string> = {
    npm_config_registry: npmConfig('registry'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  const certificates = npmConfig('cafile') || process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) {
    copyFileSync(certificates, join(root, CERTIFICATES));
    settings.NODE_EXTRA_CA_CERTS = CERTIFICATES;
    settings.npm_config_cafile = CERTIFICATES;
  }
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    const value = process.env[name];
    if (value) settings[name] = value;
  }
  return settings;
}
