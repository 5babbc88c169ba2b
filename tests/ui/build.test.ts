/** Size budget of the files that every visitor loads before the first page shows. */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { givenAdmin } from '#tests/harness/given.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService } from '#tests/harness/service.ts';
// oxlint-disable-next-line import/no-relative-parent-imports -- the build's own files have no import prefix
import { checkRouteBudgets, routeFiles } from '../../client/route-budgets.ts';
import { openAs } from './pages.ts';

const DIST = fileURLToPath(new URL('../../client/dist/', import.meta.url));
const CATALOGUE = fileURLToPath(new URL('../../client/catalogue/', import.meta.url));
const SCHEMAS = fileURLToPath(new URL('../../shared/schemas/', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../client/src/', import.meta.url));
const KIB = 1024;

/** Gzipped bytes of the scripts or style sheets that index.html names, the ones it preloads included. */
function entryBytes(extension: 'js' | 'css'): number {
  const html = readFileSync(`${DIST}index.html`, 'utf8');
  const files = new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? ''));
  const sizes = [...files]
    .filter((file) => file.endsWith(`.${extension}`))
    .map((file) => gzipSync(readFileSync(DIST + file), { level: 9 }).length);
  expect(sizes.length).toBeGreaterThan(0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('the entry is at most 130 KB of script and 40 KB of style, gzipped', () => {
  expect(entryBytes('js')).toBeLessThanOrEqual(130 * KIB);
  expect(entryBytes('css')).toBeLessThanOrEqual(40 * KIB);
});

/** CSS variables that are read without a value to fall back to, and set nowhere. */
function missingVariables(css: string, js: string): string[] {
  const set = new Set([...css.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
  for (const [, name] of js.matchAll(/["'`](--[\w-]+)["'`]/g)) set.add(name);
  const read = [...`${css}${js}`.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name);
  return [...new Set(read)].filter((name) => !set.has(name));
}

test('the style sheets set every variable that they and the scripts read', () => {
  const textOf = (pattern: string) =>
    globSync(pattern, { cwd: DIST })
      .map((file) => readFileSync(DIST + file, 'utf8'))
      .join('\n');
  const css = textOf('assets/*.css');
  const js = textOf('assets/*.js');
  expect(missingVariables(css, js)).toEqual([]);
  // a variable that the theme leaves out although a part reads it
  expect(missingVariables(css.replaceAll('--seam:', '--other:'), js)).toContain('--seam');
});

/** Largest font of Latin text, which every page may load, and of other scripts, each with the characters of a few pages of text. */
const FONT_BYTES = { latin: 40 * KIB, script: 120 * KIB };

/** What is wrong with the fonts of a build: files too large for a subset, faces that hide text while they load, preloads. */
function fontFaults(html: string, css: string, bytesOf: (file: string) => number): string[] {
  const faces = [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].map(([, face = '']) => face);
  const files = [...new Set([...css.matchAll(/url\(["']?\/?([^)"']+\.woff2)/g)].map(([, file = '']) => file))];
  const preloaded = [...html.matchAll(/<link rel="preload" as="font"[^>]*href="\/([^"]+)"/g)].map(
    ([, file = '']) => file,
  );
  const limitOf = (file: string) => (file.includes('scripts/') ? FONT_BYTES.script : FONT_BYTES.latin);
  return [
    ...files.filter((file) => bytesOf(file) > limitOf(file)).map((file) => `${file} is too large`),
    ...faces
      .filter((face) => face.includes('url(') && !/font-display:\s*swap/.test(face))
      .map((face) => `hides: ${face}`),
    ...preloaded.filter((file) => !/latin-(?:wght|600)-normal/.test(file)).map((file) => `${file} is preloaded`),
    ...(files.length > 0 && preloaded.length === 2 ? [] : [`${files.length} fonts, ${preloaded.length} preloaded`]),
  ];
}

test('fonts are subsets, show text while they load, and only those of the first screen are preloaded', () => {
  const html = readFileSync(`${DIST}index.html`, 'utf8');
  const css = globSync('assets/**/*.css', { cwd: DIST })
    .map((file) => readFileSync(DIST + file, 'utf8'))
    .join('\n');
  const bytesOf = (file: string) => statSync(DIST + file).size;
  expect(fontFaults(html, css, bytesOf)).toEqual([]);
  // a whole font, a face without font-display, and one more preload
  expect(fontFaults(html, css, (file) => bytesOf(file) * 10)).toContainEqual(expect.stringMatching(/too large$/));
  const hiding = css.replaceAll('font-display:swap', 'font-display:block');
  expect(fontFaults(html, hiding, bytesOf)).toContainEqual(expect.stringMatching(/^hides/));
  const link = '<link rel="preload" as="font" href="/assets/scripts/noto-sans-greek.woff2">';
  expect(fontFaults(html + link, css, bytesOf)).toHaveLength(2);
});

/** Pictures in the sources without a size, which would move what follows when they have loaded. */
const withoutSize = (source: string): string[] =>
  [...source.matchAll(/<img\b.*?\/>/gs)].map(([tag]) => tag).filter((tag) => !/\bwidth=.*\bheight=/s.test(tag));

test('every picture has a width and a height', () => {
  const files = globSync('**/*.tsx', { cwd: SOURCES });
  const sources = files.map((file) => readFileSync(SOURCES + file, 'utf8'));
  expect(sources.join('').match(/<img\b/g)).not.toBeNull();
  expect(sources.flatMap(withoutSize)).toEqual([]);
  expect(withoutSize('<img src="/a.png" alt="" onError={() => fail(1)} />')).toHaveLength(1);
});

/** The files that a file of the build imports before it runs. */
function importsOf(file: string): string[] {
  const text = readFileSync(`${DIST}assets/${file}`, 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)].map(([, name]) => name ?? '');
}

test('no file of the build imports itself, by way of others: such files do not start', () => {
  const files = globSync('*.js', { cwd: `${DIST}assets` });
  const graph = new Map(files.map((file) => [file, importsOf(file)]));
  expect([...graph.values()].flat().length).toBeGreaterThan(files.length);
  const reached = (file: string, seen = new Set<string>()): Set<string> => {
    for (const next of graph.get(file) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  expect(files.filter((file) => reached(file).has(file))).toEqual([]);
});

test('a page that grows fails the build, with a sentence that says by how much', async () => {
  await checkRouteBudgets(DIST);
  const folder = mkdtempSync(join(tmpdir(), 'marshal-budgets-'));
  try {
    cpSync(DIST, folder, { recursive: true, filter: (path) => !path.endsWith('.woff2') });
    const [login = ''] = globSync('assets/login-*.js', { cwd: folder });
    const { between } = seeded(1);
    const noise = Array.from({ length: 12 * KIB }, () => String.fromCharCode(between(35, 122))).join('');
    writeFileSync(join(folder, `${login}.br`), brotliCompressSync(readFileSync(join(folder, login), 'utf8') + noise));
    await expect(checkRouteBudgets(folder)).rejects.toThrow(
      /\n\/login loads \d+ bytes, \d+\.\d % more than its budget of \d+\.\nLoad less, or accept/,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the build contains nothing of the component catalogue', () => {
  const marks = ['Component catalogue', '/dev/components', 'A text of a length that nobody planned for'];
  const read = (folder: string, pattern: string) =>
    globSync(pattern, { cwd: folder }).map((file) => ({ file, text: readFileSync(folder + file, 'utf8') }));
  const holding = (files: { file: string; text: string }[]) =>
    files.filter(({ text }) => marks.some((mark) => text.includes(mark))).map(({ file }) => file);
  // each marker is in the catalogue itself, and so would be found
  const sources = read(CATALOGUE, '*').map(({ text }) => text);
  expect(marks.filter((mark) => !sources.some((text) => text.includes(mark)))).toEqual([]);
  const shipped = read(DIST, '**/*.{html,js,css,webmanifest}');
  expect(shipped.length).toBeGreaterThan(50);
  expect(holding(shipped)).toEqual([]);
});

test("the build contains nothing of the schemas' documentation", () => {
  const sources = globSync('*.ts', { cwd: SCHEMAS }).map((file) => readFileSync(SCHEMAS + file, 'utf8'));
  const marks = sources.flatMap((text) =>
    [...text.matchAll(/description: '([^']{40,})'/g)].map(([, mark = '']) => mark),
  );
  expect(marks.length).toBeGreaterThan(100);
  const shipped = globSync('**/*.js', { cwd: DIST }).map((file) => readFileSync(DIST + file, 'utf8'));
  expect(shipped.length).toBeGreaterThan(50);
  expect(marks.filter((mark) => shipped.some((text) => text.includes(mark)))).toEqual([]);
});

test('a visitor loads nothing from other origins, and only a few files for the first page', async ({ browser }) => {
  const service = await startService({ withClient: true });
  try {
    const page = await openAs(browser, service, null);
    const addresses: URL[] = [];
    page.on('request', (request) => addresses.push(new URL(request.url())));
    for (const path of ['/login', '/', '/demo']) {
      await page.goto(path);
      await expect(page.locator('h1')).toBeVisible();
      if (path !== '/login') continue;
      await page.waitForLoadState('load');
      const assets = addresses.filter(({ pathname }) => pathname.startsWith('/assets/'));
      expect(assets.length).toBeGreaterThan(5);
      expect(assets.length).toBeLessThanOrEqual(28);
    }
    expect([...new Set(addresses.map(({ origin }) => origin))].filter((origin) => origin !== 'null')).toEqual([
      service.url,
    ]);
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await service.stop();
  }
});

test('a page loads the files that its budget counts', async ({ browser }) => {
  const counted = routeFiles(JSON.parse(readFileSync(`${DIST}.vite/manifest.json`, 'utf8')));
  const service = await startService({ withClient: true });
  try {
    const admin = await givenAdmin(service);
    // the first steps of a new community are apart
    await admin.client.call('POST', '/admin/guided-start/dismiss');
    for (const path of ['/', '/login', '/home', '/admin', '/admin/users']) {
      const page = await openAs(browser, service, ['/', '/login'].includes(path) ? null : admin);
      await page.goto(path);
      await expect(page.locator('h1')).toBeVisible();
      const loaded = () =>
        page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .map(({ name }) => new URL(name).pathname.slice(1))
            .filter((name) => /\.(?:js|css)$/.test(name))
            .toSorted(),
        );
      await expect.poll(loaded, { message: path }).toEqual(counted[path]?.toSorted());
    }
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await service.stop();
  }
});
