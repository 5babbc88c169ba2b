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

/**
 * Chunks of parts that many pages share and many others do without; `common` has the rest. Each holds what one kind of control
 * needs, with its Mantine modules and their styles.
 */
const KINDS: Readonly<Record<string, RegExp>> = {
  // validation in the page; not leave.ts, which has no schema
  schemas: /node_modules.zod\W|shared.(?:field-text\.|zod\.|schemas.(?:auth|common|leave|push)\.)/,
  // Schemas that sign-in does without: creating them takes a slow processor long. Those above must import none of these.
  inputs: /shared.schemas.(?!(?:auth|common|leave|push)\.)/,
  forms:
    /@mantine.form\W|client.src.lib.server-form\.|node_modules.(?:klona|fast-deep-equal)\W|core.esm.components.Textarea\W/,
  fields:
    /@mantine.core.esm.components.(?:CloseButton|Combobox|Input|InputBase|NativeSelect|TextInput)\W|core.esm.utils.InputsGroupFieldset\W|client.src.components.email-field\./,
  password:
    /@mantine.core.(?:esm.components|styles).(?:ActionIcon|PasswordInput)\W|client.src.components.password-field\./,
  segmented: /client.src.components.segmented\./,
  checkbox:
    /@mantine.core.(?:esm.components|esm.utils|styles).(?:Checkbox|InlineInput)\W|client.src.components.choice\./,
  table: /client.src.(?:components.data-table|lib.table-sort)\./,
};

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
      treeshake: {
        // No module here relies on side effects of property reads; assuming so removes unused code.
        propertyReadSideEffects: false,
        // Pages that only read other sentences would otherwise load this one's chunk, the schemas.
        moduleSideEffects: [{ test: /shared[\\/]field-text\./, sideEffects: false }],
      },
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
            // Libraries that every page needs: one file compresses better and stays cached across releases. Three modules of
            // Marshal and a small one of Mantine are included, because they would otherwise become separate files.
            {
              name: 'vendor',
              priority: 3,
              test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|@trpc|@tanstack)[\\/]|@mantine[\\/]hooks[\\/]esm[\\/]use-force-update|client[\\/]src[\\/]lib[\\/](?:confirm-identity|errors|trpc)\.ts$/,
            },
            { name: 'entry', priority: 2, tags: ['$initial'] },
            ...Object.entries(KINDS).map(([name, test]) => ({ name, priority: 2, test, minShareCount: 2 })),
            // The banner below the header, on every page, with what the pages of orders and weeks share with it.
            {
              name: 'connection',
              priority: 2,
              test: /client.src.(?:lib.(?:connection|live-topics|use-send-kept)|domain-ui.(?:offline-banner.module|not-sent|(?:kept|leaving|new-sign-in|sign-out)-notice))\./,
            },
            // Modules shared by at least eight chunks. Some pages load slightly more than they need, but fewer files.
            { name: 'common', priority: 1, minShareCount: 8 },
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
