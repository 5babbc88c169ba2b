/** The component catalogue: its address in development, and every specimen in both schemes on a wide screen and a phone. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build, createServer, preview } from 'vite';
import { overflowOf } from './faults.ts';
import { closePagesAfterEach, hearComplaints } from './pages.ts';

const CLIENT = fileURLToPath(new URL('../../client/', import.meta.url));
const BUILT = fileURLToPath(new URL('../.results/catalogue/', import.meta.url));
const LOCAL = { host: '127.0.0.1', port: 0 };

closePagesAfterEach();

test('the development server shows the catalogue at /dev/components', async () => {
  const vite = await createServer({
    configFile: `${CLIENT}vite.config.ts`,
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { ...LOCAL, hmr: false, ws: false, watch: null },
  });
  try {
    await vite.listen();
    const origin = vite.resolvedUrls?.local[0] ?? '';
    const page = await (await fetch(`${origin}dev/components?from=test`)).text();
    expect(page).toContain('<title>Component catalogue · Marshal</title>');
    expect(page).toContain('src="/catalogue/main.tsx"');
    expect(await (await fetch(origin)).text()).toContain('src="/src/main.tsx"');
  } finally {
    await vite.close();
  }
});

// Built, because a browser would ask the development server for thousands of modules.
test('every specimen renders without console errors, and nothing overflows', async ({ browser }) => {
  const config = { configFile: false, root: CLIENT, logLevel: 'error' } as const;
  const rolldownOptions = { input: `${CLIENT}catalogue/index.html` };
  await build({ ...config, plugins: [react()], build: { outDir: BUILT, emptyOutDir: true, rolldownOptions } });
  const server = await preview({ ...config, build: { outDir: BUILT }, preview: LOCAL });
  try {
    const context = await browser.newContext({ reducedMotion: 'reduce', serviceWorkers: 'block' });
    const page = await context.newPage();
    const complaints = hearComplaints(page);
    await page.goto(`${server.resolvedUrls?.local[0]}catalogue/index.html`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await expect(page.getByRole('region', { name: 'domain-ui/zulu-clock' }).getByRole('timer')).toBeVisible();
      for (const width of [1440, 360]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0);
      }
    }
    await page.getByRole('button', { name: 'Failed, long' }).click();
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('nobody planned for');
    expect(complaints).toEqual([]);
  } finally {
    await server.close();
  }
});
