/** The styles of the front page before its scripts, which are a part of all styles. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
// oxlint-disable-next-line import/no-relative-parent-imports -- the build's own files have no import prefix
import { routeFiles } from '../../client/route-budgets.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

const DIST = fileURLToPath(new URL('../../client/dist/', import.meta.url));

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** Of each element: its box, and its styles as the browser shows them, with those of what stands before and after it. */
function looksOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('html, body, body *')].flatMap((element, index) => {
      const name = `${index} ${element.tagName}.${element.getAttribute('class') ?? ''}`;
      const { x, y, width, height } = element.getBoundingClientRect();
      const values = ['', '::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(element, part);
        if (part !== '' && style.content === 'none') return [];
        const shown = [...style].filter((property) => !property.startsWith('--'));
        return shown.map((property) => `${name}${part} ${property}: ${style.getPropertyValue(property)}`);
      });
      return [`${name} box: ${[x, y, width, height].join(' ')}`, ...values];
    }),
  );
}

/** The first differences of two looks. */
const differences = (before: readonly string[], after: readonly string[]): string[] =>
  after.flatMap((line, index) => (line === before[index] ? [] : [`${before[index]} -> ${line}`])).slice(0, 20);

/** Adds style sheets of the build before those of the page, where they change nothing that the page has in full. */
async function addSheets(page: Page, hrefs: readonly string[]): Promise<void> {
  await page.evaluate(async (all) => {
    const place = document.querySelector('style');
    await Promise.all(
      all.map(async (href) => {
        const link = document.createElement('link');
        Object.assign(link, { rel: 'stylesheet', href });
        const isLoaded = new Promise((resolve) => link.addEventListener('load', resolve));
        place?.before(link);
        await isLoaded;
      }),
    );
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, hrefs);
}

test('before its scripts the page looks as with all styles, of which it has those that it uses', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const files = routeFiles(JSON.parse(readFileSync(`${DIST}.vite/manifest.json`, 'utf8')));
  // what the app adds to the markup has styles of its own
  const isOfMarkup = (file: string) => file.endsWith('.css') && !/request-form|offline-banner/.test(file);
  const sheets = files['/']?.filter(isOfMarkup).map((file) => `/${file}`);
  expect(sheets?.length).toBeGreaterThan(2);
  for (const width of [1440, 360]) {
    const page = await openAs(browser, service, null, { viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    await page.route(/\/assets\/entry-/, (route) => route.abort());
    await page.goto('/');
    await page.waitForLoadState('load');
    await page.evaluate(() => document.fonts.ready);
    // without the whole style sheet, which boot.js adds
    await page.evaluate(() => document.querySelectorAll('link[rel="stylesheet"]').forEach((link) => link.remove()));
    const bare = await looksOf(page);
    expect(bare.length).toBeGreaterThan(300);
    await addSheets(page, sheets ?? []);
    expect(differences(bare, await looksOf(page))).toEqual([]);
    if (width > 1000) continue;
    // rules that the build leaves out although the page uses them
    await page.evaluate(() => {
      document.querySelectorAll('link[rel="stylesheet"]').forEach((link) => link.remove());
      const style = document.querySelector('style');
      if (style !== null) style.textContent = style.textContent.replaceAll('display:grid', '');
    });
    expect(differences(bare, await looksOf(page))).not.toEqual([]);
  }
});
