// Which files a change touches, for the steps that run only when they could fail because of it.
import { spawnSync } from 'node:child_process';
import { ROOT } from '#server/cli/programs.js';

/**
 * @param {string[]} args
 * @returns {string | null} null if there is no Git, or it refuses
 */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trim() : null;
}

/**
 * The commit that a change is compared with: the place where a branch has left main. On main itself, the commit before: each one was
 * compared when it came, and `npm test all` runs every night.
 * @returns {string | null} null: unknown, as in a clone without history
 */
function findBase() {
  const head = git('rev-parse', 'HEAD');
  const fork = git('merge-base', 'HEAD', 'origin/main');
  if (fork !== null && fork !== head) return fork;
  return git('rev-parse', '--verify', '--quiet', 'HEAD~1');
}

/**
 * @param {string | null} [base] a commit
 * @returns {string[] | null} files that differ from the base or are not committed, by their paths; null: unknown
 */
export function listChanged(base = findBase()) {
  if (base === null) return null;
  const committed = git('diff', '--name-only', base);
  const added = git('ls-files', '--others', '--exclude-standard');
  return committed === null || added === null ? null : [...committed.split('\n'), ...added.split('\n')].filter(Boolean);
}
