import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium, findHeadlessShell } from '#tests/harness/chromium.js';
import { useScratch } from '#tests/harness/scratch.ts';

useScratch();

const whole = (await findChromium()) ?? undefined;
/** Journeys run in the whole Chromium, as users have it; screens run in the fastest browser found. */
const browser = (executablePath: string | undefined) => ({
  // V8's helper threads only pay off for pages that are open longer than a test
  launchOptions: { executablePath, args: [...CHROMIUM_ARGS, '--js-flags=--single-threaded'] },
});

export default defineConfig({
  testDir: '.',
  outputDir: '.results/playwright',
  globalSetup: fileURLToPath(new URL('harness/playwright-setup.ts', import.meta.url)),
  fullyParallel: false,
  workers: 2,
  retries: 1, // `npm test` lists tests that needed it, and accepts only a few
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'America/New_York',
    screenshot: 'only-on-failure',
    trace: 'off',
    actionTimeout: 15_000,
    navigationTimeout: 15_000,
  },
  projects: [
    // first, because a journey is the longest of all tests
    { name: 'e2e', testMatch: 'e2e/**/*.test.ts', use: browser(whole) },
    { name: 'ui', testMatch: 'ui/**/*.test.ts', use: browser((await findHeadlessShell()) ?? whole) },
    // chooses its own browser, and measures it with nothing beside it
    { name: 'bench', testMatch: /tests\/bench\/[^/]+\.test\.ts$/, workers: 1 },
  ],
});
