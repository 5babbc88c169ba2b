// Requirements for a cluster of several machines on this one. Plain JavaScript, because tests/run.js imports it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** Debian's PostgreSQL, a folder for each version: Patroni needs programs that the embedded one does not have. */
export const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** @returns {string} the newest version of it that is installed */
export const newestPostgres = () => readdirSync(DEBIAN_POSTGRES).toSorted().at(-1) ?? '';

/** The programs by Debian's package. Patroni runs on Debian's Python, which need not be the first one in PATH. */
const PROGRAMS = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  'etcd-client': '/usr/bin/etcdctl',
  haproxy: '/usr/sbin/haproxy',
  postgresql: DEBIAN_POSTGRES,
  iproute2: '/usr/sbin/ip',
  'netcat-openbsd': '/usr/bin/nc',
};

/** @returns {string[]} Debian's packages that are missing */
const listMissing = () => Object.entries(PROGRAMS).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));

/** @returns {string | null} why no cluster can be started here; null: it can */
export function whyNoCluster() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can make its network';
  const missing = listMissing();
  if (missing.length > 0) return `Debian's ${missing.join(', ')} missing`;
  const name = `marshal-probe-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return 'this machine allows no network namespaces';
  spawnSync('ip', ['netns', 'del', name]);
  return null;
}

/** Installs what is missing, as root on Debian. @returns {string | null} as `whyNoCluster` */
export function ensureCluster() {
  const missing = listMissing();
  if (missing.length > 0 && process.getuid?.() === 0) {
    const options = {
      stdio: /** @type {const} */ ('inherit'),
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
  }
  return whyNoCluster();
}
