// Requirements for making a bare machine with debootstrap. Plain JavaScript, because tests/run.js imports it.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';

/** @returns {string | null} why no bare machine can be made here; null: it can */
export function whyNoBareMachine() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can make one';
  for (const [program, option] of [
    ['debootstrap', '--version'],
    ['/usr/sbin/haproxy', '-v'],
    ['openssl', 'version'],
  ]) {
    if (spawnSync(program ?? '', [option ?? '']).status !== 0) return `${basename(program ?? '')} is not installed`;
  }
  const isolated = spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']).status === 0;
  return isolated ? null : 'this machine does not let programs be isolated';
}

/** @returns {string | null} why the Docker image cannot be built here; null: it can */
export function whyNoImage() {
  const why = whyNoBareMachine();
  if (why !== null) return why;
  return spawnSync('buildah', ['--version']).status === 0 ? null : 'buildah is not installed';
}
