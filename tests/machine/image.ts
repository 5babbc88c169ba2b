/**
 * The Docker image, built from `docker/Dockerfile` by buildah without a Docker daemon, and containers made of it. Its base
 * image is replaced by a minimal Debian from debootstrap with the Node that is pinned, because a registry of images may be out of reach.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '#server/cli/programs.js';
import { installNode, makeDebian, networkSettings, npmCache } from './bare-machine.ts';

/** of `node` */
const USER = 1_000;
const BASE = 'localhost/marshal-base';
const IMAGE = 'localhost/marshal';
/** of the release that Node's own image brings */
const NPM = '11';
const Pins = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
const Inspected = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Cmd: z.array(z.string()),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
      StopSignal: z.string(),
    }),
  }),
});

/** Run a command in the directory `$0`, with the volume `$1`: its file system read-only, as the user of the image, without any right to gain others. */
const ISOLATE = [
  'mount --bind "$0" "$0"',
  'mount -o remount,bind,ro "$0"',
  'mount -t proc proc "$0/proc"',
  'mount --rbind /dev "$0/dev"',
  'mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"',
  `if [ -n "$1" ]; then mount --bind "$1" "$0/data"; else mount -t tmpfs -o uid=${USER},gid=${USER} tmpfs "$0/data"; fi`,
  'shift',
  `exec chroot "$0" sh -c 'cd /app && exec setpriv --reuid ${USER} --regid ${USER} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs "$@"' sh "$@"`,
].join(' && ');

export interface Container {
  /** as seen from outside, of its first program */
  pid: () => number;
  output: () => string;
  /** resolves with its exit code */
  ended: Promise<number | null>;
}

export interface Image {
  /** its file system, seen from outside */
  root: string;
  config: z.infer<typeof Inspected>['Docker']['config'];
  /**
   * Start its command, or another one, as Docker would with `--read-only --cap-drop ALL --security-opt no-new-privileges`,
   * a tmpfs for /tmp, and the network of this machine.
   * @param volume a folder for /data that stays; a tmpfs without
   */
  start: (env: Record<string, string>, command?: readonly string[], volume?: string) => Container;
  /** @returns a folder for `start`, which the user of the image may write */
  makeVolume: () => string;
  remove: () => void;
}

/** The Node of the image, which `FROM` in the Dockerfile names too. */
function pinnedNode(): string {
  const pins = Pins.parse(JSON.parse(readFileSync(join(ROOT, 'server', 'cli', 'node', 'package.json'), 'utf8')));
  return pins.optionalDependencies[`node-linux-${process.arch}`] ?? '';
}

export function buildImage(): Image {
  const place = mkdtempSync('/var/tmp/marshal-image-');
  chmodSync(place, 0o755);
  const store = ['--root', join(place, 'store'), '--runroot', join(place, 'run'), '--storage-driver', 'overlay'];
  const buildah = (command: string, ...args: string[]): string =>
    execFileSync('buildah', [...store, command, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: ROOT,
    }).trim();

  const debian = join(place, 'debian');
  makeDebian(debian, 'libatomic1');
  execFileSync('chroot', [debian, 'useradd', '--uid', String(USER), '--create-home', 'node']);
  installNode(join(debian, 'usr/local'), pinnedNode(), NPM);
  const { npm_config_registry: registry, npm_config_cafile: cafile, ...network } = networkSettings(debian);
  const settings = [`registry=${registry}`, ...(cafile ? [`cafile=${cafile}`] : []), 'prefer-offline=true', ''];
  writeFileSync(join(debian, 'root/.npmrc'), settings.join('\n'));
  const base = buildah('from', 'scratch');
  execFileSync('tar', ['-C', debian, '-cf', join(place, 'debian.tar'), '.']);
  buildah('add', '--quiet', base, join(place, 'debian.tar'), '/');
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', base);
  buildah('commit', '--quiet', '--rm', base, BASE);
  rmSync(join(place, 'debian.tar'));
  rmSync(debian, { recursive: true });

  const options = ['--isolation', 'chroot', '--format', 'docker', '--from', BASE, '--pull-never'];
  const environment = Object.entries(network).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const cache = ['--volume', `${npmCache()}:/root/.npm`];
  buildah('build', ...options, ...environment, ...cache, '--file', 'docker/Dockerfile', '--tag', IMAGE, '.');
  const { config } = Inspected.parse(JSON.parse(buildah('inspect', '--type', 'image', IMAGE))).Docker;
  const root = buildah('mount', buildah('from', '--pull-never', IMAGE));

  const containers = new Set<ChildProcess>();
  return {
    root,
    config,
    makeVolume() {
      const volume = mkdtempSync(join(place, 'volume-'));
      chownSync(volume, USER, USER);
      return volume;
    },
    start(env, command = config.Cmd, volume = '') {
      const child = spawn(
        'unshare',
        ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ISOLATE, root, volume, ...command],
        {
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s))), HOME: '/home/node', ...env },
        },
      );
      containers.add(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
      const ended = once(child, 'close').then(() => {
        containers.delete(child);
        return child.exitCode;
      });
      const pid = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
      return { pid, output: () => output, ended };
    },
    remove() {
      for (const container of containers) container.kill('SIGKILL');
      buildah('rm', '--all');
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
