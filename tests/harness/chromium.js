// Find the Chromium that browser tests use, or get one. Plain JavaScript: tests/run.js needs it before anything else.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];
const PLAYWRIGHT_CLI = fileURLToPath(new URL('../../node_modules/@playwright/test/cli.js', import.meta.url));

/** Switches for a quiet browser: no calls home, and root has no sandbox. */
export const CHROMIUM_ARGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/**
 * The installed Chromium: CHROMIUM_PATH, a command of the system, an application, or Playwright's own download.
 * @returns {Promise<string | null>}
 */
export async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH names a file that does not exist: ${given}`);
  }
  const found = findCommand(COMMANDS) ?? APPLICATIONS.find((path) => existsSync(path));
  if (found) return found;
  const { chromium } = await import('@playwright/test');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

/**
 * Chromium's headless shell: the same pages in about three quarters of the time, but without notifications. The system's,
 * or Playwright's download; without one, `findChromium` does the same more slowly.
 * @returns {Promise<string | null>}
 */
export async function findHeadlessShell() {
  const found = findCommand(['chromium-headless-shell', 'chrome-headless-shell']);
  if (found) return found;
  const { chromium } = await import('@playwright/test');
  const downloads = /^(.*)[\\/]chromium-(\d+)[\\/]/.exec(chromium.executablePath());
  const directory = downloads && `${downloads[1]}/chromium_headless_shell-${downloads[2]}`;
  if (!directory || !existsSync(directory)) return null;
  const name = /^(chrome-)?headless[_-]shell(\.exe)?$/;
  const shell = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((path) => name.test(basename(path)));
  return shell ? join(directory, shell) : null;
}

/**
 * @param {string[]} names of programs, the first that is in the PATH wins
 * @returns {string | null}
 */
export function findCommand(names) {
  const directories = (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':');
  const places = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  return places.find((path) => existsSync(path)) ?? null;
}

/**
 * Like `findChromium`, but installs one if there is none: Playwright's build, or (as root on Debian) the system's.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const found = await findChromium();
  if (found) return found;
  console.log('No Chromium on this machine: installing one for the browser tests …');
  const attempts = [
    () => run(process.execPath, [PLAYWRIGHT_CLI, 'install', 'chromium']),
    () => process.getuid?.() === 0 && run('apt-get', ['update', '-qq']) && run('apt-get', aptInstall('chromium')),
  ];
  for (const attempt of attempts) {
    if (!attempt()) continue;
    const installed = await findChromium();
    if (installed && starts(installed)) return installed;
  }
  throw new Error(
    'The browser tests need Chromium and it could not be installed: install Chromium or Google Chrome, or name one in CHROMIUM_PATH.',
  );
}

/**
 * Like `findHeadlessShell`, but installs one if there is none: the system's (as root on Debian), or Playwright's.
 * @returns {Promise<string | null>}
 */
export async function ensureHeadlessShell() {
  const found = await findHeadlessShell();
  if (found) return found;
  console.log('No headless shell of Chromium on this machine: installing one, because it shows the screens sooner …');
  const attempts = [
    () =>
      process.getuid?.() === 0 &&
      run('apt-get', ['update', '-qq']) &&
      run('apt-get', aptInstall('chromium-headless-shell')),
    () => run(process.execPath, [PLAYWRIGHT_CLI, 'install', '--only-shell', 'chromium']),
  ];
  for (const attempt of attempts) {
    if (!attempt()) continue;
    const installed = await findHeadlessShell();
    if (installed && starts(installed)) return installed;
  }
  return null;
}

/**
 * @param {string} name
 * @returns {string[]}
 */
function aptInstall(name) {
  return ['install', '-y', '-qq', '--no-install-recommends', name];
}

/**
 * True if the program starts; a download can lack system libraries.
 * @param {string} path
 */
function starts(path) {
  return spawnSync(path, ['--version', ...CHROMIUM_ARGS], { stdio: 'ignore' }).status === 0;
}

/**
 * @param {string} file
 * @param {string[]} args
 */
function run(file, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(file, args, { stdio: 'inherit', env }).status === 0;
}
