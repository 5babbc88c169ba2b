import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { brotliFiles } from './brotli-files.ts';
import { componentCatalogue } from './component-catalogue.ts';
import { dropUnused } from './drop-unused.ts';
import { landingShell } from './landing-shell.ts';
import { ACCEPT_GROWTH, routeBudgets } from './route-budgets.ts';
import { serviceWorker } from './service-worker.ts';
import { themeCss } from './theme-css.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const project = fileURLToPath(new URL('..', import.meta.url));

/** Address of the server for Vite's development proxy. */
const serverOrigin = process.env['SERVER_ORIGIN'] ?? 'http://127.0.0.1:3000';

/** Fonts of the first screen; B612 Mono can load later. */
const PRELOADED_FONTS = /(saira-semi-condensed|atkinson-hyperlegible-next)[^/]*\.woff2$/;

/** Fonts of other scripts than Latin and their style sheet: hundreds of files, of which a reader needs few. */
const SCRIPT_FONTS = /^(?:script-font-faces|noto-|kosugi|gowun-|chocolate-)/;

/** Modules of the `controls` chunk: tables, query states, leaves, and Mantine controls with the modules that only they use, and what is too small for a file. */
const CONTROLS = new RegExp(
  [
    /@mantine.core.esm.(?:components.(?:Checkbox|FloatingIndicator|SegmentedControl)|utils.InlineInput)\W/,
    /@mantine.core.esm.core.MantineProvider.color-functions.get-(?:auto-)?contrast/,
    /@mantine.core.styles.(?:Checkbox|FloatingIndicator|InlineInput|SegmentedControl)\.css/,
    /@mantine.hooks.esm.use-(?:force-update|mounted|mutation-observer|shallow-effect|timeout)\W/,
    /client.src.components.(?:choice|data-table|email-field|loaded|query-states|segmented)\./,
    /client.src.domain-ui.leave\W/,
    /client.src.lib.has-password\./,
    // not its schema, which `common` needs first: two chunks that import each other do not start
    /shared.leave\./,
    /shared.pilot-status\./,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** File name prefix of the entry chunk, which every page loads first. */
const ENTRY = 'assets/entry-';
/** Scripts that index.html names. */
const STARTED = /^assets\/(?:entry|vendor|rolldown-runtime)-/;

/** Preloads fonts, which the browser would otherwise discover only after the CSS, a round trip later. */
function preloadFonts(): Plugin {
  return {
    name: 'marshal:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => PRELOADED_FONTS.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/${file}`,
              crossorigin: true,
            },
            injectTo: 'head' as const,
          })),
    },
  };
}

export default defineConfig({
  root: folder,
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: fileURLToPath(new URL('src/routes', import.meta.url)),
      generatedRouteTree: fileURLToPath(new URL('src/route-tree.gen.ts', import.meta.url)),
      tmpDir: fileURLToPath(new URL('../node_modules/.cache/tanstack-router', import.meta.url)),
      autoCodeSplitting: true,
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    themeCss(),
    dropUnused(),
    preloadFonts(),
    landingShell(),
    serviceWorker(),
    componentCatalogue(),
    brotliFiles(),
    routeBudgets({ accept: process.env[ACCEPT_GROWTH] === '1' }),
  ],
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    // for route-budgets.ts
    manifest: true,
    // Inlined fonts or images would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      // The polyfill is an inline script, and all supported browsers preload modules natively.
      polyfill: false,
      // A chunk is imported after the files of index.html have run; Firefox reports a preload of the entry as an unused file.
      resolveDependencies: (_file, parts, { hostType }) =>
        hostType === 'js' ? parts.filter((part) => !STARTED.test(part)) : parts,
    },
    target: 'es2022',
    rolldownOptions: {
      // No module here relies on side effects of property reads; assuming so removes unused code.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // Short hashes, because the entry lists every chunk and hashes do not compress; 42 bits tell releases apart.
        assetFileNames: ({ names }) =>
          `assets/${SCRIPT_FONTS.test(names[0] ?? '') ? 'scripts/' : ''}[name]-[hash:7][extname]`,
        entryFileNames: `${ENTRY}[hash].js`,
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // Group shared modules in few files, because browsers send six requests at a time.
        codeSplitting: {
          // A chunk contains only the modules of its group and imports the others.
          includeDependenciesRecursively: false,
          groups: [
            // Libraries that every page needs: one file compresses better and stays cached across releases. Two modules of
            // Marshal are included, because they would otherwise become a separate file.
            {
              name: 'vendor',
              priority: 3,
              test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|@trpc|@tanstack)[\\/]|client[\\/]src[\\/]lib[\\/](?:errors|trpc)\.ts$/,
            },
            { name: 'entry', priority: 2, tags: ['$initial'] },
            // Shared by many pages, but not by the front page, which only loads `common`.
            { name: 'controls', priority: 2, test: CONTROLS },
            // Modules shared by at least six chunks. Some pages load slightly more than they need, but 20 to 40 fewer files.
            { name: 'common', priority: 1, minShareCount: 6 },
            // Icons of fewer chunks: 200 bytes each, while the name of a file costs the entry twenty.
            { name: 'icons', priority: 0.5, test: /@tabler.icons-react/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: [project] },
    proxy: { '/trpc': serverOrigin, '/api': serverOrigin },
  },
});
