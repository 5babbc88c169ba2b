/** The Chromium that tests use, on machines with different kinds of browsers. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'marshal-browsers-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function given(path: string): string {
  const program = join(home, path);
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, '', { mode: 0o755 });
  return program;
}

/** Playwright's own path for its Chromium, below our directory. */
const download = () => /chromium-\d+[\\/].*$/.exec(chromium.executablePath())?.[0] ?? '';

function found(env: Record<string, string> = {}): { whole: string | null; shell: string | null } {
  const script = `import { findChromium, findHeadlessShell } from './tests/harness/chromium.js';
    console.log(JSON.stringify({ whole: await findChromium(), shell: await findHeadlessShell() }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: join(home, 'bin'), HOME: home, PLAYWRIGHT_BROWSERS_PATH: home, ...env },
  });
  return JSON.parse(output);
}

// On other systems installed applications count, too.
const isBare = process.platform === 'linux';

test.runIf(isBare)("finds no browser, Playwright's download without a headless shell, and both", () => {
  expect(found()).toEqual({ whole: null, shell: null });
  const whole = given(download());
  expect(found()).toEqual({ whole, shell: null });
  const version = /chromium-(\d+)/.exec(whole)?.[1] ?? '';
  const shell = given(`chromium_headless_shell-${version}/chrome-headless-shell-linux64/chrome-headless-shell`);
  given(`chromium_headless_shell-${version}/chrome-headless-shell-linux64/chrome-headless-shell.sig`);
  expect(found()).toEqual({ whole, shell });
});

test("prefers CHROMIUM_PATH, then the system's browser, then a download", () => {
  given(download());
  const chrome = given('bin/google-chrome');
  expect(found()).toEqual({ whole: chrome, shell: null });
  const debian = given('bin/chromium');
  const shell = given('bin/chromium-headless-shell');
  expect(found()).toEqual({ whole: debian, shell });
  const named = given('elsewhere/chrome');
  expect(found({ CHROMIUM_PATH: named }).whole).toBe(named);
});
