// Finds installed browsers other than Chromium. Plain JavaScript, because tests/run.js uses it before anything else.
import { existsSync } from 'node:fs';
import { findCommand } from '#tests/harness/chromium.js';

const FIREFOX_APPLICATIONS = [
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  'C:\\Program Files (x86)\\Mozilla Firefox\\firefox.exe',
];

/** @returns {string | null} */
export function findFirefox() {
  const given = process.env.FIREFOX_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`FIREFOX_PATH names a file that does not exist: ${given}`);
  }
  const found = findCommand(['firefox-esr', 'firefox']);
  return found ?? FIREFOX_APPLICATIONS.find((path) => existsSync(path)) ?? null;
}

/**
 * WebKitGTK, the engine of Safari on Linux. Its driver includes the browser, which needs a screen.
 * @returns {{ driver: string, screen: string } | null}
 */
export function findWebKit() {
  const driver = findCommand(['WebKitWebDriver']);
  const screen = findCommand(['Xvfb']);
  return driver !== null && screen !== null ? { driver, screen } : null;
}

/**
 * The test files that this machine can run, and the missing programs for the others.
 * @returns {{ files: string[], leftOut: string[] }}
 */
export function listBrowsers() {
  const files = [];
  const leftOut = [];
  if (findFirefox() === null) leftOut.push('Firefox, which is not installed');
  else files.push('tests/browsers/firefox.test.ts');
  if (findWebKit() === null) leftOut.push('WebKitGTK, which needs the programs WebKitWebDriver and Xvfb');
  else files.push('tests/browsers/webkit.test.ts');
  return { files, leftOut };
}
