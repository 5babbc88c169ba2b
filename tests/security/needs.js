// Requirements of attacks with programs of Debian. Plain JavaScript, because tests/run.js imports it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const HAPROXY = '/usr/sbin/haproxy';

/** @returns {string | null} why no HAProxy can be started here; null: it can */
export const whyNoHaproxy = () => (existsSync(HAPROXY) ? null : "Debian's haproxy is missing");

const SCANNERS = { sqlmap: '/usr/bin/sqlmap', wapiti: '/usr/bin/wapiti' };

/** Installs the scanners, as root on Debian. @returns {string | null} why they cannot run here; null: they can */
export function ensureScanners() {
  const listMissing = () => Object.entries(SCANNERS).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (listMissing().length > 0 && process.getuid?.() === 0) {
    const options = {
      stdio: /** @type {const} */ ('inherit'),
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...listMissing()], options);
  }
  const missing = listMissing();
  return missing.length === 0 ? null : `Debian's ${missing.join(' and ')} missing`;
}
