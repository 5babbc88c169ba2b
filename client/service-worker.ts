/** Vite plugin that builds the service worker /sw.js as one script with the list of files to cache. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Files of public/ that pages need. Their names have no hash, so their contents may change. */
const PUBLIC_FILES = ['boot.js', 'icon.svg', 'icon-192.png', 'manifest.webmanifest'];
/** Not the fonts in assets/scripts/. */
const KEPT = /^assets\/[^/]+\.(js|css|woff2)$/;
/** Larger files, and the fonts, are cached when a page first requests them. */
const KEPT_MAX_BYTES = 300_000;

export function serviceWorker(): Plugin {
  return {
    name: 'marshal:service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const assets = Object.values(bundle)
        .filter((file) => KEPT.test(file.fileName))
        .filter((file) => Buffer.byteLength(file.type === 'chunk' ? file.code : file.source) <= KEPT_MAX_BYTES)
        .map(({ fileName }) => fileName)
        .toSorted();
      const version = createHash('sha256').update(assets.join());
      for (const path of ['index.html', ...PUBLIC_FILES.map((name) => `public/${name}`)]) {
        version.update(readFileSync(fileOf(path)));
      }
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        define: {
          __SHELL_FILES__: JSON.stringify([...PUBLIC_FILES, ...assets].map((name) => `/${name}`)),
          __SHELL_VERSION__: JSON.stringify(version.digest('hex').slice(0, 12)),
        },
        build: {
          write: false,
          target: 'es2022',
          modulePreload: false,
          rolldownOptions: { input: fileOf('src/sw/worker.ts'), output: { format: 'iife' } },
        },
      });
      const [output] = Array.isArray(built) ? built : [built];
      const script = output !== undefined && 'output' in output ? output.output[0] : undefined;
      if (script === undefined) {
        throw new Error('The service worker was not built.');
      }
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: script.code });
    },
  };
}
