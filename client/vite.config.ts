import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { componentCatalogue } from './component-catalogue.ts';
import { dropUnused } from './drop-unused.ts';
import { landingShell } from './landing-shell.ts';
import { serviceWorker } from './service-worker.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const project = fileURLToPath(new URL('..', import.meta.url));

/** Where `vite` (development only) finds the running server. */
const serverOrigin = process.env['SERVER_ORIGIN'] ?? 'http://127.0.0.1:3000';

/** The two faces that the first screen needs; B612 Mono can follow. */
const PRELOADED_FONTS = /(saira-semi-condensed|atkinson-hyperlegible-next)[^/]*\.woff2$/;

/** Tables, what waits for a query, and controls that Mantine draws, with what of Mantine only these need. */
const CONTROLS = new RegExp(
  [
    /@mantine.core.esm.(?:components.(?:Checkbox|FloatingIndicator|SegmentedControl)|utils.InlineInput)\W/,
    /@mantine.core.esm.core.MantineProvider.color-functions.get-(?:auto-)?contrast/,
    /@mantine.core.styles.(?:Checkbox|FloatingIndicator|InlineInput|SegmentedControl)\.css/,
    /@mantine.hooks.esm.use-(?:mounted|mutation-observer|shallow-effect|timeout)\W/,
    /client.src.components.(?:choice|data-table|loaded|query-states|segmented)\./,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** File name prefix of the entry chunk, which every page loads first. */
const ENTRY = 'assets/entry-';

/** Fonts are found through CSS only, a round trip late; a preload starts them with the page. */
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
    dropUnused(),
    preloadFonts(),
    landingShell(),
    serviceWorker(),
    componentCatalogue(),
  ],
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    // An inlined font or picture would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      // The polyfill is an inline script; every browser that runs this page preloads modules itself.
      polyfill: false,
      // Whoever asks for a part runs the entry already; Firefox reports a preload of it as a file that was not loaded.
      resolveDependencies: (_file, parts, { hostType }) =>
        hostType === 'js' ? parts.filter((part) => !part.startsWith(ENTRY)) : parts,
    },
    target: 'es2022',
    rolldownOptions: {
      // Reading a property never does anything in what ships here; believing it keeps unused code out of every page.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // The entry names every part, and hashes do not compress: 42 bits tell releases of one part apart.
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        entryFileNames: `${ENTRY}[hash].js`,
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // Every file is a request, and a browser sends six at a time: keep what pages share in few files.
        codeSplitting: {
          // A chunk holds the modules of its own group, and imports the others.
          includeDependenciesRecursively: false,
          groups: [
            // The libraries that every page needs: it compresses better whole and stays cached from release to release. The little
            // of ours in it would be a file of its own, since pages and entry share it.
            {
              name: 'vendor',
              priority: 3,
              test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|@trpc|@tanstack)[\\/]|client[\\/]src[\\/]lib[\\/](?:errors|trpc)\.ts$/,
            },
            { name: 'entry', priority: 2, tags: ['$initial'] },
            // What many pages share, but not the front page: it loads `common`.
            { name: 'controls', priority: 2, test: CONTROLS },
            // Modules that at least six parts share. Some pages load a little more than they need; all load 20 to 40 files fewer.
            { name: 'common', priority: 1, minShareCount: 6 },
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
